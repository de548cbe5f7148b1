"""Evaluate retrieval: one streaming pass over the joined run."""

from pathlib import Path

from rag_gate.config_models import RetrievalConfig
from rag_gate.dataset import GoldenSet, JoinedRun, open_run
from rag_gate.measures import measures_ranks
from rag_gate.partials import PartialWriter, evaluator_of
from rag_gate.records.partial import Shard
from rag_gate.retrieval.case_scorer import CaseScorer
from rag_gate.retrieval.scoring import settings_of
from rag_gate.retrieval.unit import Unit, names_documents, resolve_unit

VERSION = "1"


def evaluate_retrieval(
    golden: GoldenSet,
    run_source: str | None,
    config: RetrievalConfig,
    output: Path,
    shard: Shard | None = None,
) -> list[str]:
    """Score every case and write the partial ``retrieval.json``.

    Args:
        golden: the golden set; extended cases beside a core tier count in the means of what ranks show.
        run_source: the recorded run, None where the golden rows hold the results.
        config: cut-offs, unit, success rule.
        output: the file to write.
        shard: which part of the cases to score; by default all.

    Returns:
        Warnings, one line each.

    Raises:
        InputError: if the run cannot be read, or no result carries an id to compare.
        ConfigError: if the rule needs evidence groups that a case does not have.
    """
    shard = shard or Shard()
    # Results without document ids, the usual case, are scored in the pass that finds this out.
    # A shard sees too little: all shards must find the same.
    undecided = config.unit == "auto" and config.document_id is None and shard.total == 1
    unit = "chunk" if undecided else resolve_unit(config, golden, run_source)
    found = _score(golden, run_source, config, unit, shard, stop_at_documents=undecided)
    if found is None:
        unit = resolve_unit(config, golden, run_source)
        found = _score(golden, run_source, config, unit, shard, stop_at_documents=False)
    if found is None:
        raise AssertionError("a pass that does not stop returns what it scored")
    run, scorer, writer = found
    scorer.refuse_nothing_compared(run.source)
    evaluator = evaluator_of("ranking", VERSION, settings_of(config, unit))
    writer.write(output, "retrieval", evaluator, run, shard)
    return [*golden.warnings, *scorer.warnings(), *_unknown(run.counts["unknown"], run.unknown)]


def _score(
    golden: GoldenSet,
    run_source: str | None,
    config: RetrievalConfig,
    unit: str,
    shard: Shard,
    *,
    stop_at_documents: bool,
) -> tuple[JoinedRun, CaseScorer, PartialWriter] | None:
    """Score all cases; None when it stopped because results name documents beside their ids."""
    scorer = CaseScorer(config, Unit(config, unit), golden)
    writer = PartialWriter(scorer.names, missing_counts_zero=True)
    ranks_only = unit == "chunk" and not any(case.evidence for case in golden.cases.values())
    ranking = frozenset(name for name in scorer.names if measures_ranks(name))
    run = open_run(golden, run_source, shard, ranks_only=ranks_only)
    for joined in run:
        if stop_at_documents and joined.record is not None and names_documents(joined.record):
            return None
        aside = ranking if golden.is_aside(joined.case) else None
        writer.add(joined, *scorer.score(joined), aside=aside)
    return run, scorer, writer


def _unknown(count: int, named: list[str]) -> list[str]:
    if not count:
        return []
    cases = "1 case of the run is" if count == 1 else f"{count} cases of the run are"
    more = ", ..." if count > len(named) else ""
    return [f"{cases} not in the golden set and ignored ({', '.join(named)}{more})"]
