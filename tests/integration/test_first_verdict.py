"""From a table of questions and gold ids to a first verdict, by nothing but what init prints."""

import ast
import csv
import json
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from cli_runner import Ended, new_process, rag_gate

QUESTIONS = [
    ("When do I get my refund?", "refunds"),
    ("経費精算の締め切りはいつですか", "expense;travel"),
    ("Who pays for the return parcel?", "returns"),
]


def table(path: Path, header: str, rows: Sequence[tuple[str, ...]]) -> None:
    with path.open("w", newline="", encoding="utf-8-sig") as handle:
        writer = csv.writer(handle)
        writer.writerow(header.split(","))
        writer.writerows(rows)


def advised(said: str) -> list[str]:
    """Return the commands that init advises, in order."""
    lines = [
        line.removeprefix("rag-gate:").strip() for line in said.split("next, in this folder:")[1].splitlines()
    ]
    return [line for line in lines if line.startswith("rag-gate ")]


def write_the_bot_as_advised(folder: Path, said: str) -> None:
    """Do what a person does: take the function that is shown, and let it ask the bot."""
    shown = next(
        line.removeprefix("rag-gate:").strip() for line in said.splitlines() if "def answer(" in line
    )
    head, _, reply = shown.partition(" return ")
    shape = ast.literal_eval(reply)
    assert set(shape) == {"retrieved", "answer"}
    assert set(shape["retrieved"][0]) == {"id", "text"}
    bot = f"""
FOUND = {dict(QUESTIONS)!r}
{head}
    ids = [*FOUND[question].split(";"), "other"]
    return {{"retrieved": [{{"id": key, "text": "A passage."}} for key in ids], "answer": "It is so."}}
"""
    (folder / "bot.py").write_text(bot, encoding="utf-8")


def follow(folder: Path, said: str) -> list[Ended]:
    return [rag_gate(*shlex.split(command)[1:], cwd=folder) for command in advised(said)]


@pytest.mark.parametrize(
    "header", ["question,gold_ids", "Question,Gold IDs", "Question,Source Documents", "質問,正解文書"]
)
def test_a_table_alone_leads_to_a_first_verdict_by_the_printed_advice(header: str, tmp_path: Path) -> None:
    table(tmp_path / "questions.csv", header, [*QUESTIONS])
    started = new_process("init", cwd=tmp_path)
    assert started.code == 0, started.err
    write_the_bot_as_advised(tmp_path, started.err)
    followed = follow(tmp_path, started.err)
    assert len(followed) == 4
    assert [ended.code for ended in followed] == [0, 0, 0, 0], [ended.err for ended in followed]
    assert "3 cases" in (tmp_path / "eval_results" / "comment.md").read_text(encoding="utf-8")
    again = rag_gate("run", cwd=tmp_path)
    assert (again.code, "No regression" in again.err) == (0, True)
    (tmp_path / "run.jsonl").write_text(
        (tmp_path / "run.jsonl").read_text(encoding="utf-8").replace('"refunds"', '"lost"'), encoding="utf-8"
    )
    assert "recall@5 fell" in rag_gate("run", cwd=tmp_path).err


def test_what_the_action_needs_is_the_small_set_of_packages(tmp_path: Path) -> None:
    table(tmp_path / "questions.csv", "question,gold_ids", [*QUESTIONS])
    rag_gate("init", cwd=tmp_path)
    assert json.loads(rag_gate("needs", cwd=tmp_path).out)["locks"] == []


def test_a_run_that_is_there_is_used(tmp_path: Path) -> None:
    rows = [
        ("a", *QUESTIONS[0], "within 5 days"),
        ("b", *QUESTIONS[1], "翌月5日"),
        ("c", *QUESTIONS[2], "the customer"),
    ]
    table(tmp_path / "cases.csv", "id,question,gold_ids,expected", rows)
    (tmp_path / "logs").mkdir()
    recorded = [
        {"question_id": "a", "retrieved": ["refunds"], "answer": "Within 5 days."},
        {"question_id": "b", "retrieved": ["expense", "travel"], "answer": "翌月5日です。"},
        {"question_id": "c", "retrieved": ["x"], "answer": "The customer pays."},
    ]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in recorded)
    (tmp_path / "logs" / "last.jsonl").write_text(text, encoding="utf-8")
    started = rag_gate("init", cwd=tmp_path)
    assert started.code == 0, started.err
    assert "rag-gate record" not in started.err
    assert [ended.code for ended in follow(tmp_path, started.err)] == [0, 0, 0]


