"""Exact tests, corrections, intervals and power: pure functions of plain numbers."""

from rag_gate.statistics.beta import beta_cdf, beta_quantile, t_cdf, t_quantile
from rag_gate.statistics.intervals import Interval, agresti_min, clopper_pearson, upper_bound, wilson
from rag_gate.statistics.lattice import P_SCALE, SCALE, mean, to_lattice
from rag_gate.statistics.multiplicity import benjamini_hochberg, holm
from rag_gate.statistics.paired import PairedT, clustered_t, paired_t, standard_deviation
from rag_gate.statistics.power import cases_needed, detectable_effect
from rag_gate.statistics.signflip import SignFlip, sign_flip
from rag_gate.statistics.two_sample import (
    KolmogorovSmirnov,
    RateDifference,
    kolmogorov_smirnov,
    kolmogorov_smirnov_of_counts,
    rate_difference,
)

__all__ = [
    "P_SCALE",
    "SCALE",
    "Interval",
    "KolmogorovSmirnov",
    "PairedT",
    "RateDifference",
    "SignFlip",
    "agresti_min",
    "benjamini_hochberg",
    "beta_cdf",
    "beta_quantile",
    "cases_needed",
    "clopper_pearson",
    "clustered_t",
    "detectable_effect",
    "holm",
    "kolmogorov_smirnov",
    "kolmogorov_smirnov_of_counts",
    "mean",
    "paired_t",
    "rate_difference",
    "sign_flip",
    "standard_deviation",
    "t_cdf",
    "t_quantile",
    "to_lattice",
    "upper_bound",
    "wilson",
]
