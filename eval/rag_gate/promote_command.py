"""The command promote: judge once more, refuse or show what changes, ask, write."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click

from rag_gate.anchoring import anchor_of
from rag_gate.baseline import load_baseline, promoted, provenance_of, shown_mean, write_baseline
from rag_gate.cli_support import say
from rag_gate.config import load_config
from rag_gate.config_models import Config
from rag_gate.dataset.kept_run import is_kept_copy
from rag_gate.errors import ConfigError
from rag_gate.files import fingerprint, is_absent, refuse_overwriting
from rag_gate.gate_commands import CheckFiles, Decided, decide
from rag_gate.git_facts import git_facts
from rag_gate.history import append_history, history_path, history_row, refuse_unusable
from rag_gate.keeping import remove_older, run_to_keep, write_kept
from rag_gate.promotion import Candidate, Request, refuse_promotion
from rag_gate.records.anchor import Anchor
from rag_gate.records.baseline import Baseline, Provenance
from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.regression.anchor import named_anchor, reaches_anchor
from rag_gate.regression.sentences import named


def run_promote(files: CheckFiles, request: Request, *, yes: bool) -> None:
    """Make results the baseline, unless something forbids it or the promoter says no.

    Raises:
        RagGateError: for every refusal; nothing was written then.
    """
    config = load_config(files.config) if files.config else None
    path = files.baseline or (config.baseline if config else None)
    if path is None:
        raise ConfigError(
            "promote: no baseline file is named; use --baseline, or 'baseline:' in rag-gate.yml"
        )
    for output in (path, history_path(path)):
        refuse_overwriting(output, files.results, files.config, files.tolerances)
    candidate = _candidate(files, path, config, request)
    refuse_promotion(candidate, request)
    refuse_unusable(history_path(path))
    provenance = _provenance(candidate, request)
    anchor, is_new = _anchor(candidate, request, provenance)
    kept = run_to_keep(candidate.results, files.config, request.run) if request.keep_answers else None
    digest = kept.fingerprint if kept else None
    baseline = promoted(candidate.results, candidate.previous, provenance, anchor, digest)
    say(_differences(candidate, baseline, anchor_is_new=is_new))
    _confirm(path, yes=yes)
    before = candidate.previous.kept_run if isinstance(candidate.previous, Baseline) else None
    if kept is not None:
        write_kept(kept, path, before, partial(write_baseline, path, baseline))
    else:
        write_baseline(path, baseline)
    row = history_row(candidate.results, candidate.verdict, provenance, new_anchor=is_new)
    append_history(history_path(path), row)
    remove_older(path, before, digest)
    say([f"wrote {path} ({len(baseline.cases)} cases)"])


def _candidate(files: CheckFiles, path: Path, config: Config | None, request: Request) -> Candidate:
    if path.exists() and not path.is_file():
        raise ConfigError(f"promote: {path} is no file; name the baseline's file")
    verdict, results, previous = _judged(files, path, request)
    if not isinstance(results, Results):
        raise ConfigError(f"promote: {files.results} is a flat table; promote the results of rag-gate merge")
    output = (config or Config()).output
    manifest = results.run.manifest
    git = git_facts(
        files.results.parent,
        manifest.commit if manifest else None,
        (path, history_path(path), files.results, output),
        lambda changed: is_kept_copy(changed, path),
    )
    return Candidate(results, verdict, previous, config, git)


def _judged(files: CheckFiles, baseline: Path, request: Request) -> Decided:
    """Judge against the baseline; alone, for a reason, where the two cannot be compared any more."""
    alone = decide(replace(files, baseline=None), strict=False, compare=False)
    if is_absent(baseline):
        return alone
    compared = decide(replace(files, baseline=baseline), strict=False)
    if compared.verdict.overall == "error" and alone.verdict.overall != "error" and request.is_reasoned:
        return Decided(alone.verdict, alone.results, load_baseline(baseline))
    return compared


def _provenance(candidate: Candidate, request: Request) -> Provenance:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    config = candidate.config or Config()
    settings = fingerprint(config.model_dump(mode="json", exclude={"dataset", "run", "output", "baseline"}))
    known = provenance_of(candidate.results, candidate.verdict, request.reason, now, settings)
    git = candidate.git
    return known.model_copy(
        update={
            "commit": git.commit,
            "promoted_by": git.user,
            "on_default_branch": git.on_default_branch,
            "dirty": git.dirty,
        }
    )


def _anchor(candidate: Candidate, request: Request, provenance: Provenance) -> tuple[Anchor | None, bool]:
    """Return the anchor that the new baseline carries, and whether it is this run."""
    kept = candidate.previous.anchor if isinstance(candidate.previous, Baseline) else None
    if kept is not None and not request.new_anchor and not candidate.outlived_anchor:
        return kept, False
    if not reaches_anchor(candidate.results.dataset):
        return kept, False
    return anchor_of(candidate.results, candidate.verdict, provenance), True


def _differences(candidate: Candidate, baseline: Baseline, *, anchor_is_new: bool) -> Iterator[str]:
    """Yield what the promotion changes; a first baseline changes nothing."""
    if candidate.previous is None:
        return
    changes = baseline.provenance.changes if baseline.provenance else {}
    for name, (old, new) in sorted(changes.items()):
        yield f"{name}: {shown_mean(old)} -> {shown_mean(new)}"
    yield from _case_lines(candidate.verdict)
    before = candidate.previous.anchor if isinstance(candidate.previous, Baseline) else None
    if anchor_is_new:
        gone = f", instead of {named_anchor(before)}" if before else ""
        yield f"this run becomes the anchor{gone}"
    elif before is not None:
        unknown = [
            name
            for name, found in candidate.verdict.metrics.items()
            if found.kind == "soft" and name not in before.metrics
        ]
        if unknown:
            yield f"{named(unknown)}: not in {named_anchor(before)}; --new-anchor adds them"


def _case_lines(verdict: Verdict) -> Iterator[str]:
    cases = verdict.cases
    for word, ids in (
        ("newly failing", [row.question_id for row in cases.newly_failing]),
        ("fixed", [row.question_id for row in cases.fixed]),
        ("added", cases.added),
        ("removed", cases.removed),
        ("edited", cases.edited),
    ):
        if ids:
            yield f"{word} ({len(ids)}): {named(ids)}"


def _confirm(path: Path, *, yes: bool) -> None:
    """Ask on a terminal; a workflow has nobody to ask.

    Raises:
        ConfigError: if the answer is no.
    """
    if yes or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return
    if not click.confirm(f"rag-gate: make this the baseline {path}?", default=False, err=True):
        raise ConfigError("promote: not confirmed, so nothing was written")
