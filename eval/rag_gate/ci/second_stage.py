"""The second stage for forks: judge what the first stage measured, by the base commit's rules, with a token that may write.

Nothing of the pull request is checked out or executed here. Its number and commit come from GitHub, its numbers from an
artifact that anybody may have written: they stay claims, and the comment says so.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rag_gate.ci.claims import on_base_labels, read_claims
from rag_gate.ci.gate import JUDGE, Gated, origin_of, trusted_reporter
from rag_gate.ci.options import Options
from rag_gate.ci.policy import decision_of
from rag_gate.ci.rules import given_by
from rag_gate.ci.wording import RULES_FOLDER
from rag_gate.config_models import Config
from rag_gate.dataset import load_golden
from rag_gate.errors import ConfigError, NotJudgedError
from rag_gate.files import read_bytes, write_text
from rag_gate.gate_commands import CheckFiles, decide
from rag_gate.github.archive import MOST_BYTES, read_from_archive
from rag_gate.github.base_commit import open_base, refuse_moved_folder, repository_root
from rag_gate.github.client import GitHub
from rag_gate.github.commit_files import ApiFiles
from rag_gate.github.event import Context
from rag_gate.github.overlay import Overlay, about_changed
from rag_gate.github.trusted import trusted_rules
from rag_gate.merge import write_results
from rag_gate.records.results import Results
from rag_gate.stage_options import used_stages

_ARTIFACT = "rag-gate"
_CLAIM = (
    "the numbers come from a run of this pull request's own code and are its claims; rag-gate judged them by the base "
    "commit's rules"
)


def gate_claims(options: Options, context: Context, github: GitHub) -> Gated:
    """Judge the artifact of the first stage.

    Args:
        options: what the workflow says.
        context: with the pull request (see ``rag_gate.ci.pulls``).
        github: to read the artifact and the base commit.

    Raises:
        RagGateError: if artifact or base commit cannot be used.
    """
    claims = read_claims(read_from_archive(_archive(options, context, github), "results.json"))
    root = repository_root(Path.cwd())
    refuse_moved_folder(root, os.environ)
    with TemporaryDirectory(prefix=RULES_FOLDER) as folder:
        head = ApiFiles(github, str(context.head_sha))
        overlay = Overlay(Path(folder), root, open_base(context, root, github), head)
        rules = trusted_rules(given_by(options), overlay)
        if rules is None:
            raise NotJudgedError(
                "the base commit has no settings of the gate, so there is nothing to judge by"
            )
        output = options.output or root / overlay_output(overlay, rules.config)
        origin = origin_of(options, context, output)
        reporter = trusted_reporter(rules.config.report, origin, own_rules=False)
        results = _on_labels(claims, rules.config)
        path = Path(folder) / "claims" / "results.json"
        write_results(path, results)
        without = _left_out(results, rules.config, context)
        files = CheckFiles(path, rules.path, baseline=rules.baseline, without=without)
        decided = decide(files, strict=False)
        verdict, found = decided.verdict, decided.results
        update: dict[str, Any] = {
            "notices": [_CLAIM, *rules.notices, *about_changed(overlay.changed), *verdict.notices],
            "rules_from": overlay.base.commit,
            "rules_changed": dict(overlay.changed),
        }
        incomplete = _no_judge() if without else None
        decision = decision_of(
            verdict.model_copy(update=update), options.fail_on, options.on_error, incomplete
        )
        write_results(output / "results.json", results)
    write_text(output / "verdict.json", decision.verdict.model_dump_json(indent=1) + "\n")
    return Gated(decision, found, reporter, output)


def overlay_output(overlay: Overlay, config: Config) -> Path:
    """Return the settings' output folder relative to the repository."""
    return Path(overlay.inside(config.output) or config.output)


def _archive(options: Options, context: Context, github: GitHub) -> bytes:
    if options.results:
        return read_bytes(options.results[0])
    if context.source_run is None:
        raise ConfigError("the event workflow_run names no run, so there is no artifact to read")
    name = f"{_ARTIFACT}-{options.comment_id}" if options.comment_id else _ARTIFACT
    named = [row for row in github.artifacts(context.source_run, name) if row.get("name") == name]
    usable = [row for row in named if not row.get("expired") and isinstance(row.get("id"), int)]
    if not usable:
        raise NotJudgedError(f"the first stage's run {context.source_run} has no artifact named {name}")
    newest = max(usable, key=_id)
    size = newest.get("size_in_bytes")
    if isinstance(size, int) and size > MOST_BYTES:
        raise NotJudgedError(
            f"the artifact of the first stage is larger than {MOST_BYTES} bytes, so it is not used"
        )
    return github.artifact(_id(newest), MOST_BYTES)


def _id(artifact: Mapping[str, Any]) -> int:
    return int(artifact["id"])


def _on_labels(claims: Results, config: Config) -> Results:
    if config.dataset is None:
        raise ConfigError("the base commit's settings name no golden set; name it under 'dataset'")
    return on_base_labels(claims, load_golden(config.dataset, "extended"), frozenset(config.gate.removed_ok))


def _left_out(results: Results, config: Config, context: Context) -> frozenset[Any]:
    """Return the judge where the first stage had no secret for it; any other stage must be there."""
    absent = set(used_stages(config)) - results.stages.keys()
    if not absent:
        return frozenset()
    if absent == JUDGE and (context.is_fork or context.is_dependabot):
        return JUDGE
    raise NotJudgedError(
        f"the first stage did not measure {', '.join(sorted(absent))}, which the base commit's settings ask for"
    )


def _no_judge() -> str:
    return (
        "The judge did not run, since the pull request's own run has no secret: answers were not judged. Retrieval and "
        "safety were checked. This is neutral by policy (on-missing-secret), not a pass."
    )
