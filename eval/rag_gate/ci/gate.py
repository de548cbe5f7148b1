"""Measure a recorded run, or join its shards, and decide by the rules that are to be trusted."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from rag_gate.baseline import load_baseline
from rag_gate.ci.joining import has_judge, join
from rag_gate.ci.judge_key import missing_key
from rag_gate.ci.kept_verdicts import all_kept
from rag_gate.ci.new_cases import about_new_cases
from rag_gate.ci.options import Options
from rag_gate.ci.policy import Decision, decision_of, let_pass, skipped_decision
from rag_gate.ci.promotion_pull import moved_on_purpose
from rag_gate.ci.rules import inputs_for
from rag_gate.ci.wording import RULES_FOLDER
from rag_gate.ci.written import remove_older
from rag_gate.config import load_config
from rag_gate.config_models import Config, ReportConfig
from rag_gate.dataset.shards import parse_shard
from rag_gate.errors import ConfigError, NotJudgedError
from rag_gate.files import write_text
from rag_gate.gate_commands import CheckFiles, Flat, decide
from rag_gate.github.base_commit import repository_root
from rag_gate.github.client import GitHub
from rag_gate.github.event import BASE_CHECKOUT, Context
from rag_gate.github.trusted import Inputs
from rag_gate.measuring import evaluate_stages, measure
from rag_gate.pipeline import escalated
from rag_gate.records.partial import Shard, StageName
from rag_gate.records.results import Results
from rag_gate.records.verdict_file import Verdict
from rag_gate.report.html.sources import PageSources
from rag_gate.report.origin import Origin, now
from rag_gate.report.reporter import Reporter
from rag_gate.reporting import page_beside
from rag_gate.stage_options import Source, used_stages

JUDGE: frozenset[StageName] = frozenset({"judge"})


@dataclass(frozen=True)
class Gated:
    """A decision and what it is about.

    Attributes:
        decision: what the check says.
        results: what was measured; an empty table where nothing was.
        reporter: how to show it.
        output: folder of the written files.
    """

    decision: Decision
    results: Results | Flat
    reporter: Reporter
    output: Path


@dataclass(frozen=True)
class _Plan:
    """What is measured by which rules.

    Attributes:
        inputs: the rules.
        source: the run.
        missing: variable of a key for lack of which the judge is left out; None where it is not.
        kept: variable of a key that is not needed, since all verdicts are kept.
    """

    inputs: Inputs
    source: Source
    missing: str | None
    kept: str | None = None

    @property
    def without(self) -> frozenset[StageName]:
        return JUDGE if self.missing else frozenset()


def gate(options: Options, context: Context, github: GitHub | None, environ: Mapping[str, str]) -> Gated:
    """Decide about the run in the work tree; results.json and verdict.json are written.

    Raises:
        RagGateError: if there can be no verdict.
    """
    with TemporaryDirectory(prefix=RULES_FOLDER) as folder:
        plan = _plan(options, context, inputs_for(options, context, github, Path(folder)), environ)
        output = plan.inputs.output
        reporter = trusted_reporter(
            load_config(plan.inputs.config).report,
            origin_of(options, context, output),
            own_rules=context.is_proposed and plan.inputs.base is None,
        )
        if context.is_proposed:
            _refuse_broken_templates(options.config)
        if plan.missing and options.on_missing_secret == "skip":
            return Gated(
                skipped_decision(f"{_no_key(plan.missing)}, so nothing was measured"), {}, reporter, output
            )
        remove_older(output, measured_here=not options.results)
        if options.results:
            join(options.results, plan.source, output)
        else:
            measure(plan.source, output)
        verdict, found = _judged(plan, output, with_new=not options.results)
        moved = moved_on_purpose(plan.inputs, _files(plan, output), verdict, repository_root(Path.cwd()))
        if moved is not None:
            decision = let_pass(verdict, moved)
        else:
            decision = decision_of(verdict, options.fail_on, options.on_error, _incomplete(plan))
        _page(plan, decision.verdict, found, output)
    write_text(output / "verdict.json", decision.verdict.model_dump_json(indent=1) + "\n")
    return Gated(decision, found, reporter, output)


def measure_shard(
    options: Options, context: Context, github: GitHub | None, environ: Mapping[str, str]
) -> list[Path]:
    """Measure one shard by the trusted labels and settings; one file per stage is written.

    Raises:
        RagGateError: if it cannot be measured.
    """
    with TemporaryDirectory(prefix=RULES_FOLDER) as folder:
        plan = _plan(options, context, inputs_for(options, context, github, Path(folder)), environ)
        source, output = plan.source, plan.inputs.output
        part = Path(folder) / "part"
        evaluate_stages(source, part)
        name = f"{source.shard.index}of{source.shard.total}"
        written = []
        for stage in used_stages(source.config):
            target = output / f"{stage}-{name}.json"
            write_text(target, (part / f"{stage}.json").read_text(encoding="utf-8"))
            written.append(target)
    return written


def _plan(options: Options, context: Context, inputs: Inputs, environ: Mapping[str, str]) -> _Plan:
    config = _capped(load_config(inputs.config), options.max_cost_usd)
    dataset = inputs.dataset or config.dataset
    if dataset is None:
        raise ConfigError(f"{options.config}: no golden set is named; name it under 'dataset'")
    source = Source(
        config=config,
        dataset=dataset,
        run=inputs.run or (str(config.run) if config.run is not None else None),
        tier=options.tier or context.tier,
        output=inputs.output,
        shard=parse_shard(options.shard) if options.shard else Shard(),
    )
    _refuse_foreign_program(context, config)
    key = missing_key(config.judge, environ)
    if key is None:
        return _Plan(inputs, source, None)
    if _is_judged(options, source):
        return _Plan(inputs, source, None, kept=None if options.results else key)
    if options.on_missing_secret == "fail" or not context.is_proposed:
        raise NotJudgedError(f"{_no_key(key)}; set the secret, or switch the judge off in the settings")
    return _Plan(inputs, replace(source, config=_without_judge(config)), key)


def _refuse_foreign_program(context: Context, config: Config) -> None:
    """Refuse to start a program in a pull request's files where there are secrets and a token that may write.

    Raises:
        NotJudgedError: on such events, if the judge is a program.
    """
    if context.event in BASE_CHECKOUT and context.is_proposed and config.judge.provider == "command":
        raise NotJudgedError(
            f"{context.event} has secrets, and the judge is a program that would start among the pull request's files; "
            "evaluate on pull_request, and comment on forks from workflow_run (docs/how-to/run-on-github.md)"
        )


def _is_judged(options: Options, source: Source) -> bool:
    """Tell whether the judge has done its work: in the jobs of the shards, which had the key, or in earlier runs."""
    if options.results:
        return has_judge(options.results)
    return all_kept(source)


def _capped(config: Config, max_cost_usd: float | None) -> Config:
    """Limit what a model judge may cost, whoever's settings these are."""
    if max_cost_usd is None or config.judge.engine in {"lexical", "none"}:
        return config
    judge = config.judge.model_copy(update={"max_cost_usd": max_cost_usd})
    return config.model_copy(update={"judge": judge})


