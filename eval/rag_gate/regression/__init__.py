"""The regression check: pure decisions on plain data."""

from rag_gate.regression.inputs import Aggregate, CaseScoreIn, GateSettings, MetricInput, MetricSpec
from rag_gate.regression.pairing import Pairing, pair_cases
from rag_gate.regression.promotion import PromotionFacts, refusals
from rag_gate.regression.rule import judge_metrics
from rag_gate.regression.slices import judge_slices

__all__ = [
    "Aggregate",
    "CaseScoreIn",
    "GateSettings",
    "MetricInput",
    "MetricSpec",
    "Pairing",
    "PromotionFacts",
    "judge_metrics",
    "judge_slices",
    "pair_cases",
    "refusals",
]
