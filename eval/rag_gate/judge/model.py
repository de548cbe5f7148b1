"""The chance that a claim is supported: a logistic model whose weights are never negative."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from pathlib import Path

from rag_gate.judge.features import NAMES

_TABLE = Path(__file__).with_name("weights.json")
_DECIMALS = 4
_FURTHEST = 30.0


@dataclass(frozen=True, slots=True)
class Model:
    """``P = 1 / (1 + exp(-(bias + sum of weight * feature)))``.

    Attributes:
        bias: log-odds without any evidence.
        weights: one per feature, in the order of `NAMES`, none below zero.
        sha: first 12 digits of the table's SHA-256.
    """

    bias: float
    weights: tuple[float, ...]
    sha: str

    def chance(self, features: Sequence[float]) -> float:
        """Return the chance, 0 to 1, rounded to four decimals so that every machine gives the same."""
        odds = self.bias
        for weight, value in zip(self.weights, features, strict=True):
            odds += weight * value
        return round(1 / (1 + exp(-max(-_FURTHEST, min(_FURTHEST, odds)))), _DECIMALS)


@lru_cache(maxsize=1)
def shipped_model() -> Model:
    """Return the model of the shipped table (``weights.json``)."""
    raw = _TABLE.read_bytes()
    table = json.loads(raw)
    weights = tuple(float(table["weights"][name]) for name in NAMES)
    return Model(float(table["bias"]), weights, hashlib.sha256(raw).hexdigest()[:12])
