"""The one table of metrics: what each means, who measures it, and how it may be compared.

Every stage, the check and the reports read this table; a metric is declared nowhere else.
"""

from dataclasses import dataclass
from typing import Literal

from rag_gate.errors import ConfigError
from rag_gate.late import Late

Dimension = Literal["retrieval", "grounding", "answer", "safety"]
Stage = Literal["retrieval", "judge", "safety"]
Direction = Literal["higher", "lower"]
Kind = Literal["soft", "zero_tolerance", "report_only"]

STAGES: tuple[Stage, ...] = ("retrieval", "judge", "safety")
#: In which order a failing dimension explains the ones after it.
DIMENSIONS: tuple[Dimension, ...] = ("retrieval", "grounding", "answer", "safety")


@dataclass(frozen=True, slots=True)
class Measure:
    """One metric, or one family of metrics that takes a cut-off (``recall`` -> ``recall@5``).

    Attributes:
        name: name without cut-off.
        dimension: which of the four independent qualities it belongs to.
        stage: the evaluator that writes it.
        title: words for readers.
        meaning: one sentence.
        kind: how it gates when a table of tolerances does not say otherwise.
        direction: whether larger or smaller is better.
        cutoff: whether the name is followed by ``@k``.
        comparable_mean: False when prompt or model style moves the mean although truth does not;
            then only per-case verdict flips may be compared.
        unit: how a value is shown.
    """

    name: str
    dimension: Dimension
    stage: Stage
    title: str
    meaning: str
    kind: Kind = "soft"
    direction: Direction = "higher"
    cutoff: bool = False
    comparable_mean: bool = True
    unit: Literal["share", "seconds", "usd", "characters"] = "share"


def _ranked(name: str, title: str, meaning: str) -> Measure:
    return Measure(name, "retrieval", "retrieval", title, meaning, cutoff=True)


