"""The file that calibrate noise writes."""

from typing import Literal

from pydantic import JsonValue

from rag_gate.records.base import SCHEMA_VERSION, OwnRecord
from rag_gate.records.partial import DatasetInfo
from rag_gate.records.verdict import Direction, Kind


class DetectionRow(OwnRecord):
    """What the gate says to a true drop: shares of simulated comparisons."""

    drop: float
    regressed: float
    inconclusive: float


class MetricNoise(OwnRecord):
    """One metric between runs of the same commit.

    Attributes:
        sd0: standard deviation of the paired differences.
        se: standard error of the mean difference of one comparison.
        flip_rate: share of the cases whose score changed.
        mean_difference: largest mean difference between two of the runs.
        tolerance: as configured; null, as all below, where the metric has none.
        false_alarm_naive: chance that identical runs differ by more than the tolerance.
        false_alarm_gate: chance that the gate calls that a regression.
        detectable: smallest drop that the gate fails in 80 % of comparisons, by formula; null = none.
        caught_reliably: true drop that is beyond the tolerance in 80 % of comparisons.
        detection: the same by simulation, for some drops.
        lints: what speaks against the tolerance.
        proposed: tolerance that fits the noise.
    """

    kind: Kind
    direction: Direction
    n_pairs: float
    n_units: float
    sd0: float
    se: float
    flip_rate: float
    mean_difference: float
    tolerance: float | None = None
    false_alarm_naive: float | None = None
    false_alarm_gate: float | None = None
    detectable: float | None = None
    caught_reliably: float | None = None
    detection: tuple[DetectionRow, ...] = ()
    lints: tuple[str, ...] = ()
    proposed: float | None = None


class Calibration(OwnRecord):
    """Noise of all metrics.

    Attributes:
        runs: fingerprints of the recorded runs.
        alpha: accepted chance of a false alarm, as the check uses it.
        resamples: simulated comparisons per figure about false alarms.
        family_false_alarm_naive: chance that any metric of identical runs is beyond its tolerance.
        family_false_alarm_gate: chance that the gate fails identical runs.
        tolerances: the table with the proposals, as ``check --tolerances`` reads it.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    kind: Literal["calibration"] = "calibration"
    dataset: DatasetInfo
    runs: tuple[str, ...]
    alpha: float
    resamples: int
    family_false_alarm_naive: float
    family_false_alarm_gate: float
    metrics: dict[str, MetricNoise]
    tolerances: dict[str, JsonValue]
    notices: tuple[str, ...] = ()
