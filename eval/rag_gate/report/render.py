"""Write the comment from its view, through sandboxed templates that escape by themselves."""

from collections.abc import Callable
from functools import cache

from jinja2 import Template

from rag_gate.errors import ConfigError
from rag_gate.report.environment import environment_of
from rag_gate.report.fit import smaller_views
from rag_gate.report.model import CommentView
from rag_gate.report.template_errors import explained
from rag_gate.report.templates import OwnTemplates
from rag_gate.report.words import words_of

#: Code points, the marker included. GitHub's limits are higher, whichever way they are counted.
MAX_LENGTH = 60_000
TEMPLATE = "comment.md.j2"


def render_comment(
    view: CommentView, own: OwnTemplates | None = None, finish: Callable[[str], str] = str
) -> str:
    """Return the comment, at most 60,000 code points; the same view gives the same text.

    A view that is too long loses rows first, then folded blocks. Each list says how many of its rows
    were left out. The hidden marker is the first line whatever the template does.

    Args:
        view: what the comment says.
        own: templates of the user's own.
        finish: the last change of a comment that fits, such as masking; what it makes longer is cut likewise.

    Raises:
        ConfigError: with file and line, if a template of the user's own cannot be used.
        ValueError: if not even the verdict fits.
    """
    template = _shipped() if own is None else environment_of(own).get_template(TEMPLATE)
    text = _fitting(_written(template, view, own), finish)
    if text is not None:
        return text
    views = smaller_views(view)
    best, low, high = None, 0, len(views)
    while low < high:
        middle = (low + high) // 2
        text = _fitting(_written(template, views[middle], own), finish)
        if text is not None:
            best, high = text, middle
        else:
            low = middle + 1
    if best is not None:
        return best
    if own is not None:
        raise ConfigError(f"{own.folder}: the comment is longer than {MAX_LENGTH} characters without any row")
    raise ValueError(f"the verdict alone is longer than {MAX_LENGTH} characters")


def _fitting(text: str, finish: Callable[[str], str]) -> str | None:
    """Return the finished text; None if it is too long before or after."""
    if len(text) > MAX_LENGTH:
        return None
    finished = finish(text)
    return finished if len(finished) <= MAX_LENGTH else None


def _written(template: Template, view: CommentView, own: OwnTemplates | None) -> str:
    if own is None:
        text = template.render(view=view, t=words_of(view.language))
    else:
        with explained(own):
            text = template.render(view=view, t=words_of(view.language))
    return f"{view.marker}\n{text}"


@cache
def _shipped() -> Template:
    return environment_of(None).get_template(TEMPLATE)
