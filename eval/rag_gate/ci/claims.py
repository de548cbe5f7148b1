"""Results that come from a pull request's own run: checked as data from outside before they are judged."""

from collections.abc import Mapping
from math import fsum, isclose

from rag_gate.dataset import GoldenSet
from rag_gate.errors import NotJudgedError
from rag_gate.files import fingerprint, parse_json
from rag_gate.measures import measure_of
from rag_gate.reasons import MISSING
from rag_gate.records.own import check_own
from rag_gate.records.partial import CaseScore
from rag_gate.records.results import CaseResult, Results
from rag_gate.wholeness import refuse_broken

_WHERE = "the artifact's results.json"
_MOST_CASES = 20_000
_LONGEST_TEXT = 100_000
_LONGEST_KEY = 500
_DEEPEST = 20
_WIDEST = 100_000


def read_claims(data: bytes) -> Results:
    """Parse and check results: known keys only, bounded, finite, at one with themselves.

    Raises:
        RagGateError: if they are anything else.
    """
    document = parse_json(data, _WHERE)
    _bounded(document, 0)
    results = check_own(document, _WHERE, Results, "results", "rag-gate merge")
    if len(results.cases) + len(results.extended_retrieval) > _MOST_CASES:
        raise NotJudgedError(f"{_WHERE}: holds more than {_MOST_CASES} cases")
    refuse_broken(results, _WHERE, "rag-gate merge")
    _same_means(results)
    return results


def _bounded(value: object, depth: int) -> None:
    if depth > _DEEPEST:
        raise NotJudgedError(f"{_WHERE}: is nested too deep")
    if isinstance(value, str) and len(value) > _LONGEST_TEXT:
        raise NotJudgedError(f"{_WHERE}: holds a text of more than {_LONGEST_TEXT} characters")
    if isinstance(value, list | dict) and len(value) > _WIDEST:
        raise NotJudgedError(f"{_WHERE}: holds a list of more than {_WIDEST} entries")
    if isinstance(value, list):
        for item in value:
            _bounded(item, depth + 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            if len(key) > _LONGEST_KEY:
                raise NotJudgedError(f"{_WHERE}: holds a key of more than {_LONGEST_KEY} characters")
            _bounded(item, depth + 1)


def _same_means(results: Results) -> None:
    """Refuse means that are not those of the cases."""
    rows: list[CaseResult | CaseScore] = [*results.cases, *results.extended_retrieval]
    for name, summary in results.metrics.items():
        values = [value for row in rows if (value := row.scores.get(name)) is not None]
        measure = measure_of(name)
        zeros = sum(row.reasons.get(name) == MISSING for row in rows if name in row.scores)
        count = len(values) + (zeros if measure is not None and measure.stage == "retrieval" else 0)
        mean = fsum(values) / count if count else None
        same = summary.mean == mean or (
            mean is not None and summary.mean is not None and isclose(mean, summary.mean, abs_tol=1e-9)
        )
        if not same or summary.n_scored != count:
            raise NotJudgedError(f"{_WHERE}: {name}: its mean is not that of its cases, so it is not used")


def on_base_labels(
    results: Results, golden: GoldenSet, removed_ok: Mapping[str, object] | frozenset[str]
) -> Results:
    """Return the results with what the base commit's golden set says about each case.

    Args:
        results: checked claims.
        golden: the base commit's set, all tiers.
        removed_ok: cases that may be absent.

    Raises:
        NotJudgedError: if the results are of another golden set.
    """
    tier = results.dataset.tier
    expected = {key: case for key, case in golden.cases.items() if tier == "extended" or case.tier == "core"}
    found = {case.question_id: case.fingerprint for case in results.cases}
    absent = expected.keys() - found.keys() - set(removed_ok)
    other = [key for key, value in found.items() if key not in expected or golden.fingerprints[key] != value]
    other += [row.question_id for row in results.extended_retrieval if _is_other(row, golden)]
    if absent or other or results.dataset.fingerprint != fingerprint(dict(sorted(found.items()))):
        raise NotJudgedError(
            f"{_WHERE}: was not measured on the base commit's golden set ({len(absent)} cases absent, {len(other)} others), "
            "so it cannot be judged; merge changes of the golden set on their own"
        )
    cases = [
        case.model_copy(
            update={
                "info": case.info.model_copy(
                    update={
                        "tier": expected[case.question_id].tier,
                        "must_pass": expected[case.question_id].must_pass,
                        "question": expected[case.question_id].question,
                    }
                )
            }
        )
        for case in results.cases
    ]
    return results.model_copy(update={"cases": cases})


def _is_other(row: CaseScore, golden: GoldenSet) -> bool:
    return golden.fingerprints.get(row.question_id) != row.fingerprint
