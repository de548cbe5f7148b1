"""Read the shipped prompts: front matter, then sections."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from rag_gate.errors import ConfigError
from rag_gate.files import fingerprint_bytes
from rag_gate.late import Late
from rag_gate.resources import shipped

Language = Literal["en", "ja"]
#: What a model can be asked about a case, in the order in which it is asked.
Part = Literal["claims", "relevance", "correctness", "statements", "rules"]
PromptId = Literal["judge", "faithfulness", "relevance", "correctness", "ruling"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
PARTS: tuple[Part, ...] = ("claims", "relevance", "correctness")
#: What it can be asked about an answer that rules cannot decide on.
RULING_PARTS: tuple[Part, ...] = ("statements", "rules")

_FRONT = Late(r"---\n((?:[a-z]+: [a-z0-9]+\n)+)---\n")
_SECTION = Late(r"^# ([a-z]+)\n(.+?)\s*(?=^# |\Z)", re.MULTILINE | re.DOTALL)
_VERSION = Late(r"v[0-9]{1,4}\Z")


@dataclass(frozen=True, slots=True)
class PromptFile:
    """One prompt.

    Attributes:
        id: which prompt.
        version: such as ``v1``.
        language: of the instructions.
        role: who the model is, and what the data are.
        parts: part -> what to do.
        closing: what stands after the data.
        digest: fingerprint of the whole text.
    """

    id: PromptId
    version: str
    language: Language
    role: str
    parts: dict[Part, str]
    closing: str
    digest: str

    def system(self, asked: tuple[Part, ...]) -> str:
        """Return the instructions for the parts that are asked."""
        return "\n".join([self.role, *(self.parts[part] for part in asked)])


@cache
def prompt_file(name: PromptId, language: Language, version: str) -> PromptFile:
    """Read a shipped prompt.

    Raises:
        ConfigError: if there is no such version.
    """
    path = shipped("prompts") / f"{name}.{language}.{version}.md"
    if not _VERSION.match(version) or not path.is_file():
        have = ", ".join(prompt_versions()) or "none"
        raise ConfigError(f"judge: there are no prompts of version '{version}' (known: {have})")
    return _parse(path.read_text(encoding="utf-8"), (name, language, version))


def prompt_versions() -> list[str]:
    """Return the versions of the shipped prompts."""
    return sorted({path.name.split(".")[2] for path in shipped("prompts").glob("judge.*.v*.md")})


def _parse(text: str, named: tuple[PromptId, Language, str]) -> PromptFile:
    front = _FRONT.match(text)
    fields = dict(line.split(": ") for line in front[1].splitlines()) if front else {}
    if front is None or (fields.get("id"), fields.get("language"), fields.get("version")) != named:
        raise ConfigError(
            f"prompt {'.'.join(named)}: its front matter says something else; reinstall rag-gate"
        )
    sections = dict(_SECTION.findall(text[front.end() :]))
    name, language, version = named
    return PromptFile(
        id=name,
        version=version,
        language=language,
        role=sections["role"],
        parts={part: sections[part] for part in (*PARTS, *RULING_PARTS) if part in sections},
        closing=sections["closing"],
        digest=fingerprint_bytes(text.encode()),
    )
