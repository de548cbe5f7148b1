"""The environment that the action makes for itself, really installed, from files."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from act_runner import ROOT
from app import App, Clone, edit, publish
from fake_github import TOKEN, FakeGitHub
from wheelhouse import wheelhouse

SCRIPT = ROOT / "scripts" / "action" / "prepare.sh"
Prepared = tuple[int, dict[str, str], str]


def prepare_module() -> Any:
    spec = spec_from_file_location("prepare", SCRIPT.with_suffix(".py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PREPARE = prepare_module()


@pytest.fixture(scope="module")
def wheels() -> Path:
    return wheelhouse()


@pytest.fixture
def prepare(tmp_path: Path) -> Callable[..., Prepared]:
    """Run the step as a runner does, with its own temporary folder."""

    def run(path: Path | None = None, **variables: str) -> Prepared:
        output = tmp_path / "output"
        output.write_text("", encoding="utf-8")
        kept = {
            key: value for key, value in os.environ.items() if not key.startswith(("GITHUB_", "RAG_GATE_"))
        }
        for name in ("PYTHONPATH", "RUNNER_TOOL_CACHE"):
            kept.pop(name, None)
        own = {"RUNNER_TEMP": str(tmp_path / "temp"), "GITHUB_OUTPUT": str(output)}
        done = subprocess.run(
            ["/bin/bash", SCRIPT],
            cwd=tmp_path,
            env={**kept, **own, **({"PATH": str(path)} if path else {}), **variables},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        lines = [line.split("=", 1) for line in output.read_text(encoding="utf-8").splitlines()]
        return done.returncode, {line[0]: line[1] for line in lines}, done.stdout + done.stderr

    return run


def programs(folder: Path, **named: Path | str) -> Path:
    """A folder for PATH with the usual small programs and the named ones."""
    folder.mkdir()
    for name in ("bash", "dirname", "env", "cat"):
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    for name, target in named.items():
        if isinstance(target, Path):
            (folder / name).symlink_to(target)
        else:
            (folder / name).write_text(target, encoding="utf-8")
            (folder / name).chmod(0o755)
    return folder


def base_python() -> Path:
    """The interpreter under the tests' environment: it has pip, and none of our packages."""
    return Path(getattr(sys, "_base_executable", sys.executable))


