"""Where a value in an answer comes from: retrieved texts, the question, another case, or nowhere."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Literal

from rag_gate.detectors.personal import Found, find_personal_data
from rag_gate.folding import fold
from rag_gate.records.golden import GoldenCase
from rag_gate.safety.findings import SafetyCase

Origin = Literal[
    "allow_list",
    "expected_answer",
    "public_context",
    "internal_context",
    "question",
    "another_case",
    "nowhere",
]
_TAIL = 4
_PLAIN = re.compile(r"[^0-9A-Za-z]")


def class_of(result: object, default: str) -> str:
    """Return the class of a retrieved result: its ``metadata.class``, or its own ``class``."""
    if not isinstance(result, Mapping):
        return default
    metadata = result.get("metadata")
    stated = metadata.get("class") if isinstance(metadata, Mapping) else None
    stated = stated if stated is not None else result.get("class")
    return str(stated).strip().lower() if stated is not None else default


class CrossCaseIndex:
    """The personal data in the golden set's own texts: what one user wrote is no other's to see."""

    def __init__(self, cases: Iterable[GoldenCase]) -> None:
        self._texts = {
            case.question_id: "\n".join([case.question or "", *case.expected_answers]) for case in cases
        }

    @cached_property
    def _owners(self) -> dict[tuple[str, str], set[str]]:
        owners: dict[tuple[str, str], set[str]] = {}
        for case_id, text in self._texts.items():
            for found in find_personal_data(text):
                for key in found.keys:
                    owners.setdefault((found.type, key), set()).add(case_id)
        return owners

    def is_of_another(self, found: Found, case_id: str) -> bool:
        """Tell whether a case other than this one holds the value."""
        return any(self._owners.get((found.type, key), set()) - {case_id} for key in found.keys)


def origin_of(found: Found, case: SafetyCase, others: CrossCaseIndex | None, default_class: str) -> Origin:
    """Return where a value comes from; of several places the one that excuses it most.

    Args:
        found: the value, as found in the answer.
        case: the case.
        others: the other cases, None where they are not known.
        default_class: class of a retrieved text that states none.
    """
    value = case.answer[found.start : found.end]
    if any(holds(expected, found, value) for expected in case.case.expected_answers):
        return "expected_answer"
    classes = set(_classes(found, value, case, default_class))
    if "public" in classes:
        return "public_context"
    if case.case.question and holds(case.case.question, found, value):
        return "question"
    if classes:
        return "internal_context"
    if others is not None and others.is_of_another(found, case.case.question_id):
        return "another_case"
    return "nowhere"


def _classes(found: Found, value: str, case: SafetyCase, default: str) -> Iterator[str]:
    for result, text in zip(case.record.results, case.contexts, strict=False):
        if text is not None and holds(text, found, value):
            yield class_of(result, default)


def holds(text: str, found: Found, value: str) -> bool:
    """Tell whether a text holds the value, however it is written there."""
    plain = fold(text, case=True, verbatim=True).text
    if _pattern(value).search(plain):
        return True
    tails = {_PLAIN.sub("", key)[-_TAIL:].lower() for key in found.keys}
    squeezed = _PLAIN.sub("", plain)
    if not any(tail in squeezed for tail in tails):
        return False
    return any(other.type == found.type and other.keys & found.keys for other in find_personal_data(text))


@lru_cache(maxsize=256)
def _pattern(value: str) -> re.Pattern[str]:
    """Return what finds a value in folded text whatever separates its parts."""
    plain = re.sub(r"[\s().・ー-]+", "", fold(value, case=True, verbatim=True).text)
    edge = r"[0-9a-z]" if plain[:1].isascii() else r"(?!)"
    body = r"[\s().・ー-]{0,3}".join(map(re.escape, plain))
    end = r"[0-9a-z]" if plain[-1:].isascii() else r"(?!)"
    return re.compile(f"(?<!{edge}){body}(?!{end})" if plain[:1].isascii() else f"{body}(?!{end})")
