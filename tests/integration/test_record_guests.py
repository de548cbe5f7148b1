"""A bot that runs in our process, or beside it, does as it likes; the recording stays what it is."""

import asyncio
import json
import sys
from pathlib import Path

import pytest
from cli_runner import rag_gate
from model_server import ModelServer, Turn
from record_material import golden, rows, settings
from test_record_faults import record

REPLY = "return {'retrieved': ['d1'], 'answer': 'x'}"
#: What a bot does -> the body of its function.
GUESTS = {
    "starts programs that print": "    import os; os.system('echo printed')\n",
    "prints past Python": "    import os; os.write(1, b'printed')\n",
    "closes the output": "    import sys; sys.stdout.close()\n",
    # Two cases are asked at a time, so the folder's name must not depend on where the other went.
    "changes the folder": "    import os; os.makedirs(f'{HERE}/sub', exist_ok=True); os.chdir(f'{HERE}/sub')\n",
    "forks": "    import os; os.fork()\n",
}


def bot(folder: Path, body: str, head: str = "", how: str = "def") -> Path:
    """Write a bot and settings without a run."""
    (folder / "guest.py").write_text(
        f"{head}\n\nHERE = {str(folder)!r}\n\n{how} answer(question):\n{body}", encoding="utf-8"
    )
    config = settings(folder, "python: {answer: 'guest:answer'}\ntimeout_s: 20")
    text = config.read_text(encoding="utf-8").replace("run: run.jsonl\n", "output: out\n")
    config.write_text(text, encoding="utf-8")
    return config


@pytest.mark.parametrize("how", ["def", "async def"])
@pytest.mark.parametrize("does", GUESTS)
def test_what_a_bot_does_to_the_process_changes_neither_run_nor_output(
    does: str, how: str, tmp_path: Path
) -> None:
    golden(tmp_path, {"q1": "a", "q2": "b"})
    bot(tmp_path, f"{GUESTS[does]}    {REPLY}\n", how=how)
    ended = rag_gate("run", cwd=tmp_path)

    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["passed"] is True
    assert ended.err.count("wrote out/run.jsonl (2 of 2 cases answered)") == 1
    assert list(rows(tmp_path / "out" / "run.jsonl")) == ["q1", "q2"]
    assert not list((tmp_path / "out").glob("*.journal"))


@pytest.mark.parametrize(
    ("head", "code", "words"),
    [
        ("import sys; sys.exit(0)", 2, "guest:answer cannot be imported (SystemExit: 0)"),
        ("print('printed at import')", 0, "printed at import"),
    ],
)
def test_what_a_module_does_when_it_is_imported_is_no_verdict(
    head: str, code: int, words: str, tmp_path: Path
) -> None:
    golden(tmp_path, {"q1": "a"})
    bot(tmp_path, f"    {REPLY}\n", head)
    ended = rag_gate("run", cwd=tmp_path)
    assert ended.code == code
    assert words in ended.err
    assert "printed" not in ended.out


def test_an_object_with_attributes_is_a_reply(tmp_path: Path) -> None:
    golden(tmp_path, {"q1": "a"})
    head = "class Reply:\n    def __init__(self, **given):\n        self.__dict__.update(given)"
    bot(
        tmp_path,
        "    return Reply(retrieved=[Reply(id='d1', score=0.5)], answer='x', _private=object())\n",
        head,
    )
    assert rag_gate("record", "--output", "run.jsonl", cwd=tmp_path).code == 0
    assert rows(tmp_path / "run.jsonl")["q1"]["retrieved"] == [{"id": "d1", "score": 0.5}]


def lines(folder: Path, body: str) -> str:
    """Write a program that answers with ``said(asked)``; return the target."""
    (folder / "lines.py").write_text(
        "import json, sys, time\n\n"
        "def said(asked, **more):\n"
        "    print(json.dumps({'retrieved': ['d1'], 'answer': asked['question'], **more}), flush=True)\n\n"
        f"for line in sys.stdin:\n    asked = json.loads(line)\n    {body}\n",
        encoding="utf-8",
    )
    return f"command: {{argv: [{sys.executable}, lines.py]}}\nconcurrency: 1"


@pytest.mark.parametrize(
    "body",
    [
        "said(asked); said(asked)",
        "said(asked); time.sleep(0.05); said(asked)",
        "time.sleep(0.1); said(asked); asked['question'] == 'n0' and said(asked)",
    ],
)
def test_answers_that_may_stand_with_the_wrong_questions_are_not_kept(body: str, tmp_path: Path) -> None:
    golden(tmp_path, {f"q{n}": f"n{n}" for n in range(4)})
    ended = rag_gate("record", "--config", settings(tmp_path, lines(tmp_path, body)))
    assert ended.code == 3
    assert "wrote more answers than it was asked for" in ended.err
    assert not list(tmp_path.glob("run.*"))


