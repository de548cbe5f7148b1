"""What a log is compared with: an earlier report, a recorded run, or a promoted baseline with its kept run."""

from pathlib import Path

from rag_gate.baseline import load_baseline
from rag_gate.config_monitoring import MonitoringConfig
from rag_gate.dataset.kept_run import require_kept
from rag_gate.dataset.run import manifest_beside
from rag_gate.errors import InputError
from rag_gate.files import parse_json, read_bytes
from rag_gate.records.baseline import Baseline
from rag_gate.records.monitor import MonitorReport, Signals
from rag_gate.records.own import check_own
from rag_gate.records.run import RunManifest
from rag_gate.request_logs.entry import CONDITIONS
from rag_gate.request_logs.observing import observe


def baseline_signals(path: Path, config: MonitoringConfig) -> Signals:
    """Return the signals of a baseline, whatever kind of file it is.

    Raises:
        InputError: if it is no baseline, or holds no answers to take the signals of.
        NotJudgedError: if too much of a log cannot be read.
    """
    if path.suffix.lower() != ".json":
        return _of_rows(path, config, manifest_beside(path))
    document = parse_json(read_bytes(path), str(path))
    if isinstance(document, dict) and document.get("kind") == "monitor":
        return check_own(document, str(path), MonitorReport, "monitor", "rag-gate monitor").observed
    found = load_baseline(path)
    if not isinstance(found, Baseline) or found.kept_run is None:
        raise InputError(
            f"{path}: holds no answers, so their signals are not known; give the report of an earlier log "
            "(rag-gate monitor --output), a recorded run (.jsonl), or a baseline that was promoted with its answers"
        )
    return _of_rows(require_kept(path, found.kept_run), config, found.run.manifest if found.run else None)


def _of_rows(path: Path, config: MonitoringConfig, manifest: RunManifest | None) -> Signals:
    seen = observe([str(path)], config)
    seen.bad.refuse_too_many(seen.lines, config.drift.max_bad_lines)
    found = seen.result()
    if manifest is None:
        return found
    given = {name: [value] for name in CONDITIONS if isinstance(value := getattr(manifest, name), str)}
    return found.model_copy(update={"conditions": {**given, **found.conditions}})
