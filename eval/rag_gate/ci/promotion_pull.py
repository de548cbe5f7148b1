"""A pull request that does nothing but move the baseline: its reviewers decide, and the check tells them what they approve.

Against the old baseline such a run is what it was when somebody decided to promote it, often a regression: then the
check could never pass, and the baseline never move, without a way round the check.
"""

import re
from collections.abc import Collection
from pathlib import Path

from rag_gate.baseline import load_baseline
from rag_gate.errors import RagGateError
from rag_gate.gate_commands import CheckFiles, decide
from rag_gate.git import ask_git
from rag_gate.github.trusted import Inputs
from rag_gate.history import history_path
from rag_gate.records.baseline import Baseline
from rag_gate.records.verdict_file import Verdict


def moved_on_purpose(inputs: Inputs, files: CheckFiles, verdict: Verdict, root: Path) -> str | None:
    """Return why a run that is worse than the base commit's baseline does not fail the check; None where it does.

    Args:
        inputs: what decided.
        files: what was checked.
        verdict: against the base commit's baseline.
        root: of the work tree.
    """
    if verdict.overall == "pass" or inputs.base is None or inputs.proposed_baseline is None:
        return None
    if not _nothing_else(root, inputs.base, inputs.proposed_baseline):
        return None
    path = root / inputs.proposed_baseline
    try:
        proposed = load_baseline(path)
        again = decide(
            CheckFiles(files.results, files.config, baseline=path, without=files.without), strict=False
        ).verdict
    except RagGateError:
        return None
    reason = proposed.provenance.reason if isinstance(proposed, Baseline) and proposed.provenance else None
    if not reason or again.overall not in {"pass", "inconclusive"}:
        return None
    return (
        "This pull request changes the baseline and nothing else, and this run is not worse than the new one, so the check "
        f"does not fail; whoever approves it approves the change above. Its reason: {reason}"
    )


def _nothing_else(root: Path, base: str, baseline: str) -> bool:
    """Tell whether only the baseline, its history and its kept run differ from the base commit."""
    listed = ask_git(root, "diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", base, "HEAD")
    names = set(filter(None, (listed or "").split("\0")))
    return baseline in names and all(_belongs(name, baseline) for name in names)


def _belongs(name: str, baseline: str) -> bool:
    path = Path(baseline)
    own: Collection[str] = (baseline, history_path(path).as_posix())
    kept = rf"{re.escape(path.with_suffix('').as_posix())}\.run\.[0-9a-f]{{12}}\.jsonl"
    return name in own or re.fullmatch(kept, name) is not None
