"""Under which conditions a run was made: what the bot says, what the user says, and what is known here."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from rag_gate import __version__
from rag_gate.errors import ConfigError
from rag_gate.files import canonical_json
from rag_gate.record.identity import CodeState
from rag_gate.record.secrets import Secrets
from rag_gate.records.problems import validation_problems
from rag_gate.records.run import RunManifest

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")
#: Facts that nobody else can state.
_OURS = frozenset(
    {"schema_version", "target_config", "rag_gate_version", "frozen_retrieval", "frozen_answers"}
)
#: What describes how results were found, and how answers were made.
OF_RETRIEVAL = ("index_embedding_model", "query_embedding_model", "corpus_id", "chunking_id", "k")
OF_ANSWERS = ("model", "prompt_version")
_WHOLE_NUMBERS = frozenset({"k", "seed"})


def parse_meta(given: Iterable[str]) -> dict[str, Any]:
    """Read ``key=value`` texts.

    Raises:
        ConfigError: if one is none.
    """
    found: dict[str, Any] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or not _KEY.fullmatch(key) or not value:
            raise ConfigError(
                f"--meta: must be KEY=VALUE such as model=gpt-4o-2024-11-20, found '{text[:60]}'"
            )
        number = key in _WHOLE_NUMBERS and value.removeprefix("-").isdecimal()
        found[key] = int(value) if number else value
    return found


def build_manifest(
    stated: Iterable[tuple[str, Mapping[str, Any]]],
    own: Mapping[str, Any],
    code: CodeState,
    secrets: Secrets,
) -> RunManifest:
    """Join what is known; what comes later wins.

    Args:
        stated: (who says it, what) of the bot and the user.
        own: facts of this recording.
        code: commit and work tree; a commit that is stated wins.
        secrets: what must not stand in it.

    Raises:
        ConfigError: if a fact cannot be one.
    """
    facts: dict[str, Any] = {"commit": code.commit}
    said_commit = False
    for who, table in stated:
        reserved = sorted(_OURS & table.keys() - {"schema_version"})
        if reserved:
            raise ConfigError(f"{who}: {reserved[0]} is stated by rag-gate itself; remove it")
        said_commit |= table.get("commit") is not None
        facts |= {key: value for key, value in table.items() if key != "schema_version" and value is not None}
    dirty = None if said_commit and facts["commit"] != code.commit else code.dirty
    facts = {**facts, "dirty": dirty, "rag_gate_version": __version__, **own}
    _refuse_secrets(facts, secrets)
    try:
        canonical_json(facts)
        return RunManifest.model_validate(facts)
    except ValidationError as error:
        raise ConfigError.of(validation_problems(error, "manifest")) from None
    except (TypeError, ValueError) as error:
        raise ConfigError(f"manifest: holds what is no JSON value ({secrets.quote(str(error))})") from None


def _refuse_secrets(facts: Mapping[str, Any], secrets: Secrets) -> None:
    for key, value in facts.items():
        name = secrets.found_in({key: value})
        if name is not None:
            raise ConfigError(f"manifest: a fact holds the value of {name}, a credential; remove it")
