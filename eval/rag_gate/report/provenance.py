"""Where the numbers come from: run, baseline, golden set, evaluators."""

from collections.abc import Mapping
from datetime import date

from rag_gate.measures import STAGES
from rag_gate.records.partial import Evaluator
from rag_gate.records.results import Results
from rag_gate.records.run import RunManifest
from rag_gate.records.verdict_file import Verdict
from rag_gate.report.judging import judging_facts
from rag_gate.report.markdown import Markdown
from rag_gate.report.numbers import exact
from rag_gate.report.offline_judge import is_lexical
from rag_gate.report.origin import Origin
from rag_gate.report.rows import Compared, Condition, Fact, Listing
from rag_gate.report.words import Words

_DIGITS = 12
_EXTRAS = 8
_DAY = 10
#: What a manifest can state, in the order in which it is shown.
_STATED = (
    "commit", "model", "prompt_version", "chunking_id", "corpus_id", "index_embedding_model", "query_embedding_model",
    "k", "seed", "target_config", "dirty", "frozen_retrieval", "frozen_answers", "rag_gate_version",
)  # fmt: skip


def changed(verdict: Verdict) -> Listing[Condition]:
    """Return the conditions in which this run differs from the baseline's."""
    rows = tuple(Condition(name, was, now) for name, (was, now) in verdict.conditions.items())
    return Listing(rows, len(rows))


def compared(verdict: Verdict, origin: Origin, words: Words) -> Compared | None:
    """Return what was compared with what; None where there is no promoted baseline."""
    if verdict.baseline_promoted_at is None:
        return None
    return Compared(
        head=origin.head or _commit(verdict),
        base=verdict.baseline_commit,
        promoted_on=verdict.baseline_promoted_at[:_DAY],
        age=_age(verdict.baseline_promoted_at, origin.today, words),
    )


def _commit(verdict: Verdict) -> str | None:
    manifest = verdict.run.manifest if verdict.run else None
    return manifest.commit if manifest else None


def _age(promoted_at: str, today: date | None, words: Words) -> Markdown | None:
    try:
        days = (today - date.fromisoformat(promoted_at[:_DAY])).days if today else -1
    except ValueError:  # a baseline that somebody wrote by hand
        return None
    if days < 0:
        return None
    return words("age.days", n=days) if days else words("age.today")


def facts(
    results: Results | Mapping[str, float | None], verdict: Verdict, origin: Origin, words: Words
) -> Listing[Fact]:
    """Return what is known about run, baseline, golden set and evaluators."""
    rows = [
        Fact(words("fact.cause"), words.sentence(cause), is_sentence=True) for cause in verdict.likely_causes
    ]
    rows += [Fact(words("fact.head"), origin.head)] if origin.head else []
    rows += [*_run(verdict, words), *_baseline(verdict, origin, words), *_dataset(verdict, words)]
    if verdict.rules_from is not None:
        rows.append(Fact(words("fact.rules_from"), verdict.rules_from))
    if isinstance(results, Results):
        if results.extended_retrieval:
            more = len(results.cases) + len(results.extended_retrieval)
            rows.append(Fact(words("fact.all_tiers"), words("fact.all_tiers.value", n=more)))
        rows += judging_facts(results.judging, words)
        rows += [
            _evaluator(stage, results.stages[stage], words) for stage in STAGES if stage in results.stages
        ]
    rows.append(Fact(words("fact.alpha"), exact(verdict.alpha)))
    if origin.run_url:
        rows.append(Fact(words("fact.workflow_run"), origin.run_url))
    return Listing(tuple(rows), len(rows))


def rules_changed(verdict: Verdict, words: Words) -> Listing[Fact]:
    """Return the files that decide and that the pull request changed, with their hashes then and now."""
    absent = words("value.not_there")
    rows = tuple(
        Fact(path, f"{then or absent} -> {now or absent}")
        for path, (then, now) in verdict.rules_changed.items()
    )
    return Listing(rows, len(rows))


def _run(verdict: Verdict, words: Words) -> list[Fact]:
    if verdict.run is None:
        return [Fact(words("fact.run"), words("fact.run.means_only"))]
    manifest = verdict.run.manifest or RunManifest()
    stated = [(str(words(f"fact.run.{key}")), getattr(manifest, key)) for key in _STATED]
    extra = sorted((manifest.model_extra or {}).items())[:_EXTRAS]
    rows = [Fact(label, str(value)) for label, value in (*stated, *extra) if value not in (None, False)]
    return [*rows, Fact(words("fact.run.fingerprint"), verdict.run.fingerprint[:_DIGITS])]


def _baseline(verdict: Verdict, origin: Origin, words: Words) -> list[Fact]:
    if verdict.baseline_promoted_at is None:
        return [Fact(words("fact.baseline"), words("fact.baseline.none"))]
    age = _age(verdict.baseline_promoted_at, origin.today, words)
    return [
        Fact(words("fact.baseline.commit"), verdict.baseline_commit or words("value.not_stated")),
        Fact(words("fact.baseline.promoted_at"), verdict.baseline_promoted_at, age),
    ]


def _dataset(verdict: Verdict, words: Words) -> list[Fact]:
    if verdict.dataset is None:
        return []
    found = verdict.dataset
    tier = Markdown(found.tier)
    return [
        Fact(words("fact.golden_set"), words("fact.golden_set.value", n=found.n_cases, tier=tier)),
        Fact(words("fact.golden_set.fingerprint"), found.fingerprint[:_DIGITS]),
    ]


def _evaluator(stage: str, evaluator: Evaluator, words: Words) -> Fact:
    note = words("offline.lexical") if stage == "judge" and is_lexical(evaluator) else None
    version = words.plain("fact.evaluator.value", name=evaluator.name, version=evaluator.version)
    return Fact(words("fact.evaluator", stage=words(f"stage.{stage}")), version, note)
