"""Escaping of untrusted text (questions, answers, documents, ids) for what GitHub renders or runs.

GitHub looks for mentions, references, commit ids and emoji in the *rendered* text, so a backslash
or an entity does not stop them: an invisible break (U+200B) inside the token does.
"""

import re

from rag_gate.report.visible import shorten, visible

BREAK = "\u200b"
DEFAULT_LIMIT = 120

# A character that starts markdown or HTML anywhere -> what is written in its place. The entities
# also hold where markdown is not read, as inside <summary>, and keep `|` and `$` out of the source.
_ESCAPES = {char: f"\\{char}" for char in "\\`*_~[]()#!"} | {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "|": "&#124;",
    "$": "&#36;",
}
_ESCAPE = str.maketrans(_ESCAPES)
# Where the break goes: after each of these.
_REFERENCES = re.compile(
    r"@(?=\S)"  # mentions, e-mail addresses, owner/repo@sha
    r"|#(?=[0-9])"  # issues, owner/repo#1
    r"|(?<![0-9A-Za-z])gh-(?=[0-9])"
    r"|:(?=//)"  # any scheme
    r"|(?<![0-9A-Za-z])(?:mailto|xmpp):(?=\S)"
    r"|(?<![0-9A-Za-z])www(?=\.)"
    r"|:(?=[a-z0-9_+-]{1,60}:)",  # emoji
    re.IGNORECASE,
)
_COMMIT = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{7,64}(?![0-9A-Za-z])", re.IGNORECASE)
_SHORTEST_COMMIT = 7
_FULL_COMMIT = 40
# Lists, a heading underline or a rule, recognised at the start of a line only.
_LINE_START = re.compile(r"^(?:(?=[-+=])|([0-9]{1,9})(?=\.))")
_BACKTICKS = re.compile(r"`+")
_COMMAND_START = re.compile(r"^\s*:(?=:)")
_COMMAND_ANYWHERE = re.compile(r"##(?=[a-z]{0,20}\[)", re.IGNORECASE)


def inline(text: str, limit: int = DEFAULT_LIMIT) -> str:
    """Return markdown that shows ``text`` as plain text, in a paragraph or in a table cell.

    The result is one line and holds no markup, HTML, image, link, mention, issue or commit
    reference, emoji shortcode or formula, whatever the text holds. What a reader sees is
    ``visible(text)``, cut to ``limit`` code points (with an ellipsis), plus invisible breaks.
    A commit id of decimal digits only is broken at full length (40) only, so that order numbers
    stay searchable. Repository-specific autolinks (as JIRA-1) are not known and stay.

    Raises:
        ValueError: if ``limit`` is below 1.
    """
    shown = shorten(visible(text), limit)
    broken = _COMMIT.sub(_break_commit, _REFERENCES.sub(rf"\g<0>{BREAK}", shown))
    return _LINE_START.sub(r"\1\\", broken.translate(_ESCAPE))


def code(text: str, limit: int = DEFAULT_LIMIT, *, table: bool = True) -> str:
    """Return an inline code span that shows ``text`` and cannot be closed from inside.

    The fence is one backtick longer than the longest run inside. References and emoji need no
    break: GitHub leaves code alone.

    Args:
        text: what to show; made visible and cut as in ``inline``. An empty text shows a space.
        limit: most code points shown, at least 1.
        table: whether the span stands in a table cell. Only there is an escaped pipe read as a
            pipe; in a paragraph its backslash would be seen.

    Raises:
        ValueError: if ``limit`` is below 1.
    """
    shown = shorten(visible(text), limit) or " "
    fence = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(shown)), default=0))
    if shown.startswith("`") or shown.endswith("`"):
        shown = f" {shown} "
    if table:
        shown = shown.replace("|", "\\|")
    return f"{fence}{shown}{fence}"


def log_safe(text: str) -> str:
    """Return the text as one line for a terminal or a workflow log.

    Control characters and terminal sequences are removed, line breaks become spaces (a forged
    line cannot start), and workflow commands are broken with a space: ``::error::`` is one at the
    start of a line, ``##[error]`` and ``##vso[...]`` anywhere in it.
    """
    return _COMMAND_ANYWHERE.sub(r"\g<0> ", _COMMAND_START.sub(r"\g<0> ", visible(text)))


def _break_commit(match: re.Match[str]) -> str:
    found = match.group()
    if len(found) < _FULL_COMMIT and found.isdecimal():
        return found
    half = _SHORTEST_COMMIT - 1
    return BREAK.join(found[start : start + half] for start in range(0, len(found), half))
