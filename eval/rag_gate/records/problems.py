"""Turn pydantic's validation errors into lines for people: file, key, what is wrong, what was found."""

from pydantic import ValidationError


def validation_problems(error: ValidationError, where: str) -> list[str]:
    """Return one line per validation problem: file, key, message, what was found."""
    lines = []
    for item in error.errors(include_url=False, include_context=False):
        key = ".".join(str(part) for part in item["loc"]) or "file"
        message = item["msg"].removeprefix("Value error, ")
        if item["type"] == "extra_forbidden":
            lines.append(f"{where}: {key}: unknown key; remove it or check its spelling")
            continue
        found = item.get("input")
        shown = f" (found {found!r})" if isinstance(found, str | int | float | bool | None) else ""
        lines.append(f"{where}: {key}: {message}{shown}"[:400])
    return lines
