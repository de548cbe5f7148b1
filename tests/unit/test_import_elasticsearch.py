"""What Elasticsearch itself answered (tests/data/formats/elasticsearch) comes in as it was, and what is missing is said."""

import json
from pathlib import Path
from typing import Any

import pytest
from format_material import FORMATS_DATA, Brought, bring, ranked

REFUND, RETURNS = (
    "Refunds arrive within 5 business days | by bank transfer.",
    "The customer pays for the return parcel.",
)
EXPENSE, TRAVEL = "経費精算の締め切りは翌月5日です。", "出張は申請フォームを使う。"


def test_search_responses_keep_scores_errors_and_sorted_hits(tmp_path: Path) -> None:
    found = bring(tmp_path, "elasticsearch", "elasticsearch/searches.jsonl", parts="run")
    assert found.code == 0, found.said
    refund, expense, empty, failed = found.run
    assert refund["retrieved"] == [
        {"id": "refunds#1", "doc_id": "refunds", "text": REFUND, "score": 1.420765},
        {"id": "returns#2", "doc_id": "returns", "text": RETURNS, "score": 0.6058485},
    ]
    assert expense["retrieved"] == [
        {"id": "expense#1", "doc_id": "expense", "text": EXPENSE},
        {"id": "travel#1", "doc_id": "travel", "text": TRAVEL},
    ]
    assert empty["retrieved"] == []
    assert failed == {"question_id": "failed", "error": "no such index [docs2]"}
    assert all(row["latency_ms"] > 0 for row in (refund, expense, empty))


@pytest.fixture
def shapes(tmp_path: Path) -> Brought:
    found = bring(tmp_path, "elasticsearch", "elasticsearch/shapes.jsonl", parts="run")
    assert found.code == 0, found.said
    return found


def named(found: Brought, name: str) -> dict[str, Any]:
    (row,) = [row for row in found.run if row["question_id"] == name]
    return row


def test_text_and_document_of_a_hit_may_stand_in_its_fields(shapes: Brought) -> None:
    assert named(shapes, "fields")["retrieved"] == [
        {"id": "expense#1", "doc_id": "expense", "text": EXPENSE, "score": 11.335471},
        {"id": "travel#1", "doc_id": "travel", "text": TRAVEL, "score": 0.7295435},
    ]


def test_hits_without_their_source_are_ids(shapes: Brought) -> None:
    assert named(shapes, "ids only")["retrieved"] == [
        {"id": "refunds#1", "score": 1.420765},
        {"id": "returns#2", "score": 0.6058485},
    ]
    partly = named(shapes, "part of the source")
    assert ranked(partly, "doc_id") == ["refunds", "returns"]
    assert ranked(partly, "text") == [None, None]


@pytest.mark.parametrize("name", ["total as number", "total not counted"])
def test_how_many_hits_there_are_may_be_said_in_any_way_or_not(name: str, shapes: Brought) -> None:
    assert ranked(named(shapes, name)) == ["refunds#1", "returns#2"]
    assert ranked(named(shapes, name), "text") == [REFUND, RETURNS]


def test_the_hits_inside_a_hit_are_left_out_and_that_is_said(shapes: Brought) -> None:
    assert named(shapes, "inner hits")["retrieved"] == [{"id": "handbook", "score": 0.6594265}]
    assert ranked(named(shapes, "collapsed")) == ["expense#1", "travel#1"]
    assert ranked(named(shapes, "collapsed"), "text") == [EXPENSE, TRAVEL]
    assert "inner_hits were left out; a result is the hit around them (in 2 rows)" in shapes.said


def test_hits_that_a_failed_shard_or_a_timeout_took_away_are_said(shapes: Brought) -> None:
    assert ranked(named(shapes, "shard failed")) == ["refunds#1", "returns#2"]
    assert "a shard failed; its hits are missing (in 1 row)" in shapes.said
    assert ranked(named(shapes, "timed out"), "text") == [REFUND, REFUND]
    assert "the search timed out; its hits are what was found until then (in 1 row)" in shapes.said
    assert ranked(named(shapes, "ended early")) == ["refunds#1"]


