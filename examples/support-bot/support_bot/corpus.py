"""Reading the documents of the corpus."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

_MARK = "---\n"


@dataclass(frozen=True)
class Document:
    """One document: what its front matter says, and the text below it."""

    doc_id: str
    title: str
    language: str
    category: str
    body: str


def read_document(path: Path) -> Document:
    """Read one document: ``key: value`` lines between two ``---`` lines, then the body.

    Raises:
        ValueError: if the front matter is absent, not closed, or lacks a key.
    """
    text = path.read_text(encoding="utf-8")
    head, closed, body = text.removeprefix(_MARK).partition(f"\n{_MARK}")
    if not text.startswith(_MARK) or not closed:
        raise ValueError(f"{path}: has no front matter between --- lines; add id, title, language, category")
    fields = dict(_field(line) for line in head.splitlines())
    missing = [key for key in ("id", "title", "language", "category") if key not in fields]
    if missing:
        raise ValueError(f"{path}: front matter lacks {', '.join(missing)}; add it")
    return Document(
        doc_id=fields["id"],
        title=fields["title"],
        language=fields["language"],
        category=fields["category"],
        body=body.strip(),
    )


def read_corpus(folder: Path) -> list[Document]:
    """Read every ``*.md`` file of the folder, in the order of the document ids.

    Raises:
        ValueError: if there is no document, or two share an id.
    """
    documents = sorted((read_document(path) for path in folder.glob("*.md")), key=lambda doc: doc.doc_id)
    if not documents:
        raise ValueError(f"{folder}: holds no *.md document; name the corpus folder")
    for before, after in pairwise(documents):
        if before.doc_id == after.doc_id:
            raise ValueError(f"{folder}: two documents have the id {after.doc_id}; rename one")
    return documents


def corpus_id(documents: Sequence[Document]) -> str:
    """Return 16 hexadecimal digits that change whenever any document changes."""
    digest = hashlib.sha256()
    for document in documents:
        for part in (document.doc_id, document.title, document.language, document.category, document.body):
            digest.update(part.encode("utf-8") + b"\0")
    return digest.hexdigest()[:16]


def _field(line: str) -> tuple[str, str]:
    key, _, value = line.partition(":")
    return key.strip(), value.strip().strip("\"'")
