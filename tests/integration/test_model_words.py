"""What a service says about itself is shown, and the key that it repeats is not, whatever it puts it into."""

from pathlib import Path

import pytest
from cli_runner import Ended, rag_gate
from model_server import Turn
from test_judge_command import MODEL, Judging, Running, project, written

KEY = "sk-live-7c1d9e02"
SPLIT = KEY.replace("live", "li\nve").replace("9e", "9\u200be")


class Named(Judging):
    """Says that it runs a certain model."""

    def __init__(self, model: object, *script: Turn) -> None:
        super().__init__(*script)
        self._model = model

    def _served(self) -> object:
        return self._model


def run(folder: Path, server: Judging) -> Ended:
    with Running(server):
        project(folder, server, "  api_key_env: JUDGE_KEY\n")
        return rag_gate("run", "--config", "rag-gate.yml", cwd=folder, env={"JUDGE_KEY": KEY})


def shown(folder: Path, ended: Ended) -> str:
    """Return everything that was written or printed, without white space and signs that nobody sees."""
    files = [path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()]
    text = "".join([ended.out, ended.err, *files])
    for split in ("\u200b", "\\u200b", "\\n"):
        text = text.replace(split, "")
    return "".join(text.split()).replace("\\", "")


@pytest.mark.parametrize("model", [KEY, SPLIT, f"{MODEL} {KEY}", f"Bearer {KEY}", KEY.upper()])
def test_a_key_in_the_name_of_the_model_is_shown_nowhere(tmp_path: Path, model: str) -> None:
    ended = run(tmp_path, Named(model))
    assert ended.code == 0, ended.err
    assert "***" in ended.err
    assert KEY not in shown(tmp_path, ended).lower()


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 200])
@pytest.mark.parametrize("text", [KEY, SPLIT])
def test_a_key_in_the_words_of_an_error_is_shown_nowhere(tmp_path: Path, status: int, text: str) -> None:
    body = {"error": {"message": f"bad key {text}", "code": text, "type": text}}
    server = Judging(Turn(status, body, {"Retry-After": "600"}))
    ended = run(tmp_path, server)
    assert ended.code == 3
    assert "bad key ***" in ended.err
    assert KEY not in shown(tmp_path, ended)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (f"evil-{MODEL}-distilled", f"evil-{MODEL}-distilled"),
        (f"{MODEL}\u202e\n", None),  # nothing is left but the name
        ("gpt-3.5\n\x1b[31m::error::x", "gpt-3.5 [31m::error::x"),
        ("\u200b\u202e", "(not printable)"),
        ("", "(no name)"),
        (7, "(no name)"),
    ],
)
def test_another_model_than_the_one_asked_is_told_in_the_log_and_in_the_visible_comment(
    tmp_path: Path, model: object, said: str | None
) -> None:
    ended = run(tmp_path, Named(model))
    assert ended.code == 0, ended.err
    comment = (tmp_path / "eval_results/comment.md").read_text(encoding="utf-8")
    visible = comment.partition("<details>")[0].replace("\\", "").replace("&#58;", ":").replace("`", "")
    if said is None:
        assert "the service says it ran" not in visible + ended.err
        return
    assert f"{MODEL} was asked, and the service says it ran {said.partition('::')[0]}" in ended.err
    assert f"Judge: {MODEL} (prompts v1; the service says it ran {said.partition('::')[0]}" in visible
    served = written(tmp_path, "eval_results/judge.json")["judging"]["models"][MODEL]["served"]
    assert served == {said: 5}
