"""Where the numbers come from: run, baseline, golden set, evaluators."""

from collections.abc import Mapping

from rag_gate.measures import STAGES
from rag_gate.records.partial import Evaluator
from rag_gate.records.results import Results
from rag_gate.records.run import RunManifest
from rag_gate.records.verdict_file import Verdict
from rag_gate.report.judging import judging_facts
from rag_gate.report.markdown import Markdown
from rag_gate.report.numbers import exact
from rag_gate.report.offline_judge import is_lexical
from rag_gate.report.rows import Condition, Fact, Listing
from rag_gate.report.words import LEXICAL

_DIGITS = 12
_EXTRAS = 8
_STATED = {
    "commit": "Commit of the run",
    "model": "Model",
    "prompt_version": "Prompt version",
    "chunking_id": "Chunking",
    "corpus_id": "Corpus",
    "index_embedding_model": "Embedding model of the index",
    "query_embedding_model": "Embedding model of the queries",
    "k": "Results asked for, k",
    "seed": "Seed",
    "target_config": "Fingerprint of the target",
    "dirty": "Work tree with changes that are not committed",
    "frozen_retrieval": "Results are those of the run",
    "frozen_answers": "Answers are those of the run",
    "rag_gate_version": "Recorded by rag-gate",
}


def changed(verdict: Verdict) -> Listing[Condition]:
    """Return the conditions in which this run differs from the baseline's."""
    rows = tuple(Condition(name, was, now) for name, (was, now) in verdict.conditions.items())
    return Listing(rows, len(rows))


def facts(results: Results | Mapping[str, float | None], verdict: Verdict) -> Listing[Fact]:
    """Return what is known about run, baseline, golden set and evaluators."""
    rows = [Fact("Likely cause", sentence, is_sentence=True) for sentence in verdict.likely_causes]
    rows += [*_run(verdict), *_baseline(verdict), *_dataset(verdict)]
    if verdict.rules_from is not None:
        rows.append(Fact("Settings, labels and baseline of commit", verdict.rules_from))
    if isinstance(results, Results):
        if results.extended_retrieval:
            more = len(results.extended_retrieval)
            rows.append(Fact("Retrieval measured on", f"{len(results.cases) + more} cases, all tiers"))
        rows += judging_facts(results.judging)
        rows += [_evaluator(stage, results.stages[stage]) for stage in STAGES if stage in results.stages]
    rows.append(Fact("Alpha, the accepted chance of a false alarm", exact(verdict.alpha)))
    return Listing(tuple(rows), len(rows))


def rules_changed(verdict: Verdict) -> Listing[Fact]:
    """Return the files that decide and that the pull request changed, with their hashes then and now."""
    rows = tuple(
        Fact(path, f"{then or 'not there'} -> {now or 'not there'}")
        for path, (then, now) in verdict.rules_changed.items()
    )
    return Listing(rows, len(rows))


def _run(verdict: Verdict) -> list[Fact]:
    if verdict.run is None:
        return [Fact("Run", "known by its means only")]
    manifest = verdict.run.manifest or RunManifest()
    stated = [(label, getattr(manifest, key)) for key, label in _STATED.items()]
    extra = sorted((manifest.model_extra or {}).items())[:_EXTRAS]
    rows = [Fact(label, str(value)) for label, value in (*stated, *extra) if value not in (None, False)]
    return [*rows, Fact("Fingerprint of the run", verdict.run.fingerprint[:_DIGITS])]


def _baseline(verdict: Verdict) -> list[Fact]:
    if verdict.baseline_promoted_at is None:
        return [Fact("Baseline", "none that was promoted")]
    return [
        Fact("Commit of the baseline", verdict.baseline_commit or "not stated"),
        Fact("Baseline promoted at", verdict.baseline_promoted_at),
    ]


def _dataset(verdict: Verdict) -> list[Fact]:
    if verdict.dataset is None:
        return []
    found = verdict.dataset
    return [
        Fact("Golden set", f"{found.n_cases} cases, tier {found.tier}"),
        Fact("Fingerprint of the golden set", found.fingerprint[:_DIGITS]),
    ]


def _evaluator(stage: str, evaluator: Evaluator) -> Fact:
    note = Markdown(LEXICAL) if stage == "judge" and is_lexical(evaluator) else None
    return Fact(f"Evaluator of {stage}", f"{evaluator.name}, version {evaluator.version}", note)
