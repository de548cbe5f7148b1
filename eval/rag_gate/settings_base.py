"""What all settings share: unknown keys are refused, values never change."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

PositiveInt = Annotated[int, Field(ge=1, strict=True)]


class Settings(BaseModel):
    """Base of all settings: unknown keys are refused, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)
