"""Say where a template of the user's own is wrong: file, line, what was found, what there is."""

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from types import TracebackType

from jinja2 import TemplateNotFound, TemplateSyntaxError

from rag_gate.errors import ConfigError, RagGateError
from rag_gate.report.templates import OwnTemplates


@contextmanager
def explained(own: OwnTemplates) -> Iterator[None]:
    """Turn whatever a template does wrong into an error with its file and line.

    Raises:
        ConfigError: in the place of it.
    """
    try:
        yield
    except RagGateError:
        raise
    except TemplateSyntaxError as error:
        where = f"{error.filename or error.name or own.folder}:{error.lineno}"
        raise ConfigError(f"{where}: {error.message}; correct the template") from None
    except TemplateNotFound as error:
        where = _place(error.__traceback__, own)
        raise ConfigError(f"{where}: there is no template '{error.name}'; correct its name") from None
    except Exception as error:  # noqa: BLE001 - a template can fail in as many ways as a program
        where = _place(error.__traceback__, own)
        raise ConfigError(f"{where}: {_said(error)}; correct the template") from None


def _said(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _place(traceback: TracebackType | None, own: OwnTemplates) -> str:
    """Return the innermost line of a template of the user's own that was at work."""
    files, place = {own.path_of(name) for name in own.sources}, own.folder
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename in files:
            place = f"{traceback.tb_frame.f_code.co_filename}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    return place


def unknown(where: str, what: str, name: str, known: list[str]) -> str:
    """Return that there is no such name, and which ones there are."""
    near = get_close_matches(name, known, n=3)
    there = f"did you mean {', '.join(near)}" if near else f"there are {', '.join(sorted(known))}"
    return f"{where}: unknown {what} '{name}'; {there}"
