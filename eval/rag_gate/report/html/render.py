"""Put the page together: HTML that escapes by itself, one style, one script, the data as inert JSON."""

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from rag_gate.report.html.charts import HEIGHT, TREND_HEIGHT, TREND_WIDTH, WIDTH
from rag_gate.report.html.overview import Overview
from rag_gate.report.html.words import PageWords
from rag_gate.resources import shipped

_FOLDER = "templates/html"
#: The script's parts in the order in which they are put together.
_SCRIPTS = ("dom.js", "state.js", "rows.js", "table.js", "case_parts.js", "case.js", "main.js")
#: What could end a script block, or be read as markup by anything that reads the page as text.
_INERT = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


@dataclass(frozen=True, slots=True)
class PageData:
    """The data that the script reads: the columns of the table, and what case pages show.

    Attributes:
        index: columns, see ``index_data``; None where there are no cases.
        details: ``cases`` in the order of the index, and ``chunks``, the texts that they point to.
    """

    index: Mapping[str, Any] | None
    details: Mapping[str, Any]


def render_page(overview: Overview, data: PageData, words: PageWords, lacking: tuple[str, ...]) -> str:
    """Return the page: one document that loads nothing.

    Args:
        overview: the first screen.
        data: the cases.
        words: of the reader's language.
        lacking: keys of words that say what is not shown.
    """
    style, script = _style(), _script()
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            o=overview,
            w=words,
            index=data.index,
            lacking=lacking,
            style=Markup(style),  # noqa: S704 - a shipped file
            script=Markup(script),  # noqa: S704 - shipped files
            policy=_policy(style, script),
            blocks=[
                ("words", _inert(words.for_script())),
                ("index", _inert(data.index)),
                ("details", _inert(data.details)),
            ],
            sizes={"w": WIDTH, "h": HEIGHT, "tw": TREND_WIDTH, "th": TREND_HEIGHT},
        )
    )


def _policy(style: str, script: str) -> str:
    """Return the page's content security policy: its own style and script, and nothing else from anywhere."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _inert(value: object) -> Markup:
    """Return JSON that cannot end its block and holds no markup."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.translate(_INERT))  # noqa: S704 - holds no markup any more


@cache
def _style() -> str:
    return (shipped(_FOLDER) / "page.css").read_text(encoding="utf-8")


@cache
def _script() -> str:
    parts = [(shipped(_FOLDER) / "js" / name).read_text(encoding="utf-8") for name in _SCRIPTS]
    return '"use strict";\n(() => {\n' + "\n".join(parts) + "\n})();\n"


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(shipped(_FOLDER)),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
