"""The settings of output handling."""

from typing import Annotated

from pydantic import AfterValidator

from rag_gate.config_base import Settings
from rag_gate.late import Late

_HOST = Late(r"(?!-)[^\s/\\@:?#*.]{1,63}(?:\.[^\s/\\@:?#*.]{1,63}){0,8}\Z")
_SHARED = Late(r"(?:co|com|or|org|ne|net|ac|edu|go|gov|ltd|plc|me)\.[a-z]{2}\Z")


def _host(value: str) -> str:
    name = value.strip().casefold().removeprefix("*.").rstrip(".")
    if not _HOST.match(name):
        raise ValueError("must be a host such as example.com, without scheme, port or path")
    if ("." not in name and name != "localhost") or _SHARED.match(name):
        raise ValueError("would allow the hosts of everybody below it; name your own host")
    return name if name.isascii() else name.encode("idna").decode("ascii")


Host = Annotated[str, AfterValidator(_host)]


class OutputConfig(Settings):
    """What an answer may do to the program that shows it.

    Attributes:
        allow_hosts: hosts that links and images may lead to; ``example.com`` allows every host below it
            too. An empty list allows none. Null = nobody has said: links may lead anywhere, and an
            external image is a warning.
    """

    allow_hosts: tuple[Host, ...] | None = None
