"""Traces as they come from several batches: sent again, out of order, retrievers inside retrievers."""

import json
from pathlib import Path
from typing import Any

import pytest
from format_material import bring, ranked

KEYS = {
    "openinference": ("openinference.span.kind", "RETRIEVER"),
    "otel-genai": ("gen_ai.operation.name", "retrieval"),
}


def span(kind: str, key: str, parent: str, start: int, *ids: str) -> dict[str, Any]:
    """Return a retriever's span; without ids one that recorded no documents."""
    name, value = KEYS[kind]
    attributes = {name: value, "input.value": "q", "gen_ai.retrieval.query.text": "q"}
    if kind == "openinference":
        attributes |= {f"retrieval.documents.{n}.document.id": each for n, each in enumerate(ids)}
    elif ids:
        attributes["gen_ai.retrieval.documents"] = json.dumps([{"id": each} for each in ids])
    listed = [{"key": name, "value": {"stringValue": value}} for name, value in attributes.items()]
    more = {"parentSpanId": parent} if parent else {}
    return {
        "traceId": "t",
        "spanId": key,
        "startTimeUnixNano": str(start),
        "endTimeUnixNano": str(start + 1),
        "attributes": listed,
        **more,
    }


def batches(path: Path, *spans: dict[str, Any]) -> Path:
    """Write each span as a request of its own, with several resources."""
    requests = [
        {"resourceSpans": [{"scopeSpans": []}, {"scopeSpans": [{"spans": []}, {"spans": [each]}]}]}
        for each in spans
    ]
    path.write_text("".join(json.dumps(each) + "\n" for each in requests), encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", KEYS)
def test_a_span_that_was_sent_again_counts_once(kind: str, tmp_path: Path) -> None:
    sent = span(kind, "a", "", 1, "d1", "d2")
    found = bring(tmp_path, kind, batches(tmp_path / "x.jsonl", sent, sent), parts="run")
    assert [ranked(row) for row in found.run] == [["d1", "d2"]]
    assert "the span was sent again; its last copy was taken (in 1 row)" in found.said


@pytest.mark.parametrize("kind", KEYS)
def test_retrievers_stand_in_order_of_their_start(kind: str, tmp_path: Path) -> None:
    path = batches(tmp_path / "x.jsonl", span(kind, "b", "r", 9, "d2"), span(kind, "a", "r", 3, "d1"))
    assert ranked(bring(tmp_path, kind, path, parts="run").run[0]) == ["d1", "d2"]


@pytest.mark.parametrize("kind", KEYS)
def test_the_parts_of_a_retriever_are_not_its_results_again(kind: str, tmp_path: Path) -> None:
    path = batches(
        tmp_path / "x.jsonl",
        span(kind, "outer", "", 1, "d2", "d1"),
        span(kind, "one", "outer", 2, "d1"),
        span(kind, "two", "one", 3, "d2", "d3"),
    )
    found = bring(tmp_path, kind, path, parts="run")
    assert ranked(found.run[0]) == ["d2", "d1"]
    assert "several" not in found.said


def test_an_outer_retriever_without_documents_leaves_those_of_its_parts(tmp_path: Path) -> None:
    path = batches(
        tmp_path / "x.jsonl",
        span("openinference", "outer", "", 1),
        span("openinference", "one", "outer", 2, "d1"),
    )
    assert ranked(bring(tmp_path, "openinference", path, parts="run").run[0]) == ["d1"]


def test_spans_that_name_each_other_as_parents_end(tmp_path: Path) -> None:
    path = batches(
        tmp_path / "x.jsonl",
        span("openinference", "a", "b", 1, "d1"),
        span("openinference", "b", "a", 2, "d2"),
    )
    assert bring(tmp_path, "openinference", path, parts="run").code == 0