_TABLE = (
    _ranked("recall", "Recall", "share of the gold documents among the first k results"),
    _ranked("hit", "Hit", "1 when any gold document is among the first k results"),
    _ranked("precision", "Precision", "share of the first k slots that hold a gold document for the first time"),
    _ranked("mrr", "MRR", "1 / rank of the first gold document, 0 when none is found"),
    _ranked("ndcg", "nDCG", "discounted gain (linear in the grade, 1/log2(rank+1)) over the best possible"),
    Measure(
        "map", "retrieval", "retrieval", "MAP",
        "precision at the rank of each gold document, averaged over all gold documents",
    ),
    _ranked("judged", "Judged", "share of the first k results that the gold set has a grade for"),
    _ranked("coverage", "Coverage", "share of the evidence groups with a member among the first k results"),
    _ranked("complete", "Complete", "1 when every evidence group (or every gold document) is found"),
    _ranked("evidence", "Evidence", "share of the evidence passages that stand whole inside one of the first k chunks"),
    Measure(
        "answer_match",
        "answer",
        "retrieval",
        "Answer match",
        "1 when the answer equals the expected answer after normalisation; a paraphrase does not",
        kind="report_only",
    ),
    Measure("faithfulness", "grounding", "judge", "Faithfulness", "supported claims / claims, by a model judge"),
    Measure(
        "support",
        "grounding",
        "judge",
        "Lexical support",
        "claims whose words stand in a retrieved chunk / claims; moves with writing style",
        kind="report_only",
        comparable_mean=False,
    ),
    Measure(
        "abstain_rate",
        "grounding",
        "judge",
        "Left for review",
        "claims that the offline judge calls neither supported nor unsupported / claims",
        kind="report_only",
        direction="lower",
        comparable_mean=False,
    ),
    Measure(
        "copy_rate",
        "grounding",
        "judge",
        "Copied",
        "share of the answer that stands word for word in a retrieved chunk; neither more nor less is better",
        kind="report_only",
        comparable_mean=False,
    ),
    Measure(
        "number_match",
        "grounding",
        "judge",
        "Numbers found in sources",
        "1 when each number and date of the answer stands in a retrieved chunk or the question",
        kind="report_only",
    ),
    Measure("relevance", "answer", "judge", "Relevance", "how far the answer addresses the question, by a model judge"),
    Measure(
        "answer_relevancy",
        "answer",
        "judge",
        "Answer relevancy (ragas)",
        "cosine between the question and a question that a model makes of the answer; moves with writing style",
        kind="report_only",
        comparable_mean=False,
    ),
    Measure(
        "context_precision",
        "retrieval",
        "judge",
        "Context precision (ragas)",
        "precision at each retrieved text that a model finds useful for the expected answer, averaged over these",
        kind="report_only",
    ),
    Measure(
        "context_recall",
        "retrieval",
        "judge",
        "Context recall (ragas)",
        "sentences of the expected answer that a model finds in the retrieved texts / sentences",
        kind="report_only",
    ),
    Measure("correctness", "answer", "judge", "Correctness", "1 when the answer says what the expected answer says"),
    Measure(
        "question_coverage",
        "answer",
        "judge",
        "Question taken up",
        "share of the question's words that the answer takes up; a right answer can take up none",
        kind="report_only",
        comparable_mean=False,
    ),
    Measure(
        "answer_length",
        "answer",
        "judge",
        "Length",
        "characters of the answer; neither more nor fewer is better",
        kind="report_only",
        comparable_mean=False,
        unit="characters",
    ),
    Measure(
        "safety_pass_rate",
        "safety",
        "safety",
        "Safety",
        "share of the checked answers without a finding that fails",
        kind="zero_tolerance",
    ),
    Measure("citation_rate", "safety", "safety", "Citation rate", "share of the answers that cite a source"),
    Measure(
        "citation_precision",
        "safety",
        "safety",
        "Citation precision",
        "share of the cited sources that were expected (or retrieved, where none is expected)",
        kind="report_only",
    ),
    Measure(
        "citation_recall",
        "safety",
        "safety",
        "Citation recall",
        "share of the expected citations that the answer gives",
        kind="report_only",
    ),
    Measure(
        "refusal_accuracy", "answer", "safety", "Refusal accuracy", "answers where due, declines where due",
        kind="report_only",
    ),
)  # fmt: skip
MEASURES: dict[str, Measure] = {measure.name: measure for measure in _TABLE}
_NAME = Late(r"(?P<family>[a-z][a-z0-9_]*)(?:@(?P<k>[1-9][0-9]{0,4}))?\Z")
#: Ranked families that also exist without a cut-off (over the whole recorded list).
WHOLE_LIST = frozenset({"mrr"})


def measure_of(metric: str) -> Measure | None:
    """Return the table's row for a metric name such as ``recall@5``, or None if it has none."""
    match = _NAME.match(metric)
    measure = MEASURES.get(match["family"]) if match else None
    if match is None or measure is None:
        return None
    if measure.cutoff:
        return measure if match["k"] or measure.name in WHOLE_LIST else None
    return None if match["k"] else measure


def measures_ranks(metric: str) -> bool:
    """Tell whether a metric needs nothing but what was retrieved."""
    measure = measure_of(metric)
    return measure is not None and measure.dimension == "retrieval"


def is_possible(metric: str, value: float) -> bool:
    """Tell whether a metric of the table can have a value: a share is from 0 to 1. Others can have any."""
    measure = measure_of(metric)
    return measure is None or measure.unit != "share" or 0 <= value <= 1


def require_measure(metric: str, where: str) -> Measure:
    """Return the table's row for a metric name.

    Raises:
        ConfigError: if no such metric exists; the message lists near names.
    """
    from difflib import get_close_matches

    measure = measure_of(metric)
    if measure is not None:
        return measure
    known = [f"{m.name}@5" if m.cutoff else m.name for m in _TABLE]
    near = get_close_matches(metric, known, n=3) or known
    raise ConfigError(
        f"{where}: unknown metric '{metric}'; known are for example {', '.join(near)}; "
        "a metric of your own needs a direction (higher or lower)"
    )
