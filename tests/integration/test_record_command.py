"""`rag-gate record` and `rag-gate run` with a target: settings, manifest, what is refused."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import ROOT, rag_gate
from record_material import golden, program, rows, settings

QUESTIONS = {"q1": "one", "q2": "two"}


def test_run_records_first_where_there_is_a_target_and_no_run(tmp_path: Path) -> None:
    golden(tmp_path, QUESTIONS)
    config = settings(tmp_path, "python: {answer: 'bot:answer', manifest: 'bot:MANIFEST'}")
    config.write_text(
        config.read_text(encoding="utf-8").replace("run: run.jsonl\n", "output: out\n"), encoding="utf-8"
    )
    ended = rag_gate("run", "--config", config)

    assert ended.code == 0, ended.err
    assert "2 of 2 cases answered" in ended.err
    assert set(rows(tmp_path / "out" / "run.jsonl")) == set(QUESTIONS)
    results = json.loads((tmp_path / "out" / "results.json").read_bytes())
    assert results["run"]["manifest"]["model"] == "toy-1"
    assert results["scores"]["recall@5"] == 1.0
    promoted = rag_gate(
        "promote",
        tmp_path / "out" / "results.json",
        "--config",
        config,
        "--baseline",
        tmp_path / "baseline.json",
        "--yes",
    )
    assert promoted.code == 0, promoted.err
    assert list(tmp_path.glob("baseline.run.*.jsonl")), "the recorded answers are kept"


def test_run_before_the_first_recording_says_what_to_do_and_names_the_page_once_after_it(
    tmp_path: Path,
) -> None:
    golden(tmp_path, QUESTIONS)
    config = settings(tmp_path, "python: {answer: 'bot:answer'}")
    early = rag_gate("run", "--config", config)
    assert early.code == 2
    assert "run.jsonl: no such file; rag-gate record writes it" in early.err
    assert rag_gate("record", "--config", config).code == 0
    ended = rag_gate("run", "--config", config, "--output", tmp_path / "out")
    assert (ended.code, ended.err.count("report.html")) == (0, 1), ended.err


def test_what_a_bot_prints_is_no_output_of_ours(tmp_path: Path) -> None:
    golden(tmp_path, QUESTIONS)
    (tmp_path / "loud.py").write_text(
        "def answer(question):\n    print('loading')\n    return later(question)\n\n"
        "async def later(question):\n    return {'retrieved': ['d1'], 'answer': 'x'}\n",
        encoding="utf-8",
    )
    config = settings(tmp_path, "python: {answer: 'loud:answer'}")
    config.write_text(
        config.read_text(encoding="utf-8").replace("run: run.jsonl\n", "output: out\n"), encoding="utf-8"
    )
    ended = rag_gate("run", "--config", config)
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["passed"] is True
    assert "loading" in ended.err


def test_run_with_a_run_asks_nobody(tmp_path: Path) -> None:
    golden(tmp_path, QUESTIONS)
    config = settings(tmp_path, "python: {answer: 'no_such_bot:answer'}")
    lines = [json.dumps({"question_id": key, "retrieved": ["d1"], "answer": "re"}) for key in QUESTIONS]
    (tmp_path / "run.jsonl").write_text("\n".join(lines), encoding="utf-8")
    ended = rag_gate("run", "--config", config, "--output", tmp_path / "out")
    assert ended.code == 0, ended.err


def test_a_run_of_a_bot_that_is_down_is_no_verdict(tmp_path: Path) -> None:
    golden(tmp_path, QUESTIONS)
    config = settings(tmp_path, "http: {url: 'http://127.0.0.1:9/'}\nmax_attempts: 1")
    config.write_text(
        config.read_text(encoding="utf-8").replace("run: run.jsonl\n", "output: out\n"), encoding="utf-8"
    )
    ended = rag_gate("run", "--config", config)
    assert ended.code == 3
    assert "connection is refused" in ended.err


def test_facts_of_the_manifest_come_from_bot_settings_command_line_and_git(tmp_path: Path) -> None:
    golden(tmp_path, QUESTIONS)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@example.com"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "add", "golden.jsonl"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message", "x"], check=True)
    head = subprocess.run(
        [*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
    target = "python: {answer: 'bot:answer', manifest: 'bot:MANIFEST'}\nseed: 7\nmanifest: {corpus_id: c2, team: search}"
    config = settings(tmp_path, target)
    ended = rag_gate(
        "record", "--config", config, "--meta", "k=5", "--meta", "team=bots", "--meta", "prompt_version=v3=b"
    )

    assert ended.code == 0, ended.err
    facts = json.loads((tmp_path / "run.meta.json").read_bytes())
    assert facts.pop("target_config")
    assert facts.pop("rag_gate_version")
    assert facts == {
        "schema_version": 1,
        "commit": head,
        "dirty": False,
        "model": "toy-1",
        "prompt_version": "v3=b",
        "corpus_id": "c2",
        "k": 5,
        "seed": 7,
        "team": "bots",
    }


@pytest.mark.parametrize(
    ("target", "more", "words"),
    [
        ("python: {answer: 'no_such:answer'}", [], "no_such:answer cannot be imported (ModuleNotFoundError"),
        ("python: {answer: 'bot:MANIFEST'}", [], "is no callable, but dict"),
        ("python: {answer: bot}", [], "must be module:name"),
        ("python: {retriever: 'bot:retrieve'}", [], "give either 'answer', or 'retriever' and 'generator'"),
        (
            "python: {answer: 'bot:answer'}\nhttp: {url: 'http://x/'}",
            [],
            "name exactly one of python, http and command",
        ),
        ("http: {url: 'ftp://secret.example/'}", [], "target.http.url: must be an address"),
        ("http: {url: '${NO_SUCH_VARIABLE}'}", [], "environment variable NO_SUCH_VARIABLE is not set"),
        ("http: {url: 'http://h/{question}'}", [], "does not go into the address"),
        ("http: {url: 'http://h/', body: {text: hello}}", [], "neither query nor body holds {question}"),
        (
            "http: {url: 'http://h/', body: {q: '{question}', at: 2026-01-01}}",
            [],
            "target.http.body: holds what is no JSON value",
        ),
        (
            "http: {url: 'http://h/', body: {q: '{question}', t: .nan}}",
            [],
            "target.http.body: holds what is no",
        ),
        (
            "http: {url: 'http://h/', headers: {Authorization: Bearer secret}}",
            [],
            "keep it in the environment",
        ),
        ("command: {argv: [no-such-program]}", [], "no program 'no-such-program' is found"),
        ("command: {argv: []}", [], "target.command.argv"),
        ("python: {answer: 'bot:answer'}\nreply: {answer: '[['}", [], "target.reply.answer: is no JMESPath"),
        (
            "python: {answer: 'bot:answer'}\nmanifest: {target_config: x}",
            [],
            "target_config is stated by rag-gate",
        ),
        ("python: {answer: 'bot:answer'}\nmanifest: {k: many}", [], "manifest: k"),
        ("python: {answer: 'bot:answer'}", ["--meta", "model"], "--meta: must be KEY=VALUE"),
        ("python: {answer: 'bot:answer'}", ["--output", "run.csv"], "a file that ends in .jsonl"),
        ("python: {answer: 'bot:answer'}", ["--output", "golden.jsonl"], "is an input of this command"),
        (
            "python: {answer: 'bot:answer'}",
            ["--freeze-retrieval", "a", "--freeze-answers", "b"],
            "nothing is left",
        ),
    ],
)
def test_what_cannot_be_recorded_is_refused_with_what_to_do(
    target: str, more: list[str], words: str, tmp_path: Path
) -> None:
    golden(tmp_path, QUESTIONS)
    settings(tmp_path, target)
    ended = rag_gate("record", *more, cwd=tmp_path)

    assert ended.code == 2, ended.err
    assert words in ended.err
    assert "secret" not in ended.err.replace("a secret)", "")
    assert not (tmp_path / "run.jsonl").exists()


def test_a_case_without_a_question_is_named(tmp_path: Path) -> None:
    (tmp_path / "golden.jsonl").write_text(
        '{"question_id": "q1", "relevant_doc_ids": ["d1"]}\n', encoding="utf-8"
    )
    ended = rag_gate("record", "--config", settings(tmp_path, "python: {answer: 'bot:answer'}"))
    assert ended.code == 2
    assert "case 'q1' has no question" in ended.err


def test_settings_without_a_target_say_what_is_missing(tmp_path: Path) -> None:
    golden(tmp_path, QUESTIONS)
    (tmp_path / "rag-gate.yml").write_text("dataset: golden.jsonl\n", encoding="utf-8")
    ended = rag_gate("record", cwd=tmp_path)
    assert ended.code == 2
    assert "names no bot to ask" in ended.err


def test_a_credential_in_the_manifest_is_refused(tmp_path: Path) -> None:
    golden(tmp_path, QUESTIONS)
    config = settings(tmp_path, "python: {answer: 'bot:answer'}")
    ended = rag_gate(
        "record", "--config", config, "--meta", "note=is tok-123456789", env={"BOT_TOKEN": "tok-123456789"}
    )
    assert ended.code == 2
    assert "BOT_TOKEN" in ended.err
    assert "tok-123456789" not in ended.err


def test_warm_up_questions_are_asked_and_not_recorded(tmp_path: Path) -> None:
    golden(tmp_path, QUESTIONS)
    log = tmp_path / "calls.log"
    config = settings(tmp_path, f"{program()}\nwarmup: 1")
    ended = rag_gate("record", "--config", config, env={"BOT_LOG": str(log)})
    assert ended.code == 0, ended.err
    assert sorted(log.read_text(encoding="utf-8").split()) == ["q1", "q1", "q2"]
    assert len(rows(tmp_path / "run.jsonl")) == 2


def test_progress_is_shown_on_a_terminal_only(tmp_path: Path) -> None:
    golden(tmp_path, QUESTIONS)
    config = settings(tmp_path, "python: {answer: 'bot:answer'}")
    assert "cases" not in rag_gate("record", "--config", config).err.split("rag-gate: wrote")[0]
    outer, inner = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "rag_gate", "record", "--config", str(config)],
        stderr=inner,
        env={**os.environ, "PYTHONPATH": str(ROOT / "eval"), "TERM": "xterm"},
    ) as process:
        assert process.wait(timeout=60) == 0
        shown = os.read(outer, 100_000).decode()
    os.close(inner)
    os.close(outer)
    assert "100%" in shown


def test_the_journal_and_the_run_are_valid_for_the_evaluators(tmp_path: Path) -> None:
    golden(tmp_path, {**QUESTIONS, "q3": "please error"})
    config = settings(tmp_path, program())
    assert rag_gate("record", "--config", config).code == 0
    ended = rag_gate("retrieval", "--config", config, "--output", tmp_path / "r.json")
    assert ended.code == 0, ended.err
    counts = json.loads((tmp_path / "r.json").read_bytes())["counts"]
    assert (counts["executed"], counts["error"]) == (2, 1)
