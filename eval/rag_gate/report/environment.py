"""The templates' environment: sandboxed, strict, and escaping whatever nobody has escaped."""

import shlex
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateNotFound, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from rag_gate.report.escape import code, inline
from rag_gate.report.markdown import Markdown
from rag_gate.report.templates import OwnTemplates
from rag_gate.report.visible import visible
from rag_gate.resources import shipped

#: Under this prefix a template of one's own finds the one that it takes the place of.
PREFIX = "rag_gate/"


def environment_of(own: OwnTemplates | None) -> Environment:
    """Return the environment of the shipped templates, with those of the user's own in front of them."""
    environment = _Environment(
        loader=_Loader(own),
        undefined=StrictUndefined,
        # Markdown is not HTML: `_finished` escapes whatever is not marked as finished.
        autoescape=False,
        finalize=_finished,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    # Megabytes of filler words take minutes, and no comment needs them.
    environment.globals.pop("lipsum")
    environment.filters |= {"inline": _inline, "code": _code, "plain_code": _plain_code, "shell": _shell}
    return environment


def _joined(parts: Iterable[str]) -> Markdown:
    """Join what has been written already: each part was escaped when it was."""
    return Markdown("".join(parts))


class _Environment(ImmutableSandboxedEnvironment):
    """What a block, a macro or ``super()`` wrote is not escaped a second time."""

    concat = staticmethod(_joined)


class _Loader(BaseLoader):
    """Finds a template by name: first the user's own, then ours."""

    def __init__(self, own: OwnTemplates | None) -> None:
        self._own = own

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """Return a template's source and the file that an error names."""
        del environment
        if self._own is not None and template in self._own.sources:
            return self._own.sources[template], self._own.path_of(template), lambda: True
        name = template.removeprefix(PREFIX)
        if name not in names():
            raise TemplateNotFound(template)
        return source_of(name)


def source_of(name: str) -> tuple[str, str, Callable[[], bool]]:
    """Return a shipped template's source and file."""
    path = _folder() / name
    return path.read_text(encoding="utf-8"), str(path), lambda: True


@cache
def names() -> frozenset[str]:
    """Return the names of the shipped templates."""
    folder = _folder()
    return frozenset(path.relative_to(folder).as_posix() for path in folder.rglob("*.md.j2"))


def _folder() -> Path:
    return shipped("templates")


def _finished(value: object) -> str:
    """Escape a text that no filter has escaped; refuse values that have no words of their own."""
    if isinstance(value, Markdown | Undefined):
        return str(value)
    if isinstance(value, str):
        return inline(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise TypeError(f"a template writes {type(value).__name__}; only texts and whole numbers have a form")


def _inline(text: str, limit: int = 120) -> Markdown:
    return text if isinstance(text, Markdown) else Markdown(inline(text, limit))


def _code(text: str, limit: int = 60) -> Markdown:
    """Return a code span for a table cell."""
    return Markdown(code(text, limit))


def _plain_code(text: str, limit: int = 60) -> Markdown:
    """Return a code span for a paragraph or a list."""
    return Markdown(code(text, limit, table=False))


def _shell(text: str) -> Markdown:
    """Return one word of a shell command, for a line of a fenced block."""
    return Markdown(shlex.quote(visible(text)))
