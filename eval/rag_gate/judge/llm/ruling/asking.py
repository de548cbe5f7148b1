"""From points to a prompt, and from a checked reply to rulings."""

from collections.abc import Iterable, Mapping

from rag_gate.judge.llm.prompt_files import prompt_file
from rag_gate.judge.llm.prompting import Question, question_about
from rag_gate.judge.llm.quotations import Source
from rag_gate.judge.llm.quoting import quotable
from rag_gate.judge.llm.replies import ModelVerdict, OfRule, OfStatement
from rag_gate.judge.llm.ruling.points import Asked, Point, Ruled, left_open

#: A quotation of fewer letters and digits shows nothing, nor does one of nearly everything.
_SHORTEST, _LONGEST = 2, 600
_VIOLATES = frozenset({"made", "broken"})


def ruling_question(asked: Asked, version: str) -> Question:
    """Return the prompt about an answer; points of a kind are numbered from 1."""
    data: dict[str, object] = {"question": asked.material.question, "answer": asked.material.answer}
    for part in asked.parts:
        data[part] = {str(number): point.text for number, point in _numbered(asked.points, part)}
    file = prompt_file("ruling", asked.material.language, version)
    return question_about(file, asked.parts, data, asked.material)


def rulings_of(asked: Asked, verdict: ModelVerdict) -> list[Ruled]:
    """Return the ruling on each point; one that nothing shows stays open.

    A ruling needs a passage of the answer, word for word, and where words of the answer raised the question, these
    words or what stands around them. An answer that speaks to the judge is never cleared: a part of it was not shown.
    """
    source = Source(asked.material.answer)
    by_kind = {"statements": _by_number(verdict.statements or ()), "rules": _by_number(verdict.rules or ())}
    numbers = {"statements": 0, "rules": 0}
    found = []
    for point in asked.points:
        numbers[point.kind] += 1
        said = by_kind[point.kind].get(numbers[point.kind])
        found.append(_ruled(asked, point, said, source))
    return found


def _ruled(asked: Asked, point: Point, said: OfStatement | OfRule | None, source: Source) -> Ruled:
    if said is None:
        return left_open("judge_bad_reply", "the judge's reply does not hold it")
    if said.verdict == "unclear":
        return left_open("judge_unsure", "the judge cannot tell either")
    problem = _not_shown(point, said.evidence, source)
    if problem is not None:
        return left_open("judge_no_evidence", problem)
    violates = said.verdict in _VIOLATES
    if not violates and (asked.material.removed or asked.material.withheld):
        return left_open("judge_injection", "the answer speaks to the judge, so it is not cleared")
    return Ruled(violates, said.evidence)


def _not_shown(point: Point, evidence: str, source: Source) -> str | None:
    """Return why a quotation shows nothing, None if it does."""
    if sum(map(str.isalnum, evidence)) < _SHORTEST or len(evidence) > _LONGEST:
        return "the judge quotes nothing that shows it"
    place = source.find(evidence)
    if place is None:
        return "what the judge quotes does not stand in the answer"
    if point.words is not None and quotable(point.words) not in quotable(place.around):
        return "what the judge quotes is another passage of the answer"
    return None


def _numbered(points: Iterable[Point], kind: str) -> Iterable[tuple[int, Point]]:
    return enumerate((point for point in points if point.kind == kind), start=1)


def _by_number(said: Iterable[OfStatement | OfRule]) -> Mapping[int, OfStatement | OfRule]:
    """Return the verdicts by number; of a number that is given twice none counts."""
    found: dict[int, OfStatement | OfRule] = {}
    twice: set[int] = set()
    for one in said:
        twice |= {one.number} & found.keys()
        found[one.number] = one
    return {number: one for number, one in found.items() if number not in twice}
