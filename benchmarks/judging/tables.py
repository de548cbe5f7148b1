"""The measured figures as tables of the documentation."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Rows = Sequence[Mapping[str, Any]]
_BEGIN = "<!-- measured:{name} -->\n"
_END = "<!-- /measured -->"
NAMES = {
    "begin_wow": "BEGIN WoW: English, one sentence of source",
    "begin_cmu": "BEGIN CMU: English, a scene of a film",
    "begin_tc": "BEGIN TopicalChat: English, a paragraph",
    "wice_full": "WiCE: English, claims of Wikipedia, whole pages",
    "wice_oracle": "WiCE: the same, right chunks",
    "expertqa": "ExpertQA: English, answers of models to experts",
    "faithbench": "FaithBench: English summaries on which detectors disagree",
    "jhars": "JHARS: Japanese RAG answers",
    "jafaithsum": "JaFaithSum: Japanese summaries",
    "jnli": "JNLI: Japanese sentence pairs",
    "jsick": "JSICK: Japanese sentence pairs",
    "evouna_nq": "EVOUNA NQ: English, short expected answers",
    "evouna_tq": "EVOUNA TQ: English, short, several accepted",
    "jsts": "JSTS: Japanese, whole sentences in other words",
    "jtruthfulqa": "JTruthfulQA: Japanese, opinion and denial",
    "rel_expertqa": "ExpertQA: other questions, refusals",
    "rel_jhars": "JHARS: other questions, refusals",
    "rel_jaquad": "JaQuAD: other sentences, half of the same text",
}
_KINDS = {
    "number": "a number or date changed",
    "negation": "a negation added or taken away",
    "entity_in_context": "a name exchanged for another one of the same text",
    "para": "nothing, or only the politeness",
}
_LANGUAGES = {"synth_en": "English", "synth_ja": "Japanese"}


def grounding(rows: Rows) -> str:
    """Return the table of areas, with the macro mean as its last line."""
    head = ("Data", "Supported + not", "ROC-AUC", "Family left out", "Balanced accuracy", "Earlier figure")
    lines = [
        (
            _name(row),
            f"{row['right']} + {row['wrong']}",
            _with_error(row, "area"),
            _with_error(row, "left_out"),
            _with_error(row, "balanced"),
            f"{row['earlier']:.3f}" if row["earlier"] is not None else "",
        )
        for row in rows
    ]
    return _table(head, lines)


def decided(rows: Rows) -> str:
    """Return what the two decided verdicts are worth."""
    head = ("Data", "Called supported, and is", "Called unsupported, and is", "Left for review")
    lines = []
    for row in rows:
        if "high" in row:
            left = row["right"] + row["wrong"] - row["high"] - row["low"]
            high, low = f"{row['high_right']} of {row['high']}", f"{row['low_right']} of {row['low']}"
            lines.append((_name(row), high, low, str(left)))
    return _table(head, lines)


def edits(rows: Rows) -> str:
    """Return which edits of copied sentences are seen."""
    head = ("Edit", "Language", "Marked", "Still called supported")
    lines = [
        (
            _KINDS[str(row["kind"])],
            _LANGUAGES[str(row["dataset"])],
            f"{row['marked']} of {row['n']}",
            f"{row['supported']} of {row['n']}",
        )
        for row in rows
    ]
    return _table(head, lines)


def correctness(rows: Rows) -> str:
    """Return what becomes of right and wrong answers."""
    head = (
        *("Data", "Right, accepted", "Wrong, rejected", "Undecided"),
        *("ROC-AUC", "Balanced accuracy", "With a limit of its own"),
    )
    lines = [
        (
            _name(row),
            f"{row['accepted']} of {row['right']}",
            f"{row['rejected']} of {row['wrong']}",
            str(row["undecided"]),
            _with_error(row, "area"),
            _with_error(row, "balanced"),
            _with_error(row, "own_limit"),
        )
        for row in rows
    ]
    return _table(head, lines)


def relevance(rows: Rows) -> str:
    """Return how well question coverage tells an answer from one to another question."""
    head = ("Data", "Own + other answers", "ROC-AUC", "Balanced accuracy from 0.5")
    lines = [
        (
            _name(row),
            f"{row['right']} + {row['wrong']}",
            _with_error(row, "area"),
            _with_error(row, "balanced"),
        )
        for row in rows
    ]
    return _table(head, lines)


TABLES: Mapping[str, tuple[str, Callable[[Rows], str]]] = {
    "grounding": ("grounding", grounding),
    "decided": ("grounding", decided),
    "edits": ("edits", edits),
    "correctness": ("correctness", correctness),
    "relevance": ("relevance", relevance),
}


def filled(page: str, figures: Mapping[str, Any]) -> str:
    """Return the page with the tables between its markers made of the figures.

    Raises:
        ValueError: if the page lacks the marker of a table.
    """
    for name, (key, table) in TABLES.items():
        before, found, after = page.partition(_BEGIN.format(name=name))
        if not found:
            raise ValueError(f"the page has no place for the table {name}")
        page = f"{before}{found}{table(figures[key])}{_END}{after.partition(_END)[2]}"
    return page


def _name(row: Mapping[str, Any]) -> str:
    dataset = str(row["dataset"])
    return NAMES.get(dataset, dataset)


def _with_error(row: Mapping[str, Any], key: str) -> str:
    return f"{row[key]:.3f} ± {row[f'{key}_error']:.3f}"


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rows = [head, ["---"] * len(head), *lines]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)
