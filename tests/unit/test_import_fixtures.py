"""What the tools themselves wrote (tests/data/formats) comes in as it was: questions, ranks, ids, answers."""

from pathlib import Path

import pytest
from format_material import bring, ranked

REFUND, EXPENSE, EMPTY = "q-dd84d4377c", "q-a32c8107df", "q-c68605ab2e"
EXPENSE_RANKS = ["travel#1", "expense#1", "travel#1"]


@pytest.mark.parametrize("name", ["samples.jsonl", "samples.csv", "results.json", "results.csv"])
def test_ragas_samples_and_results_are_one_set_and_one_run(name: str, tmp_path: Path) -> None:
    found = bring(tmp_path, "ragas", f"ragas/{name}")
    assert found.code == 0, found.said
    assert [row["relevant_doc_ids"] for row in found.golden] == [
        ["refunds#1"],
        ["expense#1", "expense#2"],
        ["7"],
    ]
    assert found.golden[1]["question"] == "経費精算の締め切りはいつですか"
    assert [row["question_id"] for row in found.run] == [row["question_id"] for row in found.golden]
    assert [ranked(row) for row in found.run] == [["refunds#1", "returns#2"], EXPENSE_RANKS, []]
    assert found.run[0]["retrieved"][0]["text"] == "Refunds arrive within 5 business days | by bank transfer."
    assert ("id_based_context_precision" in found.said) == name.startswith("results")


@pytest.mark.parametrize("name", ["cases.json", "cases.jsonl", "cases.csv"])
def test_deepeval_datasets_keep_sources_and_contexts(name: str, tmp_path: Path) -> None:
    found = bring(tmp_path, "deepeval", f"deepeval/{name}")
    assert found.code == 0, found.said
    assert found.golden[0]["evidence"] == ["within 5 business days"]
    assert ranked(found.run[0], "doc_id") == ["refunds", "returns"]
    assert ranked(found.run[1], "text") == [
        "出張は申請フォームを使う。",
        "経費精算の締め切りは翌月5日です。",
        "出張は申請フォームを使う。",
    ]
    assert found.run[2]["answer"] == "I do not know."
    assert found.run[0]["usage"] == {"input_tokens": 12}


def test_a_test_run_of_deepeval_has_seconds_that_become_milliseconds(tmp_path: Path) -> None:
    found = bring(tmp_path, "deepeval", "deepeval/test_run.json")
    assert [row["latency_ms"] for row in found.run] == [250.0, 250.0, 250.0]


@pytest.mark.parametrize("name", ["chain", "dumpd", "with_scores"])
def test_langchain_documents_are_named_by_their_metadata(name: str, tmp_path: Path) -> None:
    found = bring(tmp_path, "langchain", f"langchain/{name}.jsonl", parts="run")
    assert found.code == 0, found.said
    assert [row["question_id"] for row in found.run] == [REFUND, EXPENSE, EMPTY]
    assert ranked(found.run[0], "doc_id") == ["travel", "expense"]
    assert ranked(found.run[0])[1] == "expense#1"
    scores = ranked(found.run[0], "score")
    assert (scores == [None, None]) == (name != "with_scores")


def test_llama_index_nodes_belong_to_their_document(tmp_path: Path) -> None:
    found = bring(tmp_path, "llama-index", "llama-index/responses.json", parts="run")
    assert ranked(found.run[0], "doc_id") == ["travel", "refunds"]
    assert ranked(found.run[0], "score") == [1.0, 1.0]
    assert found.run[1]["answer"] == "翌月5日です。"
    assert found.run[2]["retrieved"] == []
    bare = bring(tmp_path, "llama-index", "llama-index/nodes.json", parts="run")
    assert [row["question_id"] for row in bare.run] == ["refund", "expense", "empty"]
    assert ranked(bare.run[0], "doc_id") == ["travel", "refunds"]


@pytest.mark.parametrize("name", ["flat", "nested", "answers"])
def test_haystack_documents_flat_nested_and_in_answers(name: str, tmp_path: Path) -> None:
    found = bring(tmp_path, "haystack", f"haystack/{name}.jsonl", parts="run")
    assert found.code == 0, found.said
    assert [row["question_id"] for row in found.run] == [REFUND, EXPENSE, EMPTY]
    assert [ranked(row, "doc_id") for row in found.run] == [[], ["expense", "travel"], ["returns"]]
    assert found.run[1]["answer"] == "翌月5日です。"
    assert found.run[1]["retrieved"][0]["metadata"]["source_id"] == "expense"


@pytest.mark.parametrize("name", ["otlp.json", "sdk.jsonl"])
def test_openinference_traces_take_what_the_reranker_left(name: str, tmp_path: Path) -> None:
    found = bring(tmp_path, "openinference", f"openinference/{name}", parts="run")
    assert found.code == 0, found.said
    assert [row["question_id"] for row in found.run] == [REFUND, EXPENSE, EMPTY]
    assert [ranked(row) for row in found.run] == [["refunds#1", "returns#2"], EXPENSE_RANKS, []]
    assert ranked(found.run[0], "doc_id") == ["refunds", "returns"]
    assert found.run[1]["answer"] == "翌月5日です。"
    assert found.run[0]["usage"] == {"prompt_tokens": 100, "completion_tokens": 20}
    assert found.run[0]["latency_ms"] > 0


