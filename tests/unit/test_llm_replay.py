import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rag_gate.errors import ConfigError, InputError
from rag_gate.judge.llm.backend import Backend, BackendError, Prompt, Reply, Usage
from rag_gate.judge.llm.clients.factory import backend_of
from rag_gate.judge.llm.clients.recorder import RecordingBackend
from rag_gate.judge.llm.clients.settings import BackendSettings


class Fixed:
    """Answers each prompt with its key and how often it was asked."""

    identity: Mapping[str, Any] = {"provider": "fixed"}
    asked = 0
    closed = False

    async def complete(self, prompt: Prompt) -> Reply:
        await asyncio.sleep(0)
        if prompt.key == "broken":
            raise BackendError("no", "judge_bad_reply")
        self.asked += 1
        return Reply(
            json.dumps({"回答": prompt.key, "n": self.asked}, ensure_ascii=False), Usage(2, 30, 4), "m-1"
        )

    async def aclose(self) -> None:
        self.closed = True


def prompt(key: str) -> Prompt:
    return Prompt("s", "u", {}, "judgment", key)


def replay(path: Path) -> Backend:
    return backend_of(BackendSettings("replay", "judge-1", recording=path), {})


def ask(backend: Backend, *keys: str) -> list[Reply]:
    async def main() -> list[Reply]:
        replies = await asyncio.gather(*(backend.complete(prompt(key)) for key in keys))
        await backend.aclose()
        return replies

    return asyncio.run(main())


def test_what_is_recorded_is_replayed_for_nothing(tmp_path: Path) -> None:
    inner = Fixed()
    recorder = RecordingBackend(inner, tmp_path / "new" / "replies.jsonl")
    assert recorder.identity == inner.identity
    recorded = ask(recorder, "a", "b", "c")
    assert inner.closed
    replayed = ask(replay(tmp_path / "new" / "replies.jsonl"), "c", "a", "b")
    assert {reply.text for reply in replayed} == {reply.text for reply in recorded}
    assert replayed[1] == Reply(recorded[0].text, Usage(), "m-1")


def test_each_line_is_whole_and_a_recording_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    ask(RecordingBackend(Fixed(), path), *(f"q{n}" for n in range(50)))
    with path.open("ab") as torn:
        torn.write(b'{"key": "torn')
    ask(RecordingBackend(Fixed(), path), "later")
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 52
    assert json.loads(lines[0])["usage"] == {"requests": 2, "prompt_tokens": 30, "completion_tokens": 4}
    assert json.loads(lines[51])["key"] == "later"
    with pytest.raises(InputError, match=r"replies\.jsonl:51"):
        replay(path)


def test_a_failure_is_not_recorded(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    with pytest.raises(BackendError):
        ask(RecordingBackend(Fixed(), path), "broken")
    assert path.read_bytes() == b""


def test_a_prompt_asked_again_gets_the_next_reply_then_the_last_one(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text('{"key": "a", "text": "1"}\n\n{"key": "a", "text": "2"}\n', encoding="utf-8")
    backend = replay(path)
    assert [ask(backend, "a")[0].text for _ in range(4)] == ["1", "2", "2", "2"]


def test_a_prompt_that_is_not_recorded_is_said_so(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text('{"key": "a", "text": "1"}\n', encoding="utf-8")
    with pytest.raises(BackendError, match="record again") as caught:
        ask(replay(path), "b")
    assert (caught.value.reason, caught.value.fatal) == ("judge_not_recorded", False)


@pytest.mark.parametrize(
    "line",
    [
        '{"key": "a"}',
        '{"key": "", "text": "1"}',
        '{"key": "a", "text": ""}',
        '{"key": "a", "text": {}}',
        "[]",
        "{",
        '{"key": "a", "text": "1", "txt": 1}',
        '{"key": "a", "text": "1", "usage": {"prompt_tokens": -1}}',
        '{"key": "a", "key": "b", "text": "1"}',
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text(f'{{"key": "a", "text": "1"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"replies\.jsonl:2"):
        replay(path)


def test_an_absent_recording_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        replay(tmp_path / "replies.jsonl")
    with pytest.raises(ConfigError, match="needs recording"):
        backend_of(BackendSettings("replay", "judge-1"), {})


def test_another_recording_is_another_judge(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text(f'{{"key": "a", "text": "{name}"}}\n', encoding="utf-8")
    assert replay(tmp_path / "a").identity != replay(tmp_path / "b").identity


def test_a_recording_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        RecordingBackend(Fixed(), tmp_path)
