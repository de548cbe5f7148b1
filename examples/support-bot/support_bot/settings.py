"""The bot's knobs, read from a YAML file."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from support_bot.words import PAIRS

CHUNKING_MODES = ("paragraphs", "characters")
STYLES = ("extractive", "polite", "terse")


@dataclass(frozen=True)
class Chunking:
    """How documents are cut.

    Attributes:
        mode: ``paragraphs`` keeps paragraphs whole; ``characters`` cuts fixed windows.
        size: characters in a chunk, from 1.
        overlap: characters that a window shares with the one before, below ``size``.
    """

    mode: str
    size: int
    overlap: int

    @property
    def name(self) -> str:
        """The chunking's identity in the manifest, such as ``paragraphs-400-0``."""
        return f"{self.mode}-{self.size}-{self.overlap}"


@dataclass(frozen=True)
class AnswerSettings:
    """How an answer is written.

    Attributes:
        style: ``extractive``, ``polite`` or ``terse``.
        min_overlap: the bot says it does not know below this share (0 to 1) of the question's weight.
        sentences: the most sentences quoted, from 1.
    """

    style: str
    min_overlap: float
    sentences: int


@dataclass(frozen=True)
class BotSettings:
    """All knobs of the bot.

    Attributes:
        chunking: how documents are cut.
        k: the number of chunks retrieved, from 1.
        answer: how an answer is written.
        query_size: characters in the Japanese terms of a question, from 2; those of the index have 2.
    """

    chunking: Chunking
    k: int
    answer: AnswerSettings
    query_size: int = PAIRS


def read_settings(path: Path) -> BotSettings:
    """Read and check a bot file.

    Raises:
        ValueError: if a knob is absent, unknown or out of range.
    """
    raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    top = _section(raw, {"chunking", "k", "answer"}, str(path), optional={"query_size"})
    chunking = _section(top["chunking"], {"mode", "size", "overlap"}, f"{path}: chunking")
    answer = _section(top["answer"], {"style", "min_overlap", "sentences"}, f"{path}: answer")
    settings = BotSettings(
        chunking=Chunking(str(chunking["mode"]), int(chunking["size"]), int(chunking["overlap"])),
        k=int(top["k"]),
        answer=AnswerSettings(str(answer["style"]), float(answer["min_overlap"]), int(answer["sentences"])),
        query_size=int(top.get("query_size", PAIRS)),
    )
    _check(settings, path)
    return settings


def _section(value: object, keys: set[str], where: str, optional: Collection[str] = ()) -> dict[str, Any]:
    if not isinstance(value, dict) or set(value) - set(optional) != keys:
        raise ValueError(f"{where}: must have exactly the keys {', '.join(sorted(keys))}")
    return value


def _check(settings: BotSettings, path: Path) -> None:
    chunking, answer = settings.chunking, settings.answer
    if chunking.mode not in CHUNKING_MODES:
        raise ValueError(f"{path}: chunking.mode is {chunking.mode}; use one of {', '.join(CHUNKING_MODES)}")
    if not 0 <= chunking.overlap < chunking.size:
        raise ValueError(f"{path}: chunking.overlap must be from 0 and below chunking.size")
    if answer.style not in STYLES:
        raise ValueError(f"{path}: answer.style is {answer.style}; use one of {', '.join(STYLES)}")
    if not 0 <= answer.min_overlap <= 1:
        raise ValueError(f"{path}: answer.min_overlap must be from 0 to 1")
    if settings.query_size < PAIRS:
        raise ValueError(f"{path}: query_size must be at least {PAIRS}")
    if settings.k < 1 or answer.sentences < 1:
        raise ValueError(f"{path}: k and answer.sentences must be at least 1")
