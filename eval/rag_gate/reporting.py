"""Write the report in the formats beside the comment: page, JUnit, SARIF."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rag_gate.baseline import load_baseline, load_results
from rag_gate.cli_support import say, say_written
from rag_gate.config import load_config
from rag_gate.config_models import Config, ReportConfig
from rag_gate.errors import RagGateError
from rag_gate.files import is_absent, refuse_overwriting, write_text
from rag_gate.masking import current_masker, start_masking
from rag_gate.records.own import read_own
from rag_gate.records.verdict_file import Verdict
from rag_gate.report.html.sources import PageSources

#: Where each format goes when nothing else is said.
OUTPUTS: Mapping[str, str] = {
    "markdown": "comment.md",
    "html": "report.html",
    "json": "report.json",
    "junit": "junit.xml",
    "sarif": "safety.sarif",
}
PAGE = OUTPUTS["html"]


@dataclass(frozen=True)
class ReportInputs:
    """What a report is made from.

    Attributes:
        results: the file of merge.
        verdict: the file of check.
        config: the settings, which name golden set, run and baseline.
        run: the run, where it is not the one in the settings.
        baseline: likewise.
    """

    results: Path
    verdict: Path
    config: Path | None = None
    run: str | None = None
    baseline: Path | None = None


def run_format(inputs: ReportInputs, wanted: str, output: Path) -> None:
    """Write one format.

    Args:
        inputs: what it is made from.
        wanted: ``html``, ``junit`` or ``sarif``.
        output: the file.

    Raises:
        InputError: if a file cannot be read or written.
        NotJudgedError: if it would show a found value that cannot be masked; then nothing is written.
    """
    from rag_gate.report.html.page import write_page
    from rag_gate.report.junit import junit_xml
    from rag_gate.report.sarif import sarif_log

    config = load_config(inputs.config) if inputs.config else Config()
    start_masking(config.safety.personal_data, config.safety.secrets)
    for canary in config.safety.leak.canaries:
        current_masker().hide("CANARY", canary)
    sources = _sources(inputs, config)
    read = (
        inputs.results,
        inputs.verdict,
        inputs.config,
        sources.dataset,
        sources.run,
        sources.baseline_path,
    )
    refuse_overwriting(output, *read)
    write: Mapping[str, Callable[[], None]] = {
        "html": lambda: write_page(output, sources, config.report),
        "junit": lambda: write_text(output, junit_xml(sources.results, sources.verdict)),
        "sarif": lambda: write_text(output, sarif_log(sources.results, sources.dataset, sources.run, output)),
    }
    write[wanted]()
    say_written(output)


def _sources(inputs: ReportInputs, config: Config) -> PageSources:
    path = inputs.baseline or config.baseline
    if path is not None and path != inputs.baseline and is_absent(path):
        path = None
    configured = None if config.run is None else str(config.run)
    return PageSources(
        results=load_results(inputs.results),
        verdict=read_own(inputs.verdict, Verdict, "verdict", "rag-gate check"),
        baseline=None if path is None else load_baseline(path),
        baseline_path=path,
        dataset=config.dataset,
        run=inputs.run or configured,
    )


def page_beside(folder: Path, sources: PageSources, config: ReportConfig) -> Path | None:
    """Write the page beside the comment; where it cannot be, that is said and the verdict stands.

    Returns:
        Where it was written, None where it was not.
    """
    from rag_gate.report.html.page import write_page

    path = folder / PAGE
    path.unlink(missing_ok=True)
    if config.page == "none":
        return None
    try:
        write_page(path, sources, config)
    except RagGateError as error:
        say([f"{path} is not written: {error.problems[0]}"])
        return None
    return path
