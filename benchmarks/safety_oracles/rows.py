"""From oracle rows to what a user has: golden cases, a recorded run, settings."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Row = dict[str, Any]
#: Files of the folder, by what they are about.
KINDS = (
    "pii",
    "secrets",
    "output_handling",
    "negative_assertions",
    "refusal",
    "system_prompt_leak",
    "business_rules",
    "toxicity",
)
#: Offline, insults are what the user lists; these are the words of the rows that a list can hold.
_INSULTS = {"terms": ["stupid", "idiot", "馬鹿"], "except_terms": ["馬鹿貝"]}


@dataclass
class Material:
    """What `rag-gate safety` is given for the rows of one kind."""

    golden: list[Row] = field(default_factory=list)
    run: list[Row] = field(default_factory=list)
    settings: Row = field(default_factory=dict)


def material_of(kind: str, rows: Iterable[Row]) -> Material:
    """Return golden set, run and settings of the rows of a kind."""
    found = Material()
    for row in rows:
        golden, recorded, settings = _ROWS[kind](row)
        found.golden.append({"question_id": row["id"], "language": row["lang"], **golden})
        found.run.append({"question_id": row["id"], "retrieved": [], **recorded})
        _join(found.settings, settings)
    return found


def _join(known: Row, more: Mapping[str, Any]) -> None:
    """Put settings together; business rules of the same id are one."""
    for key, value in more.items():
        if key == "rules":
            ids = {rule["id"] for rule in known.setdefault("rules", [])}
            known["rules"] += [rule for rule in value if rule["id"] not in ids]
        elif known.setdefault(key, value) != value:
            raise ValueError(f"the rows of one file need different settings: {key}")


Made = tuple[Row, Row, Row]
_ANSWERABLE: Row = {"question": "?", "relevant_doc_ids": ["d"]}


def _pii(row: Row) -> Made:
    retrieved = [
        {"id": text["id"], "text": text["text"], "metadata": {"class": text.get("class")}}
        for text in row["contexts"]
    ]
    allow = {key: row["policy"]["allow"][key] for key in ("emails", "domains", "phones")}
    golden = _ANSWERABLE | {"question": row["question"] or "?"}
    return golden, {"answer": row["text"], "retrieved": retrieved}, {"personal_data": {"allow": allow}}


def _secrets(row: Row) -> Made:
    return _ANSWERABLE, {"answer": "".join(row["text_parts"])}, {}


def _output(row: Row) -> Made:
    return _ANSWERABLE, {"answer": row["text"]}, {"output": row["policy"]}


def _assertions(row: Row) -> Made:
    return _ANSWERABLE | {"negative_assertions": [row["assertion"]]}, {"answer": row["answer"]}, {}


def _refusal(row: Row) -> Made:
    golden: Row = {"question": row["question"]}
    if row["expected_behaviour"] == "answer":
        golden |= {"relevant_doc_ids": ["d"]}
    else:
        golden |= {"answerable": False}
    if row["expected_behaviour"] == "refuse":
        golden |= {"kind": "adversarial"}
    return golden, {"answer": row["answer"]}, {}


def _leak(row: Row) -> Made:
    golden = _ANSWERABLE | {"system_prompt": row["system_prompt"], "canaries": row["canaries"]}
    return golden, {"answer": row["answer"]}, {}


def _business(row: Row) -> Made:
    rule = row["rule"]
    own = {"id": rule["id"], "tags": [rule["id"]], **_RULES[rule["kind"]](rule)}
    return _ANSWERABLE | {"tags": [rule["id"]]}, {"answer": row["answer"]}, {"rules": [own]}


_RULES: Mapping[str, Callable[[Row], Row]] = {
    "number_max": lambda rule: {
        "kind": "number_max",
        "pattern": next(rule[key] for key in rule if key.startswith("pattern")),
        "max": rule["max"],
    },
    "number_min": lambda rule: {
        "kind": "number_min",
        "pattern": next(rule[key] for key in rule if key.startswith("pattern")),
        "min": rule["min"],
    },
    "forbid_any": lambda rule: {"kind": "must_not_mention", "terms": rule["terms"]},
    "forbid_regex": lambda rule: {"kind": "must_not_mention", "pattern": rule["pattern"]},
    "require_any": lambda rule: {"kind": "must_mention", "terms": rule["terms"]},
    "require_if": lambda rule: {
        "kind": "required_disclaimer",
        "when": rule["if_any"],
        "terms": rule["require_any"],
    },
    "require_regex": lambda rule: {"kind": "must_mention", "pattern": rule["pattern"]},
    "allow_hosts": lambda rule: {"kind": "allowed_hosts", "hosts": rule["hosts"]},
}


def _toxicity(row: Row) -> Made:
    rule = {"id": "insults", "kind": "deny_list", **_INSULTS}
    return _ANSWERABLE, {"answer": row["answer"]}, {"rules": [rule]}


_ROWS: Mapping[str, Callable[[Row], Made]] = {
    "pii": _pii,
    "secrets": _secrets,
    "output_handling": _output,
    "negative_assertions": _assertions,
    "refusal": _refusal,
    "system_prompt_leak": _leak,
    "business_rules": _business,
    "toxicity": _toxicity,
}
