"""One place that writes a report, whoever asks for it: read templates once, build the view, mask, write."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rag_gate.config_models import ReportConfig
from rag_gate.masking import current_masker
from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.report.masked import without_values
from rag_gate.report.origin import Origin
from rag_gate.report.render import render_comment
from rag_gate.report.template_check import check_templates
from rag_gate.report.templates import OwnTemplates, read_templates
from rag_gate.report.view import build_view
from rag_gate.report.view_json import view_json

Format = Literal["markdown", "json"]
_UNKNOWN = Origin()


@dataclass(frozen=True)
class Reporter:
    """Knows how to write a report.

    Attributes:
        config: language, lengths, the gate's name in the hidden marker.
        own: templates of the user's own; None = the shipped ones.
        origin: where the run comes from, beyond what it says itself.
    """

    config: ReportConfig
    own: OwnTemplates | None = None
    origin: Origin = _UNKNOWN

    @classmethod
    def of(cls, config: ReportConfig, origin: Origin) -> "Reporter":
        """Read and check the templates that the settings name.

        Raises:
            ConfigError: with file and line, if one of them cannot be used.
        """
        own = read_templates(config.templates)
        if own is not None:
            check_templates(own)
        return cls(config, own, origin)

    def text(
        self, results: Results | Mapping[str, float | None], verdict: Verdict, form: Format = "markdown"
    ) -> str:
        """Return the report.

        Args:
            results: what was judged, with cases or flat.
            verdict: the decision about it.
            form: ``markdown`` for the pull request, ``json`` for programs.

        Raises:
            ConfigError: if a template of the user's own cannot be used.
            NotJudgedError: if it would show a found value that cannot be masked.
        """
        view = build_view(results, verdict, self.config, self.origin)
        if form == "json":
            return view_json(view, current_masker())
        masker = current_masker()
        return render_comment(view, self.own, lambda text: without_values(text, masker))
