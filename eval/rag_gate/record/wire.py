"""Read what a bot sent."""

from typing import Any

from rag_gate.errors import InputError
from rag_gate.files import parse_json
from rag_gate.record.secrets import Secrets
from rag_gate.record.targets import TargetError

_BOM = b"\xef\xbb\xbf"


def parse_reply(data: bytes, where: str, secrets: Secrets) -> Any:  # noqa: ANN401 - any JSON value
    """Parse a reply; a byte order mark before it is passed over.

    Args:
        data: as it came.
        where: what it is called in messages.
        secrets: what no message may show.

    Raises:
        TargetError: if it is no JSON document.
    """
    document = data.removeprefix(_BOM).strip()
    if not document:
        raise TargetError(f"{where} is empty")
    try:
        return parse_json(document, where)
    except InputError as error:
        problem = error.problems[0].partition("; ")[0]  # what follows is about files
        raise TargetError(secrets.quote(problem)) from None
