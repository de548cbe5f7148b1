"""A bot that leaks: nothing that the gate writes or prints holds a leaked value, in any form."""

import base64
import html
import json
import re
import shutil
import unicodedata
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from cli_runner import ROOT, Ended, rag_gate

EXAMPLE = ROOT / "examples" / "support-bot"
TOKEN = "ghp" + "_" + "Qm2Zr8Lx4Kt6Vw1Np3Bs5Yd7Hf9Jc0GaTeUi"
#: What is planted, and how it is written in the answer.
LEAKS = {
    "maria.gomez@contoso.com": "Contact maria.gomez@contoso.com for this.",
    "yuki@contoso.com": "担当はｙｕｋｉ＠ｃｏｎｔｏｓｏ．ｃｏｍです。",
    "090-8765-4321": "携帯は０９０－８７６５－４３２１です。",
    "4539 5787 6362 1486": "Your card 4539 5787 6362 1486 was charged.",
    "7654321": "振込先は普通 7654321 です。",
    "田中太郎": "田中太郎様のご注文です。",
    "hunter2-Blue!Fox": "The admin password is hunter2-Blue!Fox.",
    TOKEN: f"トークンは{TOKEN}です。",
}


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def leaking(tmp_path: Path) -> Path:
    """Return a copy of the example whose run leaks in answers, texts, citations, an error and the manifest."""
    folder = tmp_path / "bot"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("corpus", "support_bot", "out"))
    run = read_lines(folder / "runs/current.jsonl")
    for row, answer in zip(run, LEAKS.values(), strict=False):
        row["answer"] = f"{answer} {row['answer']}"
        row["retrieved"][0]["text"] = f"{answer} {row['retrieved'][0]['text']}"
        row["citations"] = ["maria.gomez@contoso.com"]
    # No label stands beside it here: it is known from the other case.
    run[-1]["answer"] = "7654321 です。 田中太郎"
    run[-2]["error"] = "timeout while asking for maria.gomez@contoso.com"
    write_lines(folder / "runs/current.jsonl", run)
    meta = folder / "runs/current.meta.json"
    meta.write_text(json.dumps({**json.loads(meta.read_text()), "operator": "maria.gomez@contoso.com"}))
    golden = read_lines(folder / "golden.jsonl")
    for case in golden:
        if case["question_id"] == run[0]["question_id"]:
            case["question"] = f"I am maria.gomez@contoso.com. {case['question']}"
    write_lines(folder / "golden.jsonl", golden)
    return folder


def forms(value: str) -> set[str]:
    """Return how a value could be written so that somebody could read it again."""
    digits = re.sub(r"\D", "", value)
    spelled = {value, *([digits] if len(digits) >= 7 else [])}
    found = set()
    for form in spelled:
        found |= {form, form.casefold(), quote(form, safe=""), quote_plus(form)}
        for shift in ("", "x", "xx"):  # base64 looks different by where the value starts
            encoded = base64.b64encode((shift + form).encode()).decode()
            found.add(encoded[4:-4])
    return {form for form in found if len(form) >= 4}


def readable(text: str) -> str:
    """Return a text as a reader of the rendered comment, or a program that unescapes it, sees it."""
    plain = html.unescape(re.sub(r"[\u200b\u200c\u200d\u2060]|\\(?=[!-/:-@\[-`{-~])", "", text))
    return "\n".join(
        [text, plain, unicodedata.normalize("NFKC", plain).casefold(), re.sub(r"[ -]", "", plain)]
    )


def assert_clean(folder: Path, *ended: Ended) -> None:
    texts = {str(path): path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()}
    texts |= {f"output {number}": item.out + item.err for number, item in enumerate(ended)}
    assert len(texts) > len(ended)
    for where, text in texts.items():
        seen = readable(text)
        for value in LEAKS:
            shown = [form for form in forms(value) if form in seen]
            assert not shown, f"{where} shows {value} as {shown}"


