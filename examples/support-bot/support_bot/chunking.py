"""Cutting documents into chunks: the unit that is indexed, retrieved and quoted from."""

from collections.abc import Iterator
from dataclasses import dataclass

from support_bot.corpus import Document
from support_bot.settings import Chunking


@dataclass(frozen=True)
class Chunk:
    """A piece of a document.

    Attributes:
        chunk_id: ``<document id>#<number from 1>``.
        doc_id: the document it was cut from.
        heading: title and heading above it; empty where the cut does not know them.
        text: what is indexed and shown, with the heading in front.
    """

    chunk_id: str
    doc_id: str
    heading: str
    text: str

    @property
    def passage(self) -> str:
        """The text without the heading."""
        return self.text.removeprefix(f"{self.heading}\n\n")


def chunk_document(document: Document, chunking: Chunking) -> list[Chunk]:
    """Cut one document in the way the settings say."""
    cut = _by_paragraphs if chunking.mode == "paragraphs" else _by_characters
    return [
        Chunk(
            chunk_id=f"{document.doc_id}#{number}",
            doc_id=document.doc_id,
            heading=heading,
            text=f"{heading}\n\n{passage}" if heading else passage,
        )
        for number, (heading, passage) in enumerate(cut(document, chunking), start=1)
    ]


def _by_paragraphs(document: Document, chunking: Chunking) -> Iterator[tuple[str, str]]:
    """Join the paragraphs under one heading up to ``size`` characters; a paragraph is never cut."""
    for heading, paragraphs in _groups(document):
        held: list[str] = []
        for paragraph in paragraphs:
            if held and sum(map(len, held)) + len(paragraph) > chunking.size:
                yield heading, "\n\n".join(held)
                held = []
            held.append(paragraph)
        if held:
            yield heading, "\n\n".join(held)


def _by_characters(document: Document, chunking: Chunking) -> Iterator[tuple[str, str]]:
    """Cut windows of exactly ``size`` characters, wherever that falls."""
    step = chunking.size - chunking.overlap
    for start in range(0, max(len(document.body) - chunking.overlap, 1), step):
        window = document.body[start : start + chunking.size].strip()
        if window:
            yield "", window


def _groups(document: Document) -> Iterator[tuple[str, list[str]]]:
    """Yield (title and heading, paragraphs) for each ``##`` group; blank lines part paragraphs."""
    heading, paragraphs = document.title, list[str]()
    for block in document.body.split("\n\n"):
        line = block.strip()
        if line.startswith("## "):
            yield heading, paragraphs
            heading, paragraphs = f"{document.title} > {line.removeprefix('## ')}", []
        elif line and not line.startswith("# "):
            paragraphs.append(line)
    yield heading, paragraphs
