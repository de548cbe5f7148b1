r"""Whether a regular expression that a user brings is cheap enough to run on hostile text.

Python's engine tries every way in which repeats can share the text among them. A repeat whose next
character cannot belong to it (``\s+refund``) has one way; any other (``.*refund``) has many, and
the ways of several repeats multiply. That product is the pattern's cost; it is bounded at load.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import replace

from rag_gate.late import Late
from rag_gate.records.pattern_cost import FLAGS, cost
from rag_gate.records.pattern_parts import Part

MAX_PATTERN = 300
MAX_COST = 2_000
#: A user's pattern is run on so many characters of a text: some seconds for the dearest
#: pattern on the worst text, under a millisecond for usual ones.
SEARCH_LIMIT = 20_000
_TOKEN = Late(
    r"(?P<set>\[\^?\]?(?:\\.|[^\\\]])*\])"
    r"|(?P<open>\((?:\?(?::|<?[=!]|P<[A-Za-z_][0-9A-Za-z_]*>)|(?!\?)))"
    r"|(?P<close>\))"
    r"|(?P<repeat>(?:[*+?]|\{(?:[0-9]+(?:,[0-9]*)?|,[0-9]*)\})[?+]?)"
    r"|(?P<or>\|)"
    r"|(?P<edge>[\^$]|\\[bBAZ])"
    r"|(?P<atom>\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[^0-9xuUN])|[^\\()\[])",
    re.DOTALL,
)


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a user's regular expression after checking that it is safe to run.

    Allowed are literals, classes, groups, alternatives, look-arounds and repeats. A repeated group
    may hold neither a repeat nor an alternative; the cost (see the module) may be 2,000 at most.
    One open-ended ``.*`` costs 500.

    Raises:
        ValueError: saying what is not allowed and what to write instead.
    """
    try:
        compiled = re.compile(pattern, FLAGS)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"not a valid regular expression ({error})") from None
    refuse_slow(pattern)
    return compiled


def refuse_slow(pattern: str) -> None:
    """Refuse a valid regular expression that could take long on some text.

    Raises:
        ValueError: as ``compile_pattern``.
    """
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"the pattern has {len(pattern)} characters; at most {MAX_PATTERN} are allowed")
    parts = list(_parts(pattern))
    _refuse_nested(parts)
    if cost(parts, pattern) > MAX_COST:
        raise ValueError(
            "the pattern can be matched in too many ways; use fewer or bounded repeats, and name the "
            "characters, such as [^)]+ or .{0,20} instead of .*"
        )


def _parts(pattern: str) -> Iterator[Part]:
    """Yield the parts, each with the repeat that follows it."""
    last: Part | None = None
    position = 0
    while position < len(pattern):
        token = _TOKEN.match(pattern, position)
        if token is None:
            raise ValueError(
                f"'{pattern[position : position + 6]}' is not allowed; back-references, conditions and "
                "inline flags are left out because they can be slow (letter case is ignored anyway)"
            )
        position = token.end()
        if token.lastgroup == "repeat" and last is not None:
            last = _repeated(last, token.group())
            continue
        if last is not None:
            yield last
        last = Part(token.lastgroup or "", token.group())
    if last is not None:
        yield last


def _repeated(part: Part, repeat: str) -> Part:
    possessive = len(repeat) > 1 and repeat.endswith("+")
    bare = repeat[:-1] if len(repeat) > 1 and repeat[-1] in "?+" else repeat
    if bare in ("*", "+", "?"):
        least, most = {"*": (0, math.inf), "+": (1, math.inf), "?": (0, 1)}[bare]
        return replace(part, least=int(least), most=most, possessive=possessive)
    low, comma, high = bare.strip("{}").partition(",")
    least = int(low or 0)
    most = least if not comma else (int(high) if high else math.inf)
    return replace(part, least=least, most=most, possessive=possessive)


def _refuse_nested(parts: list[Part]) -> None:
    holds: list[bool] = [False]
    for part in parts:
        if part.kind == "open":
            holds.append(False)
        elif part.kind == "close":
            inner = holds.pop()
            if inner and part.most > 1:
                raise ValueError(
                    "a repeated group may hold neither a repeat nor an alternative; write it out"
                )
            holds[-1] = holds[-1] or inner or part.varies
        else:
            holds[-1] = holds[-1] or part.kind == "or" or part.varies
