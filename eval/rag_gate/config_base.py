"""What all settings share: unknown keys are refused, and a few kinds of values."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


def _not_a_flag(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("must be a number")
    return value


#: Stands last in the annotation of a number: pydantic would read true as 1.
NoFlag = BeforeValidator(_not_a_flag)
#: Without "yes", "on" as text, and 1, which pydantic would read as true.
Flag = Annotated[bool, Field(strict=True)]
PositiveInt = Annotated[int, Field(ge=1, strict=True)]
CutOff = Annotated[int, Field(ge=1, le=99_999, strict=True)]
Share = Annotated[float, Field(ge=0, le=1), NoFlag]
CaseId = Annotated[str, Field(min_length=1, coerce_numbers_to_str=True)]


class Settings(BaseModel):
    """Base of all settings: unknown keys are refused, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, hide_input_in_errors=True)
