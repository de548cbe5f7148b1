"""The commands about production: how a log differs from the baseline, and which requests deserve a golden case."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from rag_gate.cli_support import emit, say
from rag_gate.config import load_config
from rag_gate.config_models import Config
from rag_gate.config_monitoring import MonitoringConfig
from rag_gate.errors import ConfigError, ExitCode, InputError, NotJudgedError
from rag_gate.files import canonical_json, refuse_overwriting, write_text
from rag_gate.masking import current_masker, start_masking
from rag_gate.records.monitor import Drift, MonitorReport, Overall, Signals
from rag_gate.text import counted

_CODES = {"pass": ExitCode.PASS, "not_compared": ExitCode.PASS, "regressed": ExitCode.REGRESSION}


def run_monitor(
    logs: Sequence[str], config: Path | None, baseline: Path | None, output: Path, *, strict: bool
) -> NoReturn:
    """Read logs, compare them with a baseline, write the report and leave with the verdict's exit code.

    Raises:
        InputError: if a file cannot be read.
        NotJudgedError: if too little or too much broken was read to judge.
    """
    from rag_gate.request_logs.observing import observe
    from rag_gate.request_logs.telling import lines

    refuse_overwriting(output, *logs, config, baseline)
    settings = _settings(config).monitoring
    seen = observe(logs, settings)
    say(seen.bad.named)
    seen.bad.refuse_too_many(seen.lines, settings.drift.max_bad_lines)
    report = _report(seen.result(), baseline, settings)
    write_text(output, report.model_dump_json(indent=1) + "\n")
    emit(canonical_json({"overall": report.overall, "summary": report.summary}))
    say([*lines(report), f"wrote {output}"])
    _leave(report, strict=strict)


def _settings(config: Path | None) -> Config:
    settings = load_config(config) if config else Config()
    start_masking(settings.safety.personal_data, settings.safety.secrets)
    return settings


def _report(observed: Signals, baseline: Path | None, settings: MonitoringConfig) -> MonitorReport:
    from rag_gate.request_logs.baselines import baseline_signals
    from rag_gate.request_logs.causes import causes
    from rag_gate.request_logs.comparing import compare

    if not observed.requests:
        raise NotJudgedError("the logs hold no request, so there is nothing to judge; check the files")
    if baseline is None:
        told = "nothing to compare with; give a later log this report as --baseline"
        found = causes(Signals(), observed, [])
        return MonitorReport(overall="not_compared", summary=told, observed=observed, causes=found)
    before = baseline_signals(baseline, settings)
    drifts = compare(before, observed, settings.drift)
    if all(drift.verdict == "not_compared" for drift in drifts):
        raise NotJudgedError(
            f"{baseline}: no signal can be compared", *(f"{drift.signal}: {drift.reason}" for drift in drifts)
        )
    overall, summary = _overall(drifts)
    return MonitorReport(
        overall=overall,
        summary=summary,
        observed=observed,
        drifts=drifts,
        causes=causes(before, observed, drifts),
    )


def _overall(drifts: Sequence[Drift]) -> tuple[Overall, str]:
    regressed = [drift.signal for drift in drifts if drift.verdict == "regressed"]
    unclear = [drift.signal for drift in drifts if drift.verdict == "inconclusive"]
    compared = sum(drift.verdict != "not_compared" for drift in drifts)
    of_all = f"of {compared} signals compared"
    if regressed:
        return "regressed", f"regressed: {', '.join(regressed)} ({of_all})"
    if unclear:
        return "inconclusive", f"inconclusive: {', '.join(unclear)} ({of_all}); more requests would tell"
    return "pass", f"pass: no signal got worse beyond its tolerance ({of_all})"


def _leave(report: MonitorReport, *, strict: bool) -> NoReturn:
    if report.overall == "inconclusive":
        sys.exit(ExitCode.INCONCLUSIVE if strict else ExitCode.PASS)
    sys.exit(_CODES[report.overall])


def run_harvest(
    logs: Sequence[str], config: Path | None, dataset: str | None, output: Path, most: int
) -> None:
    """Write candidates for the golden set from logs, for a person to label.

    Raises:
        ConfigError: if no golden set is named.
        InputError: if a file cannot be read, or no odd request has its question in the log.
        NotJudgedError: if too much of the logs cannot be read.
    """
    from rag_gate.dataset import load_golden
    from rag_gate.files import atomic_writer
    from rag_gate.request_logs.candidates import Known, candidates
    from rag_gate.request_logs.suspects import suspects

    settings = _settings(config)
    source = dataset or settings.dataset
    if source is None:
        raise ConfigError("no golden set is named; give --dataset, or --config with one")
    refuse_overwriting(output, *logs, config, source)
    golden = load_golden(source, "extended")
    found = suspects(logs, settings.monitoring)
    seen = found.observation
    say(seen.bad.named)
    seen.bad.refuse_too_many(seen.lines, settings.monitoring.drift.max_bad_lines)
    if found.without_question and not found.found:
        raise InputError(
            f"{logs[0]}: {found.without_question} odd requests, and no line holds its question; log the texts "
            "(SignalLog with_texts=True), or a log of your own with 'question'"
        )
    known = Known(case.question for case in golden.cases.values() if case.question)
    rows = list(candidates(found.found, known, current_masker(), most))
    with atomic_writer(output) as handle:
        handle.writelines(f"{canonical_json(row)}\n".encode() for row in rows)
    left = f"; {found.without_question} odd requests hold no question" if found.without_question else ""
    say([f"{counted(len(rows), 'candidate')} of {len(found.found)} odd questions{left}", f"wrote {output}"])