def test_a_program_that_repeats_the_id_is_taken_at_its_word(tmp_path: Path) -> None:
    golden(tmp_path, {f"q{n}": f"n{n}" for n in range(4)})
    body = "[said(asked, question_id=asked['question_id']) for _ in range(2)]"
    rag_gate("record", "--config", settings(tmp_path, lines(tmp_path, body)))
    found = rows(tmp_path / "run.jsonl")
    assert found["q0"]["answer"] == "n0"
    for key, row in found.items():
        assert "error" in row or row["answer"] == key.replace("q", "n")


def test_empty_lines_and_words_of_farewell_are_no_answers(tmp_path: Path) -> None:
    golden(tmp_path, {f"q{n}": f"n{n}" for n in range(4)})
    config = settings(tmp_path, lines(tmp_path, "print(); said(asked)\nprint('bye')"))
    assert rag_gate("record", "--config", config).code == 0
    assert [row["answer"] for row in rows(tmp_path / "run.jsonl").values()] == ["n0", "n1", "n2", "n3"]


def test_no_request_knows_of_an_earlier_one(tmp_path: Path) -> None:
    golden(tmp_path, {f"q{n}": "a" for n in range(5)})

    async def main() -> list[str | None]:
        turn = Turn(200, {"retrieved": ["d1"], "answer": "x"}, {"Set-Cookie": "session=1; Path=/"})
        async with ModelServer(turn) as server:
            await record(tmp_path, "http: {url: '${BOT_URL}'}\nconcurrency: 1", {"BOT_URL": server.url})
            return [request.headers.get("cookie") for request in server.requests]

    assert asyncio.run(main()) == [None] * 5


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({"BOT_TOKEN": "one\ntwo-12345678"}, "headers.Authorization: holds a line break"),
        ({"BOT_TOKEN": "t\u00f6ken-12345678"}, "headers.Authorization: holds a line break or a letter"),
        ({"HTTP_PROXY": "http://me:secretpw:x"}, "the environment's proxy cannot be used"),
        ({"ALL_PROXY": "socks5://me:secretpw@127.0.0.1:1"}, "the environment's proxy cannot be used"),
        ({"SSL_CERT_FILE": "/nonexistent"}, "the environment's certificates cannot be read"),
    ],
)
def test_an_environment_that_no_request_can_be_made_with_is_named_and_not_shown(
    environ: dict[str, str], words: str, tmp_path: Path
) -> None:
    golden(tmp_path, {"q1": "a"})
    target = "http: {url: 'http://127.0.0.1:9/', headers: {Authorization: 'Bearer ${BOT_TOKEN}'}}"
    ended = rag_gate(
        "record", "--config", settings(tmp_path, target), env={"BOT_TOKEN": "tok-12345678", **environ}
    )
    assert ended.code == 2, ended.err
    assert words in ended.err
    assert not any(secret in ended.err for secret in ("12345678", "secretpw"))
    assert not list(tmp_path.glob("run.*"))


def test_cases_that_were_not_asked_tell_nothing_about_the_bot(tmp_path: Path) -> None:
    golden(tmp_path, {f"q{number:02}": "a" for number in range(30)})
    (tmp_path / "before.jsonl").write_text('{"question_id": "q29", "retrieved": ["d1"]}\n', encoding="utf-8")
    config = settings(tmp_path, "python: {answer: 'bot:with_contexts'}")
    ended = rag_gate("record", "--config", config, "--freeze-retrieval", tmp_path / "before.jsonl")
    assert ended.code == 0, ended.err
    assert rows(tmp_path / "run.jsonl")["q29"]["answer"] == "re: a from d1"


def test_warm_up_keeps_to_the_number_of_workers(tmp_path: Path) -> None:
    golden(tmp_path, {f"q{number}": "a" for number in range(12)})
    head = "import asyncio\nNOW, PEAK = [0], [0]"
    body = (
        "    NOW[0] += 1; PEAK[0] = max(PEAK[0], NOW[0])\n    await asyncio.sleep(0.01)\n    NOW[0] -= 1\n"
        "    return {'retrieved': ['d1'], 'answer': str(PEAK[0])}\n"
    )
    (tmp_path / "guest.py").write_text(f"{head}\n\nasync def answer(question):\n{body}", encoding="utf-8")
    config = settings(tmp_path, "python: {answer: 'guest:answer'}\nconcurrency: 3\nwarmup: 12")
    assert rag_gate("record", "--config", config).code == 0
    assert {row["answer"] for row in rows(tmp_path / "run.jsonl").values()} == {"3"}