def test_a_search_that_failed_says_why(shapes: Brought) -> None:
    failed = named(shapes, "all shards failed")
    assert failed["error"].startswith("all shards failed: Fielddata is disabled on text fields by default.")
    assert "retrieved" not in failed
    assert named(shapes, "no such query")["error"] == "no [query] registered for [matches]"


def test_a_text_key_is_looked_for_in_source_and_fields(tmp_path: Path) -> None:
    rows = (FORMATS_DATA / "elasticsearch" / "shapes.jsonl").read_text(encoding="utf-8").splitlines()
    row = json.loads(rows[0])
    for hit in row["response"]["hits"]["hits"]:
        hit["fields"]["passage"] = hit["fields"].pop("text")
    (tmp_path / "x.json").write_text(json.dumps(row), encoding="utf-8")
    found = bring(tmp_path, "elasticsearch", tmp_path / "x.json", "--text-key", "passage", parts="run")
    assert ranked(found.run[0], "text") == [EXPENSE, TRAVEL]
    row["response"]["hits"]["hits"][0]["fields"]["passage"] *= 2
    (tmp_path / "x.json").write_text(json.dumps(row), encoding="utf-8")
    said = bring(tmp_path, "elasticsearch", tmp_path / "x.json", "--text-key", "passage", parts="run").said
    assert "result 1: has no _source.passage and no single text in fields.passage (--text-key)" in said


@pytest.mark.parametrize(
    ("fields", "read"),
    [
        ({"content": [7], "doc_id": [12]}, {"doc_id": "12"}),
        ({"content": ["a", "b"], "metadata.source": ["s", "t"]}, {}),
        ({"content": [], "n": [1.5], "metadata.doc_id": ["s"]}, {"doc_id": "s"}),
        ({"content": "not a list", "metadata": ["flattened"]}, {}),
    ],
)
def test_a_field_counts_where_it_has_one_value(fields: Any, read: dict[str, Any], tmp_path: Path) -> None:
    row = {"question": "q", "response": {"hits": {"hits": [{"_id": "d", "fields": fields}]}}}
    (tmp_path / "x.json").write_text(json.dumps(row), encoding="utf-8")
    found = bring(tmp_path, "elasticsearch", tmp_path / "x.json", parts="run")
    assert found.run[0]["retrieved"] == [{"id": "d", **read}]


def test_source_comes_before_fields(tmp_path: Path) -> None:
    hit = {
        "_id": "d",
        "_source": {"text": "whole", "metadata": {"source": "s"}},
        "fields": {"text": ["part"], "metadata.source": ["t"], "doc_id": ["u"]},
    }
    row = {"question": "q", "response": {"hits": {"hits": [hit]}}}
    (tmp_path / "x.json").write_text(json.dumps(row), encoding="utf-8")
    found = bring(tmp_path, "elasticsearch", tmp_path / "x.json", parts="run")
    assert found.run[0]["retrieved"] == [{"id": "d", "doc_id": "u", "text": "whole"}]


def test_the_parts_of_a_multi_search_need_their_questions(tmp_path: Path) -> None:
    bare = bring(tmp_path, "elasticsearch", "elasticsearch/msearch.json", parts="run")
    assert (bare.code, "a search response does not hold what was asked" in bare.said) == (2, True)
    parts = json.loads((FORMATS_DATA / "elasticsearch" / "msearch.json").read_bytes())["responses"]
    lines = [
        json.dumps({"question_id": name, "response": part}) for name, part in zip("ab", parts, strict=True)
    ]
    (tmp_path / "x.jsonl").write_text("\n".join(lines), encoding="utf-8")
    found = bring(tmp_path, "elasticsearch", tmp_path / "x.jsonl", parts="run")
    assert ranked(found.run[0]) == ["refunds#1", "returns#2"]
    assert found.run[1] == {"question_id": "b", "error": "no such index [docs2]"}