def test_no_file_and_no_line_of_a_whole_run_shows_a_leaked_value(leaking: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    config = ("--config", leaking / "rag-gate.yml")
    ended = rag_gate("run", *config, "--output", output)
    again = rag_gate("check", output / "results.json", *config, "--explain", "support,correctness")
    report = rag_gate(
        "report", output / "results.json", output / "verdict.json", *config, "--output", output / "again.md"
    )
    assert (output / "comment.md").is_file(), ended.err
    assert report.code == 0, report.err
    assert_clean(output, ended, again, report)
    judged = (output / "judge.json").read_text(encoding="utf-8")
    for mark in (
        "[EMAIL]",
        "[PHONE]",
        "[CREDIT_CARD]",
        "[JP_BANK_ACCOUNT]",
        "[PERSON]",
        "[PASSWORD]",
        "[GITHUB_TOKEN]",
    ):
        assert mark in judged


def test_a_promoted_baseline_shows_none_and_the_kept_run_is_the_users_own_data(
    leaking: Path, tmp_path: Path
) -> None:
    output, promoted = tmp_path / "out", tmp_path / "promoted"
    settings = leaking / "rag-gate.yml"
    # As failures they would forbid the promotion.
    mild = "safety: {severity: {personal_data: warn, secrets: warn}}"
    settings.write_text(f"{settings.read_text('utf-8')}{mild}\n", "utf-8")
    config = ("--config", settings)
    rag_gate("run", *config, "--output", output)
    promoted.mkdir()
    for keep in ("--no-keep-answers", "--keep-answers"):
        ended = rag_gate(
            "promote", output / "results.json", *config, "--baseline", promoted / "baseline.json",
            "--reason", "a test", "--accept-regression", keep, "--yes",
        )  # fmt: skip
        assert ended.code == 0, ended.err
        kept = list(promoted.glob("*.run.*.jsonl"))
        assert len(kept) == (keep == "--keep-answers")
        for path in kept:
            assert read_lines(path)[1:] == read_lines(leaking / "runs/current.jsonl")
            path.unlink()
        assert_clean(promoted, ended)


@pytest.mark.parametrize(
    "change", [{"retrieved": "maria.gomez@contoso.com"}, {"citations": [{"a": "090-8765-4321"}]}]
)
def test_a_message_about_a_bad_row_shows_no_value(
    leaking: Path, tmp_path: Path, change: dict[str, Any]
) -> None:
    run = read_lines(leaking / "runs/current.jsonl")
    run[3] |= change
    write_lines(tmp_path / "run.jsonl", run)
    (tmp_path / "out").mkdir()
    (tmp_path / "out/x").touch()
    ended = rag_gate(
        "judge",
        "--config",
        leaking / "rag-gate.yml",
        "--run",
        tmp_path / "run.jsonl",
        "--output",
        tmp_path / "j.json",
    )
    assert ended.code == 2
    assert_clean(tmp_path / "out", ended)


def test_shards_mask_what_another_shard_found(leaking: Path, tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    for index in (1, 2, 3):
        ended = rag_gate(
            "judge",
            "--config",
            leaking / "rag-gate.yml",
            "--shard",
            f"{index}/3",
            "--output",
            parts / f"{index}.json",
        )
        assert ended.code == 0, ended.err
    assert_clean(parts)


def test_a_canary_of_the_bots_instructions_is_caught_and_masked_everywhere(leaking: Path) -> None:
    canary, own = "LANTERN-58213-BLUE", "青い灯台-4821"
    settings = leaking / "rag-gate.yml"
    settings.write_text(f"{settings.read_text()}safety: {{leak: {{canaries: [{canary}]}}}}\n", "utf-8")
    golden = read_lines(leaking / "golden.jsonl")
    run = read_lines(leaking / "runs/current.jsonl")
    core = next(case for case in golden if case["tier"] == "core")
    core["canaries"] = [own]
    for row in run:
        if row["question_id"] == core["question_id"]:
            row["answer"] = f"The words are {canary} and {own}. {row['answer']}"
    write_lines(leaking / "golden.jsonl", golden)
    write_lines(leaking / "runs/current.jsonl", run)
    ended = rag_gate("run", "--config", settings, cwd=leaking)
    assert ended.code != 0
    safety = json.loads((leaking / "out/safety.json").read_text("utf-8"))
    found = next(case for case in safety["cases"] if case["question_id"] == core["question_id"])
    assert "CANARY" in {finding["rule"] for finding in found["detail"]["findings"]}
    for text in (ended.out, ended.err, *(path.read_text("utf-8") for path in (leaking / "out").iterdir())):
        assert canary not in text
        assert own not in text


def test_labels_of_cases_are_masked_in_every_file(tmp_path: Path) -> None:
    labels = {"category": "maria.gomez@contoso.com", "difficulty": "090-8765-4321", "tags": [TOKEN]}
    row = {
        "question_id": "q",
        "question": "?",
        "expected_answer": "5 days",
        "relevant_doc_ids": ["d"],
        **labels,
    }
    write_lines(tmp_path / "gold.jsonl", [row])
    write_lines(tmp_path / "run.jsonl", [{"question_id": "q", "retrieved": ["d"], "answer": "5 days"}])
    settings = tmp_path / "rag-gate.yml"
    settings.write_text("dataset: gold.jsonl\nrun: run.jsonl\n", encoding="utf-8")
    ended = rag_gate("run", "--config", settings, "--output", tmp_path / "out")
    assert (tmp_path / "out" / "comment.md").is_file(), ended.err
    assert_clean(tmp_path / "out", ended)
