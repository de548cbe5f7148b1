"""A view with one row of everything: what templates of the user's own are tried with."""

from datetime import date

from rag_gate.config_models import Language
from rag_gate.records.history import TrendPoint
from rag_gate.report.chart import chart
from rag_gate.report.commands import Commands
from rag_gate.report.headline import symbol
from rag_gate.report.markdown import Markdown
from rag_gate.report.model import CaseTable, CommentView, Detail, DetailKind, WorsenedMetric
from rag_gate.report.numbers import number
from rag_gate.report.rows import (
    CaseRow,
    Compared,
    Condition,
    Counter,
    Expected,
    Fact,
    Listing,
    MetricRow,
    PowerRow,
    Retrieved,
    ScoreRow,
    SliceRow,
    StatusRow,
    TrendRow,
    WorsenedCase,
)
from rag_gate.report.words import Words, words_of

_DAY = date(2026, 5, 4).isoformat()
#: More than the rows there are, so that the lines about what is left out are written as well.
_TOTAL = 3


def sample_view(language: Language) -> CommentView:
    """Return a view in which every field and every list holds something."""
    words = words_of(language)
    counters = (
        Counter(2, words("strip.cases", n=2)),
        Counter(1, words("strip.failed", n=1)),
    )
    return CommentView(
        language=language,
        marker=Markdown("<!-- rag-gate:default -->"),
        outcome="blocked",
        headline=words("outcome.blocked"),
        symbol=symbol("blocked"),
        why=words.plain("why.regression", parts="recall@5"),
        where=words("dimension.retrieval"),
        next_step=words("next.doubt_fails"),
        neutral="neutral",
        problems=Listing(("problem",), _TOTAL),
        changed=Listing((Condition("prompt_version", None, "v2"),), _TOTAL),
        counters=counters,
        changes=counters,
        metrics=Listing((_metric(words),), _TOTAL),
        detectable=Listing((PowerRow("recall@5", 50, _value(words)),), _TOTAL),
        compared=Compared("4f2a9c1", None, _DAY, words("age.days", n=9)),
        judge_note=words("offline.lexical"),
        judging="judge",
        tables=(CaseTable(words("table.newly_failing", n=1), counters, _cases(words)),),
        worsened=(
            WorsenedMetric("recall@5", Listing((WorsenedCase("q-1", _value(words), _value(words)),), _TOTAL)),
        ),
        notices=Listing(("notice",), _TOTAL),
        details=_details(words),
        hidden_details=(words("detail.power"),),
    )


def _value(words: Words) -> Markdown:
    return number(0.5, words=words)


def _metric(words: Words) -> MetricRow:
    return MetricRow(
        name="recall@5",
        decision="regressed",
        dimension=words("dimension.retrieval"),
        baseline=_value(words),
        now=_value(words),
        change=_value(words),
        tolerance=_value(words),
        cases=words("cases.pairs", n=50),
        verdict=words("decision.regressed"),
    )


def _cases(words: Words) -> Listing[CaseRow]:
    row = CaseRow(
        question_id="q-1",
        question="question",
        must_pass=True,
        status="retrieval_failure",
        cause=words("cause.retrieval_failure"),
        expected=Listing((Expected("doc-1", words("rank", n=7)),), _TOTAL),
        retrieved=Listing((Retrieved("doc-2", 2),), _TOTAL),
        why="why",
    )
    return Listing((row,), _TOTAL)


def _details(words: Words) -> tuple[Detail, ...]:
    value = _value(words)
    score = ScoreRow(
        "recall@5", words("dimension.retrieval"), words("role.decides"), value, value, value, value
    )
    points = [TrendPoint(promoted_at=_DAY, tier="core", mean=mean, n=50) for mean in (0.8, 0.9)]
    trend = TrendRow("recall@5", _DAY, value, None, chart("recall@5", points, 0.85, words))
    rows: tuple[tuple[DetailKind, Listing[object]], ...] = (
        ("cases", Listing(_cases(words).rows, _TOTAL)),
        ("statuses", Listing((StatusRow("q-1", None, "why"),), _TOTAL)),
        ("slices", Listing((SliceRow("recall@5", "category=faq", 20, value, value),), _TOTAL)),
        ("scores", Listing((score,), _TOTAL)),
        ("trend", Listing((trend,), _TOTAL)),
        ("power", Listing((PowerRow("recall@5", 50, value),), _TOTAL)),
        ("ids", Listing(("q-1",), _TOTAL)),
        ("judge", Listing(("judge",), 1)),
        ("facts", Listing((Fact("name", "value", words("offline.lexical")),), _TOTAL)),
        (
            "commands",
            Listing(
                (Commands("rag-gate.yml", "results.json", "recall@5", "core", "run.jsonl", "regressed"),), 1
            ),
        ),
    )
    return tuple(Detail(kind, words("detail.scores"), found) for kind, found in rows)
