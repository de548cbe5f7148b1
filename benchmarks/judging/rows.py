"""The labelled rows that the offline judge is measured on, and is fitted on where their licence allows."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_FAMILIES = {"begin_wow": "begin", "begin_cmu": "begin", "begin_tc": "begin"} | {
    "wice_full": "wice",
    "wice_oracle": "wice",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One answer with the label that people gave it.

    Attributes:
        task: ``grounded``, ``qa``, ``synth``, ``relevance`` or ``correctness``.
        right: supported, relevant or correct, by the task.
        kind: how a row was made, where that is said (``synth``, ``relevance``).
        only_evaluate: the licence is non-commercial, so no weight may be fitted on it.
        shippable: the row may be copied with its licence and source.
    """

    id: str
    task: str
    dataset: str
    right: bool
    question: str
    contexts: tuple[str, ...]
    answer: str
    references: tuple[str, ...]
    kind: str
    licence: str
    source: str
    only_evaluate: bool
    shippable: bool

    @property
    def family(self) -> str:
        """The name shared by datasets of one origin."""
        return _FAMILIES.get(self.dataset, self.dataset)


def read_rows(paths: Iterable[Path]) -> Iterator[Row]:
    """Read the rows of JSONL files, in order."""
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            yield _row(json.loads(line))


def _row(raw: dict[str, object]) -> Row:
    meta = raw.get("meta")
    contexts = raw.get("contexts")
    return Row(
        id=str(raw["id"]),
        task=str(raw["task"]),
        dataset=str(raw["dataset"]),
        right=raw["label"] == 1,
        question=str(raw.get("question") or ""),
        contexts=tuple(map(str, contexts if isinstance(contexts, list) else ())),
        answer=str(raw["answer"]),
        references=tuple(_references(raw.get("reference"), str(raw["dataset"]))),
        kind=str(meta.get("kind", "")) if isinstance(meta, dict) else "",
        licence=str(raw.get("license", "")),
        source=str(raw.get("source", "")),
        only_evaluate=bool(raw.get("nc")),
        shippable=bool(raw.get("shippable")),
    )


def _references(found: object, dataset: str) -> list[str]:
    """Return the accepted answers; EVOUNA separates them with slashes."""
    texts = [found] if isinstance(found, str) else list(map(str, found)) if isinstance(found, list) else []
    if dataset.startswith("evouna"):
        texts = [part for text in texts for part in text.split("/")]
    return [text for text in texts if text.strip()]