def test_a_ranking_evaluation_gives_the_golden_set_by_its_request_and_the_run_by_its_response(
    tmp_path: Path,
) -> None:
    asked = bring(
        tmp_path, "rank-eval", "elasticsearch/rank_eval_request.json", "--answerable", parts="golden"
    )
    assert [row["question_id"] for row in asked.golden] == ["refund", "expense", "empty"]
    assert asked.golden[0]["question"] == "When do I get my refund?"
    assert asked.golden[0]["relevant_doc_ids"] == [
        {"id": "refunds#1", "grade": 3},
        {"id": "returns#2", "grade": 0},
    ]
    assert asked.golden[1]["question"] == "経費精算の締め切りはいつですか"
    answered = bring(tmp_path, "rank-eval", "elasticsearch/rank_eval_response.json", parts="run")
    rows = {row["question_id"]: row for row in answered.run}
    assert rows["refund"]["retrieved"] == [
        {"id": "refunds#1", "score": 1.420765},
        {"id": "returns#2", "score": 0.6058485},
    ]
    assert ranked(rows["expense"]) == ["expense#1", "travel#1"]
    assert rows["empty"]["error"].startswith("all shards failed: Fielddata is disabled on text fields")


def test_an_evaluation_of_which_every_search_failed_has_no_metric_and_is_still_read(tmp_path: Path) -> None:
    found = bring(tmp_path, "rank-eval", "elasticsearch/rank_eval_failed.json", parts="run")
    assert {row["question_id"]: row["error"] for row in found.run} == dict.fromkeys(
        ("refund", "expense", "empty"), "no such index [docs2]"
    )


def test_an_evaluation_that_was_refused_is_no_run(tmp_path: Path) -> None:
    found = bring(tmp_path, "rank-eval", "elasticsearch/rank_eval_refused.json", parts="run")
    assert (found.code, found.run) == (2, [])
    reason = (
        "[rank_eval] failed to parse field [metric]: [1:701] unable to parse EvaluationMetric with name [dgc]"
    )
    assert f"the service refused the request: [1:701] {reason}" in found.said
    assert "correct it and send it again" in found.said


def test_judgments_of_opensearch_have_ratings_as_text(tmp_path: Path) -> None:
    judged = bring(tmp_path, "rank-eval", "elasticsearch/judgments.json", parts="golden")
    assert judged.golden[0]["relevant_doc_ids"] == [
        {"id": "refunds#1", "grade": 3},
        {"id": "returns#2", "grade": 0},
    ]
    assert judged.golden[0]["question"] == "When do I get my refund?"


def test_search_responses_through_the_client_of_opensearch(tmp_path: Path) -> None:
    found = bring(tmp_path, "elasticsearch", "elasticsearch/openmock.jsonl", parts="run")
    assert found.code == 0, found.said
    assert [ranked(row) for row in found.run] == [["refunds#1"], ["expense#1"], []]
    assert found.run[1]["retrieved"][0]["doc_id"] == "expense"


@pytest.mark.parametrize("metadata", ["text", ["a"], 5, None, True])
def test_a_field_of_the_index_may_be_anything(metadata: object, tmp_path: Path) -> None:
    hit: dict[str, Any] = {
        "_id": "d",
        "_score": None,
        "_source": {"text": "t", "metadata": metadata},
        "inner_hits": {"x": {"hits": {}}},
    }
    row = {"question": "q", "response": {"hits": {"hits": [hit]}}}
    (tmp_path / "x.json").write_text(json.dumps(row), encoding="utf-8")
    found = bring(tmp_path, "elasticsearch", tmp_path / "x.json", parts="run")
    assert found.run[0]["retrieved"] == [{"id": "d", "text": "t"}]
