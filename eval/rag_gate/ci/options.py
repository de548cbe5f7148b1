"""What a workflow may ask of the gate; each option is an environment variable as well."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rag_gate.records.partial import TierName

Mode = Literal["auto", "run", "merge", "comment", "plan"]
FailOn = Literal["regression", "inconclusive", "never"]
OnError = Literal["fail", "neutral"]
OnMissingSecret = Literal["neutral", "fail", "skip"]
CommentWhen = Literal["always", "on-change", "on-failure", "never"]


@dataclass(frozen=True)
class Options:
    """One call of ``rag-gate ci``.

    Attributes:
        config: the settings file, relative to the working directory.
        mode: ``run`` does all, or with ``shard`` writes the files of one shard; ``merge`` joins such files and decides;
            ``comment`` is the second stage for forks; ``plan`` prints the shards; ``auto`` chooses by event and options.
        tier: None = by event.
        results: files of all shards, or folders that hold them.
        baseline: None = the one in the settings.
        shard: such as ``2/4``; for ``plan`` the number of shards.
        fail_on: what fails the check.
        on_error: whether a run that could not be judged fails the check.
        on_missing_secret: what happens where the judge needs a key and there is none.
        comment: when to comment.
        comment_id: name of the gate in the hidden marker; None = the one in the settings.
        max_cost_usd: limit of the judge's cost; None = the one in the settings.
        output: folder to write to; None = the one in the settings.
    """

    config: Path
    mode: Mode = "auto"
    tier: TierName | None = None
    results: tuple[Path, ...] = ()
    baseline: Path | None = None
    shard: str | None = None
    fail_on: FailOn = "regression"
    on_error: OnError = "fail"
    on_missing_secret: OnMissingSecret = "neutral"
    comment: CommentWhen = "always"
    comment_id: str | None = None
    max_cost_usd: float | None = None
    output: Path | None = None

    def mode_for(self, event: str) -> Mode:
        """Return what to do on an event."""
        if self.mode != "auto":
            return self.mode
        if event == "workflow_run":
            return "comment"
        return "merge" if self.results else "run"
