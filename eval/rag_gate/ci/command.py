"""The command ``ci``: from the event to outputs, summary, annotations and comment."""

import os
import traceback
from collections.abc import Mapping

from rag_gate.ci.commenting import open_github, say_on_pull
from rag_gate.ci.gate import Gated, gate, measure_shard, origin_of, with_comment_id
from rag_gate.ci.options import Options
from rag_gate.ci.plan import shard_plan
from rag_gate.ci.policy import creates_comment, decision_of, error_verdict
from rag_gate.ci.publish import annotations_of, outputs_of
from rag_gate.ci.pulls import completed, pull_of
from rag_gate.ci.second_stage import gate_claims
from rag_gate.ci.wording import readable
from rag_gate.ci.written import remove_older
from rag_gate.cli_support import emit, say
from rag_gate.config import load_config
from rag_gate.config_models import Config
from rag_gate.errors import ConfigError, ExitCode, NotJudgedError, RagGateError
from rag_gate.files import canonical_json, write_text
from rag_gate.github.client import GitHub
from rag_gate.github.commands import Annotation, lines_of
from rag_gate.github.event import Context, read_context
from rag_gate.github.marker import without_head
from rag_gate.github.step_files import write_outputs, write_summary
from rag_gate.report.reporter import Reporter


def run_ci(options: Options) -> int:
    """Do what the event asks for.

    Returns:
        0 where the outputs hold the verdict's exit code for a later step, else that exit code.

    Raises:
        RagGateError: if there is no event, or the step's files cannot be written.
    """
    environ = dict(os.environ)
    context = read_context(environ)
    with open_github(context, environ) as github:
        return _run(options, completed(context, github), github, environ)


def _run(options: Options, context: Context, github: GitHub | None, environ: Mapping[str, str]) -> int:
    mode = options.mode_for(context.event)
    if mode == "plan":
        return _plan(options, context, github, environ)
    if mode == "run" and options.shard:
        return _measure(options, context, github, environ)
    remove_older(options.output or _settings(options).output, measured_here=mode == "run")
    if mode == "comment":
        found = _second_stage(options, context, github)
        if found is None:
            return _end({"status": "skipped", "passed": "true", "exit-code": "0"}, environ)
        gated, context = found
    else:
        gated = _gated(options, context, github, environ)
    return _publish(with_comment_id(gated, options.comment_id), options, context, github, environ)


def _gated(options: Options, context: Context, github: GitHub | None, environ: Mapping[str, str]) -> Gated:
    try:
        return gate(options, context, github, environ)
    except Exception as error:  # noqa: BLE001 - a crash must reach the pull request as "no verdict"
        return _failed(options, context, error)


def _second_stage(options: Options, context: Context, github: GitHub | None) -> tuple[Gated, Context] | None:
    if github is None:
        raise ConfigError(
            "--mode comment: needs a token; give github-token, and 'permissions: pull-requests: write'"
        )
    found = pull_of(context, github)
    if found is None:
        say(
            [
                "no open pull request has the commit of that run as its newest one; there is nothing to comment on"
            ]
        )
        return None
    try:
        return gate_claims(options, found, github), found
    except Exception as error:  # noqa: BLE001 - as above
        return _failed(options, found, error), found


def _failed(options: Options, context: Context, error: Exception) -> Gated:
    """Return what is said where there is no verdict, by the shipped templates: the user's may be what failed."""
    if not isinstance(error, RagGateError):
        # Line by line: a message may hold text of the pull request, and a line of it must not be a workflow command.
        say(line for part in traceback.format_exception(error) for line in part.splitlines())
        error = NotJudgedError("internal error: no verdict; please report the lines in the log of the run")
    error = readable(error)
    say(error.problems)
    decision = decision_of(error_verdict(error), options.fail_on, options.on_error, None)
    known = _settings(options)
    output = options.output or known.output
    write_text(output / "verdict.json", decision.verdict.model_dump_json(indent=1) + "\n")
    report = known.report.model_copy(update={"templates": None})
    return Gated(decision, {}, Reporter(report, origin=origin_of(options, context, output)), output)


def _settings(options: Options) -> Config:
    """Return the checkout's settings, for the gate's name and the folder only; the usual ones if they are broken."""
    try:
        return load_config(options.config)
    except RagGateError:
        return Config()


def _publish(
    gated: Gated, options: Options, context: Context, github: GitHub | None, environ: Mapping[str, str]
) -> int:
    gated, text = _written(gated, options, context)
    verdict = gated.decision.verdict
    write_text(gated.output / "comment.md", text)
    write_summary(environ.get("GITHUB_STEP_SUMMARY"), without_head(text))
    notes = list(annotations_of(gated))
    url = None
    if options.comment != "never":
        create = creates_comment(options.comment, gated.decision)
        said = say_on_pull(context, github, text, gated.reporter.config.gate_id, create=create)
        url = said.url
        notes += [said.warning] if said.warning else []
        say([said.line] if said.line else [])
    _annotate(notes)
    say([verdict.summary, f"wrote {gated.output / 'comment.md'}"])
    mode = options.mode_for(context.event)
    outputs = outputs_of(gated, url, measured_here=mode == "run")
    if mode == "comment" and gated.decision.status != "error":
        # The check is the first stage's; a second red one, on the default branch, would tell nobody anything.
        outputs["exit-code"] = str(int(ExitCode.PASS))
    return _end(outputs, environ)


def _written(gated: Gated, options: Options, context: Context) -> tuple[Gated, str]:
    """Return the report; one that cannot be written is no verdict, and says so itself."""
    try:
        return gated, gated.reporter.text(gated.results, gated.decision.verdict)
    except RagGateError as error:
        failed = with_comment_id(_failed(options, context, error), options.comment_id)
        return failed, failed.reporter.text({}, failed.decision.verdict)


def _plan(options: Options, context: Context, github: GitHub | None, environ: Mapping[str, str]) -> int:
    matrix = canonical_json(shard_plan(options, context, github))
    emit(matrix)
    return _end({"status": "planned", "passed": "true", "exit-code": "0", "matrix": matrix}, environ)


def _measure(options: Options, context: Context, github: GitHub | None, environ: Mapping[str, str]) -> int:
    try:
        written = measure_shard(options, context, github, environ)
    except RagGateError as error:
        problems = readable(error).problems
        say(problems)
        _annotate([Annotation("error", "rag-gate: shard not measured", problem) for problem in problems])
        code = str(int(error.exit_code))
        return _end({"status": "error", "passed": "false", "exit-code": code}, environ)
    say(f"wrote {path}" for path in written)
    paths = "\n".join(str(path.absolute()) for path in written)
    return _end({"status": "measured", "passed": "true", "exit-code": "0", "paths": paths}, environ)


def _annotate(notes: list[Annotation]) -> None:
    for line in lines_of(notes):
        emit(line)


def _end(outputs: Mapping[str, str], environ: Mapping[str, str]) -> int:
    """Leave the exit code to a later step where there are outputs to carry it."""
    path = environ.get("GITHUB_OUTPUT")
    write_outputs(path, outputs)
    return ExitCode.PASS if path else int(outputs["exit-code"])