@pytest.mark.parametrize("name", ["otlp.json", "sdk.jsonl"])
def test_genai_traces_with_ids_without_ids_and_with_an_error(name: str, tmp_path: Path) -> None:
    found = bring(tmp_path, "otel-genai", f"otel-genai/{name}", parts="run")
    assert found.code == 0, found.said
    assert ranked(found.run[0]) == ["refunds#1", "returns#2"]
    assert ranked(found.run[1], "doc_id") == ["travel", "expense", "travel"]
    assert found.run[1]["answer"] == "翌月5日です。"
    assert found.run[2]["retrieved"] == []
    assert found.run[3]["error"] == "connection refused"
    assert found.run[0]["usage"] == {"input_tokens": 100, "output_tokens": 20}


def test_promptfoo_results_of_one_provider(tmp_path: Path) -> None:
    unchosen = bring(tmp_path, "promptfoo", "promptfoo/results.json", parts="run")
    assert unchosen.code == 2
    assert "holds results of 2 providers" in unchosen.said
    found = bring(tmp_path, "promptfoo", "promptfoo/results.json", "--provider", "bot", "--answerable")
    assert found.code == 0, found.said
    rows = {row["question_id"]: row for row in found.run}
    assert len(rows["refund"]["retrieved"]) == 2
    assert rows["expense"]["answer"] == "翌月5日です。"
    assert rows["cat"]["error"] == "connection refused"
    assert "answer" not in rows["cat"]
    golden = {row["question_id"]: row for row in found.golden}
    assert golden["refund"]["expected_answer"] == ["within 5 business days"]
    assert golden["refund"]["negative_assertions"] == ["30 days"]
    assert golden["expense"]["expected_answer"] == ["翌月5日"]
    assert "type latency has no counterpart" in found.said
    assert "another provider than bot was left out (in 3 rows)" in found.said


def test_promptfoo_documents_in_the_response_can_be_named(tmp_path: Path) -> None:
    at = ["--at", "retrieved=response.metadata.documents", "--provider", "bot"]
    failed = bring(tmp_path, "promptfoo", "promptfoo/results.json", *at, parts="run")
    assert failed.code == 2
    assert "has nothing at response.metadata.documents" in failed.said
    at[1] = "retrieved=response.metadata.documents || `[]`"
    found = bring(tmp_path, "promptfoo", "promptfoo/results.json", *at, parts="run")
    assert found.code == 0, found.said
    assert {row["question_id"]: ranked(row) for row in found.run} == {
        "refund": ["refund#1"],
        "expense": ["経費#1"],
        "cat": [],
    }


def test_open_rag_eval_has_several_runs_and_failed_queries(tmp_path: Path) -> None:
    assert (
        "say --query-run" in bring(tmp_path, "open-rag-eval", "open-rag-eval/answers.csv", parts="run").said
    )
    first = bring(tmp_path, "open-rag-eval", "open-rag-eval/answers.csv", "--query-run", "1", parts="run")
    assert [ranked(row) for row in first.run] == [["refunds#1", "returns#2"], EXPENSE_RANKS, []]
    assert first.run[1]["answer"] == "翌月5日です。"
    second = bring(tmp_path, "open-rag-eval", "open-rag-eval/answers.csv", "--query-run", "2", parts="run")
    assert second.run[1] == {"question_id": "expense", "error": "API_ERROR"}


def test_passages_that_are_only_counted_have_no_ids(tmp_path: Path) -> None:
    found = bring(tmp_path, "open-rag-eval", "open-rag-eval/numbered.csv", parts="run")
    assert ranked(found.run[0]) == [None, None]
    assert "only counts the passages" in found.said


def test_langsmith_runs_belong_to_their_examples(tmp_path: Path) -> None:
    examples = bring(tmp_path, "langsmith", "langsmith/examples.jsonl", "--answerable", parts="golden")
    runs = bring(tmp_path, "langsmith", "langsmith/runs.jsonl", parts="run")
    assert (examples.code, runs.code) == (0, 0), examples.said + runs.said
    assert [row["question_id"] for row in examples.golden] == [row["question_id"] for row in runs.run]
    assert examples.golden[1]["relevant_doc_ids"] == ["expense#1", "expense#2"]
    assert ranked(runs.run[1]) == EXPENSE_RANKS
    assert ranked(runs.run[1], "doc_id") == ["travel", "expense", "travel"]
    assert (runs.run[0]["answer"], runs.run[0]["latency_ms"]) == (
        "Your refund arrives within 5 business days.",
        250.0,
    )


def test_beir_takes_the_judged_queries_and_names_what_the_corpus_lacks(tmp_path: Path) -> None:
    found = bring(tmp_path, "beir", "beir", parts="golden")
    assert found.code == 0, found.said
    assert [row["question_id"] for row in found.golden] == ["0", "q2"]
    assert found.golden[0]["relevant_doc_ids"] == [
        {"id": "0", "grade": 1},
        {"id": "expense", "grade": 0},
        {"id": 'the "big" one', "grade": 1},
    ]
    assert "gold document 'gone' is not in corpus.jsonl" in found.said
    assert "not judged in this split and was left out (in 1 row)" in found.said


def test_beir_names_the_splits_that_there_are(tmp_path: Path) -> None:
    found = bring(tmp_path, "beir", "beir", "--split", "dev", parts="golden")
    assert (found.code, "say --split with one of: test" in found.said) == (2, True)
