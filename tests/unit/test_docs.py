"""Generated parts, examples and command lines of the documentation are what the code says."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
import yaml
from doc_pages import BLOCKS, PAGES, ROOT, Block, saved, text_of

from rag_gate.baseline import load_baseline, load_results
from rag_gate.calibrate.labels import read_labels
from rag_gate.cli import main as command_line
from rag_gate.config import load_config, load_tolerances
from rag_gate.config_monitoring import MonitoringConfig
from rag_gate.dataset import load_golden, open_run
from rag_gate.judge.llm.models import load_models
from rag_gate.partials import read_partial
from rag_gate.records.own import read_own
from rag_gate.records.run import RunManifest
from rag_gate.records.verdict_file import Verdict
from rag_gate.request_logs.observing import observe


def test_generated_parts_are_what_the_code_says() -> None:
    command = [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def inferred(block: Block) -> str:
    """Tell what an example is when its page does not say (the README's info strings stay plain)."""
    if block.kind or block.page != "README.md":
        return block.kind
    if block.language == "yaml":
        return "workflow" if "\njobs:" in block.text else "settings"
    return "run" if '"retrieved"' in block.text else "golden"


def as_golden(text: str, folder: Path) -> None:
    golden = load_golden(saved(folder / "golden.jsonl", text), "extended")
    assert golden.warnings == ()
    assert not golden.run_rows


def as_run(text: str, folder: Path) -> None:
    ids = [json.loads(line)["question_id"] for line in text.splitlines()]
    cases = [json.dumps({"question_id": key, "answerable": False}) for key in ids]
    golden = load_golden(saved(folder / "golden.jsonl", "\n".join(cases)))
    joined = list(open_run(golden, saved(folder / "run.jsonl", text)))
    assert sorted(item.case.question_id for item in joined) == sorted(ids)
    assert all(item.record is not None for item in joined)


def as_short(text: str, folder: Path) -> None:
    golden = load_golden(saved(folder / "golden.jsonl", text))
    assert [item.state for item in open_run(golden, None)] == ["ok"]


def as_manifest(text: str, folder: Path) -> None:
    del folder
    manifest = RunManifest.model_validate_json(text)
    assert not manifest.model_extra


def as_workflow(text: str, folder: Path) -> None:
    del folder
    jobs = yaml.safe_load(text)["jobs"].values()
    steps = [step for job in jobs for step in job.get("steps", [job])]
    assert all("run" in step or "@" in step["uses"] for step in steps)


def as_log(text: str, folder: Path) -> None:
    seen = observe([saved(folder / "log.jsonl", text)], MonitoringConfig())
    assert seen.bad.named == []


def as_prometheus(text: str, folder: Path) -> None:
    del folder
    assert set(yaml.safe_load(text)) <= {"scrape_configs", "rule_files"}


LOADERS: dict[str, Callable[[str, Path], object]] = {
    "golden": as_golden,
    "labels": lambda text, folder: read_labels(Path(saved(folder / "labels.jsonl", text)), "correctness"),
    "run": as_run,
    "short": as_short,
    "manifest": as_manifest,
    "workflow": as_workflow,
    "models": lambda text, folder: load_models(Path(saved(folder / "models.yml", text))),
    "partial": lambda text, folder: read_partial(Path(saved(folder / "partial.json", text))),
    "results": lambda text, folder: load_results(Path(saved(folder / "results.json", text))),
    "flat": lambda text, folder: load_results(Path(saved(folder / "flat.json", text))),
    "baseline": lambda text, folder: load_baseline(Path(saved(folder / "baseline.json", text))),
    "verdict": lambda text, folder: read_own(
        Path(saved(folder / "verdict.json", text)), Verdict, "verdict", "rag-gate check"
    ),
    "log": as_log,
    "prometheus": as_prometheus,
    "settings": lambda text, folder: load_config(Path(saved(folder / "rag-gate.yml", text))),
    "tolerances": lambda text, folder: load_tolerances(Path(saved(folder / "tolerances.yml", text))),
}


EXAMPLES = [block for block in BLOCKS if block.language in {"json", "jsonl", "yaml", "yml"}]


@pytest.mark.parametrize("block", EXAMPLES, ids=lambda block: f"{block.page}:{block.line}")
def test_every_example_is_accepted_by_its_loader(block: Block, tmp_path: Path) -> None:
    kind = inferred(block)
    assert kind in LOADERS, f"say after the language what the example is: {', '.join(LOADERS)}"
    LOADERS[kind](block.text, tmp_path)


def test_every_kind_of_file_has_an_example() -> None:
    assert {inferred(block) for block in EXAMPLES} == set(LOADERS)


def command_lines() -> Iterator[tuple[str, list[str]]]:
    for block in BLOCKS:
        if block.language not in {"sh", "bash", "console", "yaml"}:
            continue
        for number, raw in enumerate(block.text.replace("\\\n", " ").splitlines(), start=block.line + 1):
            line = re.sub(r"^\s*(?:- )?(?:run: )?", "", raw)
            if re.match(r"rag-gate |python eval/", line):
                yield f"{block.page}:{number}", shlex.split(line, comments=True)
    for page in PAGES:
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
            for code in re.findall(r"`((?:rag-gate |python eval/)[^`]*)`", line):
                if "..." not in code and "|" not in code:
                    yield f"{page.relative_to(ROOT)}:{number}", shlex.split(code)


SCRIPTS = {
    "eval/retrieval_eval.py": "retrieval",
    "eval/llm_judge_eval.py": "judge",
    "eval/safety_eval.py": "safety",
    "eval/merge_results.py": "merge",
    "eval/regression_check.py": "check",
}


def parse(words: list[str], *, whole: bool) -> None:
    """Parse a command line as click does, without running anything."""
    arguments = words[1:] if words[0] == "rag-gate" else [SCRIPTS[words[1]], *words[2:]]
    command: click.Command = command_line
    context = click.Context(command, info_name="rag-gate", **command.context_settings)
    while isinstance(command, click.Group) and arguments and not arguments[0].startswith("-"):
        name = arguments.pop(0)
        found = command.get_command(context, name)
        assert found is not None, f"no command {name}"
        command = found
    if arguments or (whole and not isinstance(command, click.Group)):
        command.make_context("rag-gate", arguments, parent=context)


@pytest.mark.parametrize(("where", "words"), list(command_lines()))
def test_every_command_line_parses(where: str, words: list[str]) -> None:
    try:
        parse(words, whole=False)
    except click.exceptions.Exit:
        pass  # --help and --version end the parsing
    except click.UsageError as error:
        pytest.fail(f"{where}: {error.format_message()}")


def test_an_unknown_option_is_noticed() -> None:
    with pytest.raises(click.NoSuchOption):
        parse(shlex.split("rag-gate run --confg rag-gate.yml"), whole=True)


def test_the_scripts_are_the_commands_that_the_pages_say() -> None:
    assert {f"eval/{path.name}" for path in (ROOT / "eval").glob("*.py")} == set(SCRIPTS)
    for script, command in SCRIPTS.items():
        assert f"| `python {script}` | `rag-gate {command}` |" in text_of("docs/reference/commands.md")
        assert f'run_script("{command}")' in (ROOT / script).read_text(encoding="utf-8")
