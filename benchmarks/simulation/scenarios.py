"""What happens between the baseline and the run that is checked."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scenario:
    """A change of the bot that makes nothing worse on average.

    Attributes:
        title: words for readers.
        retrieval_flips: share of all cases whose gold document is newly found, and as many newly lost.
        rank_moves: share of cases whose gold document may move by one rank.
        reworded: share of cases whose answer is written anew.
        new_difficulty: share of cases that become easier or harder.
    """

    title: str
    retrieval_flips: float
    rank_moves: float
    reworded: float
    new_difficulty: float


SCENARIOS = {
    "aa": Scenario("same bot, run again", 0.0, 0.0, 0.3, 0.0),
    "neutral": Scenario("harmless change", 0.02, 0.2, 1.0, 0.0),
    "big": Scenario("other model or embedding", 0.05, 0.5, 1.0, 0.3),
}
