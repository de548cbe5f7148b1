"""Read a file that rag-gate itself wrote: known schema version, right kind, one line per problem."""

from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from rag_gate.errors import InputError
from rag_gate.files import parse_json, read_bytes
from rag_gate.records.base import SCHEMA_VERSION
from rag_gate.records.problems import validation_problems

Record = TypeVar("Record", bound=BaseModel)
_KINDS = frozenset({"retrieval", "judge", "safety", "results", "verdict", "baseline", "monitor"})


def read_own(path: Path, model: type[Record], kind: str, command: str) -> Record:
    """Read and check a file of our own.

    Args:
        path: the file.
        model: what it must be.
        kind: its name in messages, such as ``results``.
        command: the command that writes it.

    Raises:
        InputError: naming the file, the key and the command that writes such a file.
    """
    return check_own(parse_json(read_bytes(path), str(path)), str(path), model, kind, command)


def check_own(document: Any, where: str, model: type[Record], kind: str, command: str) -> Record:  # noqa: ANN401
    """Check a parsed document of our own.

    Raises:
        InputError: as ``read_own``.
    """
    if not isinstance(document, dict) or "schema_version" not in document:
        raise InputError(f"{where}: is not a {kind} file; write one with {command}")
    version = document["schema_version"]
    if version != SCHEMA_VERSION or isinstance(version, bool):
        raise InputError(
            f"{where}: schema_version {version!r} is unknown to this rag-gate (it knows {SCHEMA_VERSION}); "
            f"write the file again with {command}"
        )
    found, kinds = document.get("kind"), get_args(model.model_fields["kind"].annotation)
    if isinstance(found, str) and found in _KINDS and found not in kinds:
        raise InputError(
            f"{where}: is a file of kind '{found}', and a {kind} file is needed here; give one of {command}"
        )
    try:
        return model.model_validate(document)
    except ValidationError as error:
        lines = validation_problems(error, where)[:10]
        raise InputError.of(
            [*lines, f"{where}: is not a usable {kind} file; write it again with {command}"]
        ) from None
