"""What all records share: frozen, finite numbers only, unknown keys refused in our own files."""

from typing import Annotated, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Strict, StringConstraints

SCHEMA_VERSION: Final = 1


class OwnRecord(BaseModel):
    """A record of a file that rag-gate itself writes."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, hide_input_in_errors=True)


class UserRecord(BaseModel):
    """A record that users bring: numbers are taken as text where an id is due, extra keys are kept."""

    model_config = ConfigDict(
        extra="allow",
        frozen=True,
        allow_inf_nan=False,
        populate_by_name=True,
        hide_input_in_errors=True,
    )


def _as_id(value: object) -> object:
    """Take whole numbers as text; other types are left for the validator to refuse."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value


#: An id: non-empty text, compared exactly; whole numbers are taken as text, fractions are refused.
_Text = Annotated[str, Strict(), StringConstraints(min_length=1)]
Id = _Text | Annotated[_Text, BeforeValidator(_as_id)]
