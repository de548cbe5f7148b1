"""The report of a check: one markdown comment for the pull request."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Every command escapes what it prints; only report needs the records and the templates.
    from rag_gate.config_models import ReportConfig
    from rag_gate.records.results import Results
    from rag_gate.records.verdict_file import Verdict


def write_comment(
    results: "Results | Mapping[str, float | None]", verdict: "Verdict", config: "ReportConfig", path: Path
) -> None:
    """Write the pull-request comment.

    Args:
        results: what was judged, with cases or flat.
        verdict: the decision about it.
        config: how many cases each list may name, and the gate's name in the hidden marker.
        path: the markdown file.

    Raises:
        InputError: if the file cannot be written.
        NotJudgedError: if it would show a found value that cannot be masked; then nothing is written.
    """
    from rag_gate.files import write_text
    from rag_gate.masking import current_masker
    from rag_gate.report.masked import without_values
    from rag_gate.report.render import render_comment
    from rag_gate.report.view import build_view

    comment = render_comment(build_view(results, verdict, config))
    write_text(path, without_values(comment, current_masker()))