def test_pip_installs_the_small_set_from_its_hashes_and_the_gate_starts(
    tmp_path: Path, prepare: Callable[..., Prepared], wheels: Path
) -> None:
    path = programs(tmp_path / "bin", python3=f'#!/bin/sh\nexec "{base_python()}" "$@"\n')
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PIP_CONFIG_FILE": os.devnull}
    code, outputs, said = prepare(path, **offline, PIP_USER="1", PIP_TARGET="/nonexistent")
    assert code == 0, said
    assert "(pip): ready in" in said
    found = subprocess.run(
        [outputs["python"], "-I", ROOT / "scripts/action/gate.py", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.startswith("rag-gate, version ")
    installed = {
        path.name.split("-")[0].lower() for path in Path(outputs["python"]).parents[1].rglob("*.dist-info")
    }
    assert {"pydantic", "click", "httpx"} <= installed
    assert not installed & {"datasets", "ragas", "pandas", "pyarrow", "hatchling"}

    again, second, said = prepare(path, PIP_NO_INDEX="1")
    assert (again, second["python"]) == (0, outputs["python"]), said


def test_the_installed_set_is_small(prepare: Callable[..., Prepared], wheels: Path) -> None:
    code, outputs, said = prepare(
        RAG_GATE_PYTHON=str(base_python()),
        PIP_NO_INDEX="1",
        PIP_FIND_LINKS=str(wheels),
        UV_NO_INDEX="1",
        UV_FIND_LINKS=str(wheels),
    )
    assert code == 0, said
    files = [
        path
        for path in Path(outputs["python"]).parents[1].rglob("*")
        if path.is_file() and not path.is_symlink()
    ]
    assert sum(path.stat().st_size for path in files) < 110_000_000


def test_a_package_that_is_not_the_locked_one_is_refused(
    tmp_path: Path, prepare: Callable[..., Prepared], wheels: Path
) -> None:
    tampered = tmp_path / "wheels"
    shutil.copytree(wheels, tampered)
    (victim,) = tampered.glob("click-*.whl")
    victim.write_bytes(victim.read_bytes() + b" ")
    path = programs(tmp_path / "bin", python3=f'#!/bin/sh\nexec "{base_python()}" "$@"\n')
    code, outputs, said = prepare(
        path, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(tampered), PIP_CONFIG_FILE=os.devnull
    )
    assert (code, outputs) == (1, {})
    assert "::error title=rag-gate::Could not install requirements/action.txt with pip" in said


def test_without_an_index_the_error_says_what_to_do(tmp_path: Path, prepare: Callable[..., Prepared]) -> None:
    path = programs(tmp_path / "bin", python3=f'#!/bin/sh\nexec "{base_python()}" "$@"\n')
    code, _, said = prepare(path, PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull, PIP_FIND_LINKS=str(tmp_path))
    assert code == 1
    assert "PIP_INDEX_URL" in said
    assert "install: none" in said


def test_uv_is_used_where_it_is(tmp_path: Path, prepare: Callable[..., Prepared]) -> None:
    """A stand-in notes how it is called: with hashes, and from a folder without the repository's settings."""
    noted = tmp_path / "noted"
    uv = f'#!/bin/sh\necho "$PWD $*" >>"{noted}"\nif [ "$1" = venv ]; then "{base_python()}" -m venv --without-pip "$6"; fi\n'
    path = programs(tmp_path / "bin", python3=f'#!/bin/sh\nexec "{base_python()}" "$@"\n', uv=uv)
    code, _, said = prepare(path)
    assert code == 1, "the stand-in installs nothing, so rag-gate cannot start"
    assert "rag-gate does not start" in said
    made, installed = noted.read_text(encoding="utf-8").splitlines()
    assert made.startswith(f"{tmp_path / 'temp' / 'rag-gate'} venv --quiet --no-project --python ")
    assert " pip install " in installed
    assert "--require-hashes --no-deps --only-binary :all:" in installed


def test_with_install_none_nothing_is_made(tmp_path: Path, prepare: Callable[..., Prepared]) -> None:
    code, outputs, said = prepare(RAG_GATE_INSTALL="none", RAG_GATE_PYTHON=sys.executable)
    assert code == 0, said
    assert outputs["python"] == Path(sys.executable).as_posix()
    assert not list((tmp_path / "temp" / "rag-gate").glob("venv*"))


def test_with_install_none_missing_packages_are_named(
    tmp_path: Path, prepare: Callable[..., Prepared]
) -> None:
    subprocess.run([base_python(), "-m", "venv", "--without-pip", tmp_path / "empty"], check=True)
    code, _, said = prepare(
        RAG_GATE_INSTALL="none", RAG_GATE_PYTHON=str(tmp_path / "empty" / "bin" / "python")
    )
    assert code == 1
    assert "The input 'install: none' needs an interpreter with its packages" in said


def test_an_unfit_python_is_refused_by_name(tmp_path: Path, prepare: Callable[..., Prepared]) -> None:
    old = programs(tmp_path / "bin", old="#!/bin/sh\nexit 1\n") / "old"
    code, _, said = prepare(RAG_GATE_PYTHON=str(old))
    assert code == 1
    assert "The input 'python' names no Python 3.11, 3.12 or 3.13" in said


def test_where_no_python_fits_the_error_names_setup_python(
    tmp_path: Path, prepare: Callable[..., Prepared]
) -> None:
    path = programs(tmp_path / "bin", python3="#!/bin/sh\nexit 1\n")
    code, _, said = prepare(path)
    assert code == 1
    assert "actions/setup-python" in said


def test_a_python_of_the_tool_cache_is_found(tmp_path: Path, prepare: Callable[..., Prepared]) -> None:
    kept = tmp_path / "tools" / "Python" / "3.12.4" / "x64" / "bin"
    kept.mkdir(parents=True)
    (kept / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    (kept / "python3").chmod(0o755)
    path = programs(tmp_path / "bin")
    code, _, said = prepare(path, RUNNER_TOOL_CACHE=str(tmp_path / "tools"), RAG_GATE_INSTALL="none")
    assert code == 0, said


def test_a_module_of_the_repository_is_not_taken_for_a_library(
    tmp_path: Path, prepare: Callable[..., Prepared]
) -> None:
    for name in ("json.py", "click.py", "rag_gate.py", "yaml.py"):
        (tmp_path / name).write_text("raise SystemExit('hijacked')\n", encoding="utf-8")
    code, _, said = prepare(
        RAG_GATE_INSTALL="none", RAG_GATE_PYTHON=sys.executable, PYTHONPATH=str(tmp_path), PYTHONSAFEPATH=""
    )
    assert code == 0, said
    assert "hijacked" not in said


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("dataset: golden.jsonl\nrun: run.json\n", []),
        ("dataset: golden.csv\n", ["core"]),
        ("dataset: golden.jsonl\nrun: run.parquet\n", ["core"]),
        ("dataset: owner/name\n", ["core"]),
        ("dataset: [broken\n", []),
        ("", []),
    ],
)
def test_large_packages_are_asked_for_only_where_the_settings_need_them(
    tmp_path: Path, settings: str, expected: list[str]
) -> None:
    (tmp_path / "rag-gate.yml").write_text(settings, encoding="utf-8")
    command: list[str | Path] = [
        sys.executable,
        "-I",
        ROOT / "scripts/action/gate.py",
        "needs",
        "--config",
        tmp_path / "rag-gate.yml",
    ]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    assert f'"locks":{expected}'.replace("'", '"') in done.stdout.replace(" ", "")


def test_what_the_base_commit_needs_is_installed_as_well(app: App, api: FakeGitHub, tmp_path: Path) -> None:
    """Its settings decide, whatever the pull request says, and whether the clone holds them or GitHub must be asked."""

    def locks(pull: Clone) -> object:
        command: list[str | Path] = [sys.executable, "-I", ROOT / "scripts/action/gate.py", "needs"]
        event = tmp_path / "event.json"
        event.write_text(json.dumps(pull.pull_request()), encoding="utf-8")
        known = {
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_REPOSITORY": "org/app",
            "GITHUB_API_URL": api.url,
            "RAG_GATE_TOKEN": TOKEN,
        }
        done = subprocess.run(
            command,
            cwd=pull.folder,
            env={**os.environ, **known},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
        return json.loads(done.stdout)["locks"]

    to_csv = edit("rag-gate.yml", "golden.jsonl", "golden.csv")
    assert locks(app.pull()) == []
    assert api.log == [], "what the clone holds is not asked for"
    assert locks(app.pull(to_csv)) == ["core"]
    app.user.git("branch", "--quiet", "kept", "main")
    to_csv(app.user)
    app.commit("A table")
    back = edit("rag-gate.yml", "golden.csv", "golden.jsonl")
    assert locks(app.pull(back)) == ["core"]
    shallow = app.pull(back, depth=1)
    assert locks(shallow) == [], "where the base cannot be had, the gate itself says so"
    publish(api, app, shallow.base)
    assert locks(shallow) == ["core"]
    app.user.git("reset", "--quiet", "--hard", "kept")


def test_without_the_large_packages_a_table_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "golden.csv").write_text("question_id,question\n", encoding="utf-8")
    code = "import sys; sys.modules['datasets'] = None; from rag_gate.cli import main; main()"
    command = [sys.executable, "-c", code, "retrieval", "--dataset", "golden.csv", "--run", "run.jsonl"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "eval")}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert 'golden.csv: this format needs an optional dependency: pip install "datasets' in done.stderr


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, "rag-gate"),
        ({"RAG_GATE_COMMENT_ID": "faq", "RAG_GATE_SHARD": "2/4"}, "rag-gate-faq-shard-2-of-4"),
        ({"RAG_GATE_ARTIFACT": "none"}, ""),
        ({"RAG_GATE_ARTIFACT": "../my:name"}, "..-my-name"),
    ],
)
def test_the_artifact_has_a_name_of_its_own_in_the_run(variables: dict[str, str], expected: str) -> None:
    assert PREPARE.artifact_name(variables) == expected


