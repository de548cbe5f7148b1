"""What an answer must not say."""

from typing import Literal

from pydantic import Field, model_validator

from rag_gate.records.base import OwnRecord
from rag_gate.records.pattern import compile_pattern
from rag_gate.text import normalise

MAX_TEXT = 500


class NegativeAssertion(OwnRecord):
    """A statement that the answer must not make; a plain string is ``{text: <string>}``.

    Attributes:
        text: the statement's words. Exactly one of ``text`` and ``regex`` is given.
        regex: a regular expression (checked for safety, letter case ignored).
        mode: ``phrase`` compares after normalising width, case, spaces, dashes and apostrophes, and
            as whole words at Latin edges; ``exact`` compares the characters as written, also inside
            words; ``regex`` goes with ``regex`` and is implied by it.
        negation: ``aware`` lets the answer mention or deny the statement; ``ignore`` forbids the
            words themselves (names, discount codes).
        judge: what goes to a model judge: ``auto`` = what the words leave open, ``always`` = also an answer
            without the words (it may say the same in others), ``never``. Where no judge looks, what is
            for it stays undecided.
        severity: what a violation does to the case.
    """

    text: str | None = Field(default=None, max_length=MAX_TEXT)
    regex: str | None = None
    mode: Literal["phrase", "exact", "regex"] = "phrase"
    negation: Literal["aware", "ignore"] = "aware"
    judge: Literal["auto", "never", "always"] = "auto"
    severity: Literal["fail", "warn"] = "fail"

    @property
    def wording(self) -> str:
        """The text or the pattern, whichever is given."""
        return self.text if self.text is not None else self.regex or ""

    def identity(self) -> str:
        """Return what the fingerprint of a case covers."""
        return self.model_dump_json(exclude={"judge"} if self.judge == "auto" else None)

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: object) -> object:
        if isinstance(value, str):
            return {"text": value}
        if isinstance(value, dict) and value.get("regex") is not None:
            return {"mode": "regex"} | value
        return value

    @model_validator(mode="after")
    def _consistent(self) -> "NegativeAssertion":
        if (self.text is None) == (self.regex is None):
            raise ValueError("give exactly one of text and regex")
        if (self.regex is None) == (self.mode == "regex"):
            raise ValueError("mode regex goes with regex, the other modes with text")
        if self.regex is not None:
            pattern = compile_pattern(self.regex)
            if pattern.search(""):
                raise ValueError("the pattern matches the empty text, so it would be found everywhere")
        elif not normalise(self.wording).strip("\u200b\u200c\u200d\ufeff"):
            raise ValueError("the text is empty; name what the answer must not say")
        return self
