"""Write the page: read the texts that are at hand, mask them, put them together, look once more, write."""

from collections.abc import Callable
from pathlib import Path

from rag_gate.config_models import ReportConfig
from rag_gate.files import write_text
from rag_gate.records.results import CaseResult, Results
from rag_gate.report.hiding import Hider, refuse_values
from rag_gate.report.html.case_data import CaseData
from rag_gate.report.html.chunks import ChunkStore
from rag_gate.report.html.index_data import changes_of, index_of, ordered_rows
from rag_gate.report.html.last_look import texts_of_page
from rag_gate.report.html.overview import overview_of
from rag_gate.report.html.render import PageData, render_page
from rag_gate.report.html.said import Said
from rag_gate.report.html.sources import PageSources, Texts, read_texts
from rag_gate.report.html.words import page_words

#: Characters of retrieved texts that a page may hold.
_ROOM = 20_000_000


def write_page(path: Path, sources: PageSources, config: ReportConfig) -> None:
    """Write the report as one HTML file that loads nothing.

    Raises:
        InputError: if a file that is there cannot be read, or the page cannot be written.
        NotJudgedError: if it would show a found value that cannot be masked; then nothing is written.
    """
    write_text(path, page_of(sources, config))


def page_of(sources: PageSources, config: ReportConfig) -> str:
    """Return the page; the same input gives the same page.

    Raises:
        InputError: if a file that is there cannot be read.
        NotJudgedError: as in ``write_page``.
    """
    words, said = page_words(config.language), Said(config.language)
    results, verdict = sources.results, sources.verdict
    texts, hider = read_texts(sources), Hider()
    data, lacking = PageData(None, {}), texts.lacking
    changes: dict[str, str] = {}
    if isinstance(results, Results):
        changes = changes_of(results, verdict)
        rows = ordered_rows(results, verdict)
        chunks = ChunkStore(hider, _ROOM if config.page == "full" else 0)
        details = _details(rows, said.why(results), texts, hider, chunks)
        data = PageData(
            index_of(rows, results, verdict, texts.cases_then, hider),
            {"cases": details, "chunks": chunks.texts},
        )
        if config.page == "no_documents":
            lacking = (*lacking, "lacking.documents")
        elif chunks.is_full:
            lacking = (*lacking, "lacking.room")
    overview = overview_of(results, verdict, changes, words, said)
    page = render_page(hider.shown(overview), data, words, lacking)
    refuse_values(texts_of_page(page), hider.masker, "the page")
    return page


def _details(
    rows: list[CaseResult], why: Callable[[CaseResult], str], texts: Texts, hider: Hider, chunks: ChunkStore
) -> list[dict[str, object]]:
    writer = CaseData(texts, hider, chunks)
    for case in rows:
        writer.learn(case)
    return [writer.of(case, why(case) if case.status != "passed" else "") for case in rows]
