"""What action.yml offers, uses and documents is one and the same."""

import re
from typing import Any

import pytest
import yaml
from interface import ACTION, ROOT, RUN_STEPS, STEPS, WORKFLOWS, steps_of, workflow

from rag_gate.cli import main

INPUTS: dict[str, Any] = ACTION["inputs"]
OUTPUTS: dict[str, Any] = ACTION["outputs"]
#: Official actions: repository -> (version, commit), as their repositories have them.
PINS = {
    "actions/checkout": ("v7.0.1", "3d3c42e5aac5ba805825da76410c181273ba90b1"),
    "actions/cache": ("v5.0.5", "27d5ce7f107fe9357f9df03efb73ab90386fccae"),
    "actions/upload-artifact": ("v7.0.0", "bbbca2ddaa5d8feaa63e36b76fdaad77386f024f"),
    "actions/download-artifact": ("v8.0.1", "3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c"),
    "astral-sh/setup-uv": ("v10.0.1", "20cfd1bf945f4377ade1205e4dbc17946fc9a30d"),
    "actions/setup-python": ("v7.0.0", "5fda3b95a4ea91299a34e894583c3862153e4b97"),
}
_USED = re.compile(r"^\s*-? *uses: ([\w.-]+/[\w.-]+)(/[\w.-]+)?@(\S+) # (\S+)$", re.MULTILINE)
_OUTSIDE = re.compile(r"^\s*-? *uses: (?!\./)", re.MULTILINE)
#: Where an input goes under another name than RAG_GATE_<INPUT>.
ELSEWHERE = {"working-directory": "", "github-token": "RAG_GATE_TOKEN"}


def variables() -> dict[str, str]:
    """Each environment variable of the action's own steps that takes an input -> that input."""
    found = {}
    for step in RUN_STEPS:
        for name, value in step.get("env", {}).items():
            match = re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", str(value))
            if match:
                found[name] = match[1]
    return found


@pytest.mark.parametrize("name", INPUTS)
def test_each_input_is_mapped_explicitly_since_a_real_runner_passes_none_by_itself(name: str) -> None:
    if name == "working-directory":
        folders = {
            step.get("working-directory")
            for step in RUN_STEPS
            if "prepare" in step["run"] or "gate.sh" in step["run"]
        }
        assert folders == {"${{ inputs.working-directory }}"}
        return
    expected = ELSEWHERE.get(name) or f"RAG_GATE_{name.upper().replace('-', '_')}"
    assert variables().get(expected) == name


def test_no_variable_takes_an_input_that_is_not_there() -> None:
    assert set(variables().values()) <= set(INPUTS)


@pytest.mark.parametrize("name", INPUTS)
def test_each_input_is_optional_and_described(name: str) -> None:
    assert "default" in INPUTS[name]
    assert not INPUTS[name].get("required")
    assert isinstance(INPUTS[name]["default"], str)
    assert INPUTS[name]["description"].endswith(".")


def test_each_variable_of_an_input_is_read() -> None:
    sources = [*(ROOT / "scripts" / "action").iterdir(), *(ROOT / "eval" / "rag_gate").rglob("*.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources if path.is_file())
    read = {option.envvar for option in main.commands["ci"].params}
    unread = [name for name in variables() if name not in read and not re.search(rf"\b{name}\b", text)]
    assert unread == []


def test_each_choice_of_the_command_is_described() -> None:
    for option in main.commands["ci"].params:
        name = (option.opts[0]).removeprefix("--")
        for choice in getattr(option.type, "choices", ()):
            assert f"`{choice}`" in INPUTS[name]["description"], f"{name}: {choice}"


@pytest.mark.parametrize("name", OUTPUTS)
def test_each_output_comes_from_a_step_and_is_described(name: str) -> None:
    match = re.fullmatch(r"\$\{\{ steps\.([\w-]+)\.outputs\.([\w-]+) \}\}", OUTPUTS[name]["value"])
    assert match is not None
    assert match[1] in {step.get("id") for step in STEPS}
    assert match[2] == name
    assert OUTPUTS[name]["description"].endswith(".")


@pytest.mark.parametrize("path", [ROOT / "action.yml", *WORKFLOWS], ids=lambda path: path.name)
def test_no_expression_is_pasted_into_a_shell_line(path: Any) -> None:
    steps = STEPS if path.name == "action.yml" else steps_of(workflow(path.name))
    assert [step["run"] for step in steps if "${{" in step.get("run", "")] == []


@pytest.mark.parametrize("path", [ROOT / "action.yml", *WORKFLOWS], ids=lambda path: path.name)
def test_each_action_is_pinned_by_commit_and_names_its_version(path: Any) -> None:
    text = path.read_text(encoding="utf-8")
    used = _USED.findall(text)
    assert len(used) == len(_OUTSIDE.findall(text))
    for repository, _, commit, version in used:
        assert PINS[repository] == (version, commit)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_has_the_least_permissions_and_a_time_limit(path: Any) -> None:
    document = workflow(path.name)
    assert document["permissions"] in ({}, {"contents": "read"})
    for name, job in document["jobs"].items():
        if "uses" not in job:
            assert job["timeout-minutes"] <= 30, name


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_checkout_leaves_no_token_behind(path: Any) -> None:
    for step in steps_of(workflow(path.name)):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


def test_the_branding_is_complete_and_the_verdict_is_the_last_step() -> None:
    assert ACTION["branding"] == {"icon": "check-circle", "color": "green"}
    assert "verdict.sh" in STEPS[-1]["run"]


def test_the_pull_request_workflow_is_not_filtered_and_runs_again_for_another_base() -> None:
    """A check stays when a pull request is moved to a base with other rules; that is told as ``edited``."""
    triggers = workflow("dogfood.yml")["on"]
    assert set(triggers) == {"pull_request", "merge_group", "push"}
    assert triggers["pull_request"] == {"types": ["opened", "synchronize", "reopened", "edited"]}


def test_a_job_that_decides_over_others_is_never_skipped() -> None:
    """A skipped check counts as passed, and ``!cancelled()`` skips it for everyone who can cancel."""
    assert workflow("gate.yml")["jobs"]["decide"]["if"] == "${{ always() }}"


def test_the_readme_shows_the_workflow_of_this_repository_itself() -> None:
    own = (ROOT / ".github" / "workflows" / "dogfood.yml").read_text(encoding="utf-8")
    assert own.count("uses: ./\n") == 1
    shown = own.replace("uses: ./\n", "uses: org/rag-gate@v1\n")
    assert f"```yaml\n{shown}```" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_each_input_of_a_shipped_workflow_is_one_of_the_action() -> None:
    templates = sorted((ROOT / "eval" / "rag_gate" / "templates" / "github").glob("rag-gate*.yml"))
    assert templates
    for path in templates:
        for step in steps_of(yaml.safe_load(path.read_text(encoding="utf-8"))):
            if step.get("uses", "").startswith("org/rag-gate@"):
                assert set(step.get("with", {})) <= set(INPUTS), path.name


@pytest.mark.parametrize("name", ["gate.yml", "promote.yml"])
def test_a_reusable_workflow_is_documented(name: str) -> None:
    inputs = workflow(name)["on"]["workflow_call"]["inputs"]
    page = {"gate.yml": "split-a-large-set.md", "promote.yml": "promote-in-a-workflow.md"}[name]
    text = (ROOT / "docs" / "how-to" / page).read_text(encoding="utf-8")
    assert [key for key in inputs if f"`{key}`" not in text and f"{key}: " not in text] == []
