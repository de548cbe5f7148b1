"""Turn pydantic's validation errors into lines for people: file, key, what is wrong, what was found."""

from pydantic import ValidationError

from rag_gate.text import quoted

_WITHOUT_VALUE = {
    "extra_forbidden": "unknown key; remove it or check its spelling",
    "missing": "is missing; add it",
}
#: Settings in which people put a key or an address by mistake or on purpose: what was found is not shown.
_SECRET = ("api_key_env", "url")
#: In place of the library's words, where these speak of Python.
_PLAIN = {
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "dict_type": "must be a table of keys",
    "model_type": "must be a table of keys",
    "dataclass_type": "must be a table of keys",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
}


def validation_problems(error: ValidationError, where: str) -> list[str]:
    """Return one line per validation problem: file, key, message, what was found."""
    lines = []
    for item in error.errors(include_url=False, include_context=False):
        key = "".join(f": {part}" if n == 0 else f".{part}" for n, part in enumerate(item["loc"]))
        if item["type"] in _WITHOUT_VALUE:
            lines.append(f"{where}{key}: {_WITHOUT_VALUE[item['type']]}")
            continue
        message = _PLAIN.get(item["type"]) or item["msg"].removeprefix("Value error, ")
        found = item.get("input")
        secret = bool(item["loc"]) and (str(item["loc"][-1]).endswith(_SECRET) or "headers" in item["loc"])
        known = isinstance(found, str | int | float | bool | None) and not secret
        shown = f" (found {quoted(found, 320)})" if known else ""
        lines.append(f"{where}{key}: {message}{shown}")
    return lines