def _without_judge(config: Config) -> Config:
    """Leave the judge out, and with it the question whether an answer is right: equality is another measure."""
    judge = config.judge.model_copy(update={"engine": "none"})
    return config.model_copy(update={"judge": judge, "answer_ok": "correctness"})


def _files(plan: _Plan, output: Path) -> CheckFiles:
    inputs = plan.inputs
    return CheckFiles(output / "results.json", inputs.config, baseline=inputs.baseline, without=plan.without)


def _judged(plan: _Plan, output: Path, *, with_new: bool) -> tuple[Verdict, Results | Flat]:
    inputs, source = plan.inputs, plan.source
    files = _files(plan, output)
    notices = [*inputs.notices]
    if plan.kept:
        notices.append(
            f"all of the judge's verdicts were kept from earlier runs, so no key ({plan.kept}) was needed"
        )
    if with_new and source.config.gate.on_inconclusive == "escalate":
        notices += filter(None, [escalated(source, output, files)])
    if with_new:
        with TemporaryDirectory(prefix="rag-gate-added-") as folder:
            notices += about_new_cases(inputs, source, Path(folder))
    decided = decide(files, strict=False)
    verdict = decided.verdict
    fixed = [row for row in verdict.cases.fixed if not plan.missing or row.was != "generation_failure"]
    update = {
        "notices": [*notices, *verdict.notices],
        "cases": verdict.cases.model_copy(update={"fixed": fixed}),
        "rules_from": inputs.base,
        "rules_changed": dict(inputs.changed),
    }
    return verdict.model_copy(update=update), decided.results


def _page(plan: _Plan, verdict: Verdict, found: Results | Flat, output: Path) -> None:
    """Write the page for readers, while the files that decided are still there."""
    path = plan.inputs.baseline
    baseline = load_baseline(path) if path is not None and path.is_file() else None
    source = plan.source
    page_beside(
        output, PageSources(found, verdict, baseline, path, source.dataset, source.run), source.config.report
    )


def _incomplete(plan: _Plan) -> str | None:
    """Return why a pass is not a whole one."""
    if plan.missing:
        return (
            f"{_no_key(plan.missing)}: the judge did not run, so answers were not judged. Retrieval and safety were "
            "checked. This is neutral by policy (on-missing-secret), not a pass."
        )
    if plan.inputs.is_first:
        return "This pull request brings the gate itself: there was nothing on its base to be compared with."
    return None


def _no_key(name: str) -> str:
    return f"No secret ({name})"


def _refuse_broken_templates(config: Path) -> None:
    """Refuse templates that a pull request breaks: they do not speak yet, and would break the gate after the merge.

    Raises:
        ConfigError: with file and line.
    """
    if config.is_file():
        Reporter.of(load_config(config).report, Origin())


def trusted_reporter(config: ReportConfig, origin: Origin, *, own_rules: bool) -> Reporter:
    """Return how to show a verdict; templates that a pull request brings itself are left aside.

    Args:
        config: of the settings that decide.
        origin: where the run comes from.
        own_rules: whether these are settings that the pull request brings.

    Raises:
        ConfigError: if a template cannot be used.
    """
    if own_rules:
        config = config.model_copy(update={"templates": None})
    return Reporter.of(config, origin)


def origin_of(options: Options, context: Context, output: Path) -> Origin:
    """Return what a reader needs to find the run again."""
    return now(options.config, output / "results.json", head=context.head_sha, run_url=context.run_url)


def with_comment_id(gated: Gated, comment_id: str | None) -> Gated:
    """Return the same under another name in the hidden marker.

    Raises:
        ConfigError: if it cannot be a name.
    """
    if comment_id is None:
        return gated
    try:
        report = ReportConfig.model_validate({**gated.reporter.config.model_dump(), "gate_id": comment_id})
    except ValueError:
        raise ConfigError("comment-id: takes up to 40 letters, digits, '.', '_' and '-'") from None
    return replace(gated, reporter=replace(gated.reporter, config=report))
