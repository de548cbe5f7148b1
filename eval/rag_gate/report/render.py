"""Write the comment from its view, through sandboxed templates that escape by themselves."""

from functools import cache

from jinja2 import FileSystemLoader, StrictUndefined, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from rag_gate.report.escape import code, inline
from rag_gate.report.fit import smaller_views
from rag_gate.report.markdown import Markdown
from rag_gate.report.model import CommentView
from rag_gate.resources import shipped

#: Code points, the marker included. GitHub's limits are higher, whichever way they are counted.
MAX_LENGTH = 60_000


def render_comment(view: CommentView) -> str:
    """Return the comment, at most 60,000 code points; the same view gives the same text.

    A view that is too long loses rows first, then folded blocks. Each list says how many of its rows
    were left out.

    Raises:
        ValueError: if not even the verdict fits.
    """
    template = _environment().get_template("comment.md.j2")
    text = template.render(view=view)
    if len(text) <= MAX_LENGTH:
        return text
    views = smaller_views(view)
    fitting, low, high = None, 0, len(views)
    while low < high:
        middle = (low + high) // 2
        text = template.render(view=views[middle])
        if len(text) <= MAX_LENGTH:
            fitting, high = text, middle
        else:
            low = middle + 1
    if fitting is None:
        raise ValueError(f"the verdict alone is longer than {MAX_LENGTH} characters")
    return fitting


@cache
def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(shipped("templates")),
        undefined=StrictUndefined,
        # Markdown is not HTML: `_finished` escapes whatever is not marked as finished.
        autoescape=False,
        finalize=_finished,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["inline"] = _inline
    environment.filters["code"] = _code
    environment.filters["plain_code"] = _plain_code
    return environment


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
    return Markdown(inline(text, limit))


def _code(text: str, limit: int = 60) -> Markdown:
    """Return a code span for a table cell."""
    return Markdown(code(text, limit))


def _plain_code(text: str, limit: int = 60) -> Markdown:
    """Return a code span for a paragraph or a list."""
    return Markdown(code(text, limit, table=False))