MODEL = {"model_judge": True}
MAIN = {
    "RAG_GATE_DEFAULT_BRANCH": "main",
    "GITHUB_REF": "refs/heads/main",
    "GITHUB_EVENT_NAME": "push",
    "GITHUB_RUN_ID": "7",
    "RUNNER_TEMP": "/tmp",  # noqa: S108 - no file is written
}


def test_only_the_default_branch_may_keep_verdicts() -> None:
    kept = PREPARE.cache_outputs(MAIN, MODEL)
    assert (kept["cache"], kept["cache-key"]) == ("save", "rag-gate-judge-v1-default-all-7-1")
    for change in (
        {"GITHUB_EVENT_NAME": "pull_request"},
        {"GITHUB_EVENT_NAME": "pull_request_target"},
        {"GITHUB_EVENT_NAME": "workflow_run"},
        {"GITHUB_REF": "refs/heads/other"},
        {"RAG_GATE_DEFAULT_BRANCH": ""},
    ):
        assert PREPARE.cache_outputs({**MAIN, **change}, MODEL)["cache"] == "restore"
    schedule = {"GITHUB_EVENT_NAME": "schedule", "RAG_GATE_DEFAULT_BRANCH": ""}
    assert PREPARE.cache_outputs({**MAIN, **schedule}, MODEL)["cache"] == "save", (
        "its payload names no branch"
    )


def test_without_a_model_there_is_nothing_to_keep() -> None:
    assert PREPARE.cache_outputs(MAIN, {"model_judge": False})["cache"] == "off"
    assert PREPARE.cache_outputs({**MAIN, "RAG_GATE_CACHE": "false"}, MODEL)["cache"] == "off"


def test_shards_keep_their_own_verdicts_and_find_those_of_other_cuts() -> None:
    found = PREPARE.cache_outputs({**MAIN, "RAG_GATE_SHARD": "2/4"}, MODEL)
    assert found["cache-shard"] == "rag-gate-judge-v1-default-2-of-4-"
    assert found["cache-family"] == "rag-gate-judge-v1-default-"
    assert found["cache-key"].startswith(found["cache-shard"])
