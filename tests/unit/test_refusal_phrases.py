"""A phrase is looked for only where one of its words stands: no phrase may be without such a word."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_gate.wording import refusal_phrases
from rag_gate.wording.refusal_phrases import Phrases

PHRASES = {name: found for name, found in vars(refusal_phrases).items() if isinstance(found, Phrases)}


@pytest.mark.parametrize("name", PHRASES)
@settings(max_examples=200, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_phrase_holds_one_of_the_words_that_it_is_looked_for_by(name: str, data: st.DataObject) -> None:
    phrases = PHRASES[name]
    text = data.draw(st.from_regex(phrases.late.pattern))
    found = phrases.late.search(text)
    assert found is not None
    assert any(need in found[0] for need in phrases.needs)
    again = phrases.search(text)
    assert again is not None
    assert again.span() == found.span()


def test_there_are_phrases_of_four_kinds() -> None:
    assert set(PHRASES) == {"ENGLISH_ABSTENTION", "JAPANESE_ABSTENTION", "HAND_OFF", "COMPLIANCE"}