@pytest.mark.parametrize("named", [lambda _: (), lambda folder: ("--dataset", folder / "rows.json")])
def test_rows_that_hold_everything_need_no_other_file(
    named: Callable[[Path], tuple[str | Path, ...]], tmp_path: Path
) -> None:
    rows = [{"question": "q?", "expected": "x", "gold_ids": ["d"], "retrieved": ["d"], "actual": "x"}]
    (tmp_path / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
    started = rag_gate("init", *named(tmp_path), cwd=tmp_path)
    assert started.code == 0, started.err
    assert not (tmp_path / "golden.jsonl").exists()
    assert [ended.code for ended in follow(tmp_path, started.err)] == [0, 0, 0]


def test_a_large_table_gets_a_core_tier(tmp_path: Path) -> None:
    rows = [(f"question number {n}", f"d{n}", "faq" if n % 2 else "policy") for n in range(200)]
    table(tmp_path / "q.csv", "question,gold_ids,category", rows)
    started = rag_gate("init", "--core-size", "40", cwd=tmp_path)
    assert "200 cases from" in started.err
    assert "40 of them in the core tier" in started.err
    cases = [
        json.loads(line) for line in (tmp_path / "golden.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    core = [case for case in cases if case["tier"] == "core"]
    assert [sum(case["category"] == name for case in core) for name in ("faq", "policy")] == [20, 20]


def test_questions_without_gold_ids_are_asked_about(tmp_path: Path) -> None:
    table(tmp_path / "q.csv", "question,gold_ids", [*QUESTIONS, ("Can I pay with bitcoin?", "")])
    refused = rag_gate("init", cwd=tmp_path)
    assert refused.code == 2
    assert "q.csv:5: 1 row has no gold ids" in refused.err
    assert not (tmp_path / "rag-gate.yml").exists()
    assert rag_gate("init", "--without-gold", "unanswerable", cwd=tmp_path).code == 0
    last = (tmp_path / "golden.jsonl").read_text(encoding="utf-8").splitlines()[-1]
    assert json.loads(last)["answerable"] is False


def test_a_folder_without_questions_shows_what_to_write_and_that_works(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "bot"}', encoding="utf-8")
    refused = rag_gate("init", cwd=tmp_path)
    assert refused.code == 2
    shown = [line.removeprefix("rag-gate:").strip() for line in refused.err.splitlines()][1:3]
    (tmp_path / "questions.csv").write_text("\n".join(shown), encoding="utf-8")
    assert rag_gate("init", cwd=tmp_path).code == 0


def test_nothing_that_is_there_is_written_over(tmp_path: Path) -> None:
    table(tmp_path / "q.csv", "question,gold_ids", [*QUESTIONS])
    (tmp_path / "golden.jsonl").write_text("mine", encoding="utf-8")
    refused = rag_gate("init", cwd=tmp_path)
    assert (refused.code, "say --force" in refused.err) == (2, True)
    assert (tmp_path / "golden.jsonl").read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "rag-gate.yml").exists()
    assert rag_gate("init", "--force", cwd=tmp_path).code == 0


def test_several_files_of_questions_need_a_choice(tmp_path: Path) -> None:
    for name in ("one.csv", "two.csv"):
        table(tmp_path / name, "question,gold_ids", [*QUESTIONS])
    refused = rag_gate("init", cwd=tmp_path)
    assert (refused.code, "say which with --dataset" in refused.err) == (2, True)
    assert rag_gate("init", "--dataset", tmp_path / "two.csv", cwd=tmp_path).code == 0


def test_a_table_with_other_columns_says_which_are_needed(tmp_path: Path) -> None:
    table(tmp_path / "q.csv", "colour,size", [("red", "1")])
    refused = rag_gate("init", "--dataset", tmp_path / "q.csv", cwd=tmp_path)
    assert refused.code == 2
    assert "found colour, size; name them like: question,expected_answer,relevant_doc_ids" in refused.err


@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_table_of_another_country_is_read(separator: str, tmp_path: Path) -> None:
    text = separator.join(("question", "gold_ids")) + "\n" + separator.join(("Who pays?", "returns")) + "\n"
    (tmp_path / "q.csv").write_text(text, encoding="utf-8")
    assert rag_gate("init", cwd=tmp_path).code == 0
    assert json.loads((tmp_path / "golden.jsonl").read_text(encoding="utf-8"))["relevant_doc_ids"] == [
        "returns"
    ]


@pytest.mark.parametrize(
    ("cell", "ids"),
    [
        ("a;b", ["a", "b"]),
        ("a, b", ["a", "b"]),
        ("a|b", ["a", "b"]),
        ("a、b", ["a", "b"]),
        (" a ; b ", ["a", "b"]),
        ("a\nb", ["a", "b"]),
        ('"a","b"', ["a", "b"]),
        ('["a", "b"]', ["a", "b"]),
        ("['a', 'b']", ["a", "b"]),
        ("Refund policy, v2.pdf; other.pdf", ["Refund policy, v2.pdf", "other.pdf"]),
        ("規程１、別紙；規程２", ["規程１、別紙", "規程２"]),
        ("[draft", ["[draft"]),
    ],
)
def test_gold_ids_are_read_however_they_are_separated(cell: str, ids: list[str], tmp_path: Path) -> None:
    table(tmp_path / "q.csv", "question,gold_ids", [("q", cell)])
    assert rag_gate("init", cwd=tmp_path).code == 0
    assert json.loads((tmp_path / "golden.jsonl").read_text(encoding="utf-8"))["relevant_doc_ids"] == ids


@pytest.mark.parametrize("cell", ["", "N/A", "-", "なし", "null"])
def test_a_word_for_nothing_is_no_gold_id(cell: str, tmp_path: Path) -> None:
    table(tmp_path / "q.csv", "question,gold_ids", [("q", "a"), ("q2", cell)])
    assert "q.csv:3: 1 row has no gold ids" in rag_gate("init", cwd=tmp_path).err


def test_a_sentence_with_commas_stays_whole(tmp_path: Path) -> None:
    header, row = (
        "question,gold_ids,negative_assertions,ground_truths",
        ("q", "a", "30日、無料, free", '["x","y"]'),
    )
    table(tmp_path / "q.csv", header, [row])
    assert rag_gate("init", cwd=tmp_path).code == 0
    written = json.loads((tmp_path / "golden.jsonl").read_text(encoding="utf-8"))
    assert (written["negative_assertions"], written["expected_answer"]) == ([row[2]], ["x", "y"])


def test_a_golden_set_that_gets_its_tiers_loses_nothing(tmp_path: Path) -> None:
    rows = [
        {"id": "1", "question": "q1", "gold_ids": ["a"], "owner": {"team": "x"}},
        {"id": "2", "question": "q2", "gold_ids": ["a"], "expected": "later", "note": "only here"},
    ]
    (tmp_path / "golden.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert rag_gate("init", cwd=tmp_path).code == 0
    first, second = map(json.loads, (tmp_path / "golden.jsonl").read_text(encoding="utf-8").splitlines())
    assert first["owner"] == {"team": "x"}
    assert (second["expected_answer"], second["note"]) == ("later", "only here")


def test_what_a_column_of_another_name_is_taken_for_is_said(tmp_path: Path) -> None:
    """It may be what the bot answered and retrieved: then the set would agree with the bot."""
    table(tmp_path / "chain.csv", "question,answer,source_documents", [("When?", "Soon.", "d1")])
    said = rag_gate("init", cwd=tmp_path).err
    assert "columns were read so: 'source_documents' as relevant_doc_ids, 'answer' as expected_answer" in said


def test_columns_that_mean_nothing_are_named(tmp_path: Path) -> None:
    table(tmp_path / "q.csv", "question,gold_ids,担当", [("q", "a", "x")])
    assert "columns that mean nothing and were left out: 担当" in rag_gate("init", cwd=tmp_path).err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "質問,正解文書\n経費は,expense\n".encode("cp932"),
            "is not UTF-8 (byte 0); save it as UTF-8 (in Excel: CSV UTF-8)",
        ),
        ("question,gold ids\nq,a\n".encode("utf-16"), "is not UTF-8 but UTF-16"),
        (b"question,gold ids,question\nq,a,b\n", "the column 'question' stands twice"),
        (
            b"What is it?,doc1\nWho is it?,doc2\n",
            "its columns are not known ('What is it?', 'doc1'); it needs one for the question and one for",
        ),
    ],
)
def test_a_table_that_cannot_be_used_is_named(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_bytes(content)
    ended = rag_gate("init", cwd=tmp_path)
    assert (ended.code, message in ended.err) == (2, True), ended.err


def test_a_question_that_stands_twice_is_shown_with_both_lines(tmp_path: Path) -> None:
    table(tmp_path / "q.csv", "question,gold_ids", [("When?", "a"), ("Who?", "b"), ("when?", "c")])
    assert "q.csv:4: the case" in (said := rag_gate("init", cwd=tmp_path).err)
    assert "('when?') stands already at q.csv:2; keep one" in said
