"""Which run later promotions are measured against."""

from rag_gate.records.anchor import Anchor, AnchorCase
from rag_gate.records.baseline import Provenance
from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict


def anchor_of(results: Results, verdict: Verdict, provenance: Provenance) -> Anchor:
    """Return a run as an anchor: the scores of its soft metrics, which are what a budget can be set for."""
    soft = [
        name
        for name, found in verdict.metrics.items()
        if found.kind == "soft" and results.scores.get(name) is not None
    ]
    return Anchor(
        promoted_at=provenance.promoted_at,
        commit=provenance.commit,
        reason=provenance.reason,
        tier=results.dataset.tier,
        stages=results.stages,
        metrics={name: results.scores[name] for name in soft},
        cases=[
            AnchorCase(
                question_id=case.question_id,
                fingerprint=case.fingerprint,
                scores={name: case.scores[name] for name in soft if name in case.scores},
            )
            for case in results.cases
        ],
    )
