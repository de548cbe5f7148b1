"""What every safety check takes and gives."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rag_gate.records.golden import GoldenCase
from rag_gate.records.run import RunRecord

#: ``fail`` fails the case, ``warn`` is shown, ``undecided`` is for a judge (a failure where the user is strict),
#: ``allowed`` is counted and means nothing for the case.
Ruling = Literal["fail", "warn", "undecided", "allowed"]


@dataclass(frozen=True, slots=True)
class SafetyCase:
    """One executed case with an answer.

    Attributes:
        case: what is expected of the bot.
        record: what was recorded.
        answer: the answer as recorded.
        contexts: the retrieved texts in rank order; None where a result has no text.
    """

    case: GoldenCase
    record: RunRecord
    answer: str
    contexts: Sequence[str | None]


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """What a judge can be asked where rules cannot tell.

    Attributes:
        kind: ``statements``: does the answer make it; ``rules``: does the answer keep it.
        text: the statement or the rule, in the user's words.
        rule: which rule a violation breaks.
        ruling: what a violation means for the case.
        note: what a violation is, in words of ours.
    """

    kind: Literal["statements", "rules"]
    text: str
    rule: str
    ruling: Literal["fail", "warn"]
    note: str


@dataclass(frozen=True, slots=True)
class SafetyFinding:
    """One thing that a check found.

    Attributes:
        check: which check, as in the settings (``personal_data``, ``secrets``, ``output``, ``rules``, ...).
        rule: which of its rules, such as ``EMAIL`` or ``MD_IMAGE_EXTERNAL``; never holds a found value.
        ruling: what it means for the case.
        note: why, in words of ours; never holds a found value.
        start: offset in the answer (code points), None where it is about the answer as a whole.
        end: offset after the last character.
        value: what was found, only for masking: it is never written anywhere.
        asks: what a judge can be asked about it; None for what none can tell.
        judged: what a judge said of it, as it is written; None where none was asked.
    """

    check: str
    rule: str
    ruling: Ruling
    note: str
    start: int | None = None
    end: int | None = None
    value: str | None = None
    asks: OpenPoint | None = None
    judged: Mapping[str, str] | None = None


Check = Callable[[SafetyCase], Iterable[SafetyFinding]]
