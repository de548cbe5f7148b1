"""Make the environment that the action runs in, and say what the next steps need to know of it.

Runs under the interpreter that prepare.sh found, before anything is installed: standard library only.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

ACTION = Path(__file__).resolve().parents[2]
_SLIM = "action"
#: What an installer must not see: the workflow's token.
_SECRETS = ("RAG_GATE_TOKEN",)
#: Would send the packages elsewhere than into the environment.
_MISLEADING = ("PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_REQUIRE_VIRTUALENV", "PYTHONHOME")
#: Only these events of the default branch may write the cache: no pull request's code or data runs in them.
_TRUSTED_EVENTS = frozenset({"push", "workflow_dispatch"})
_NOT_IN_A_KEY = re.compile(r"[^A-Za-z0-9._-]+")


class PrepareError(Exception):
    """Something that the user must put right; the message says what."""


def main() -> int:
    """Prepare, write the outputs, and return the exit code."""
    began = time.perf_counter()
    try:
        environment = Environment()
        needs = environment.made()
    except PrepareError as error:
        sys.stderr.write(f"::error title=rag-gate::{_one_line(str(error))}\n")
        return 1
    outputs = {
        "python": environment.python.as_posix(),
        "artifact": artifact_name(os.environ),
        **cache_outputs(os.environ, needs),
    }
    with Path(os.environ["GITHUB_OUTPUT"]).open("a", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{name}={value}\n" for name, value in outputs.items())
    took = time.perf_counter() - began
    sys.stdout.write(
        f"rag-gate {_version()} with Python {_series(3)} ({environment.how}): ready in {took:.1f} s\n"
    )
    return 0


class Environment:
    """The virtual environment, keyed by version, interpreter and lock: a second use in a job finds it made."""

    def __init__(self) -> None:
        """Say where the environment is, and how it is made."""
        self._own = os.environ.get("RAG_GATE_INSTALL", "auto") != "none"
        self._uv = shutil.which("uv")
        lock = hashlib.sha256(_lock(_SLIM).read_bytes()).hexdigest()[:12]
        self.folder = _home() / f"venv-{_version()}-py{_series(2)}-{lock}"
        self.python = Path(sys.executable)
        self.how = "as it is"
        if self._own:
            inside = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
            self.python = self.folder.joinpath(*inside)
            self.how = "uv" if self._uv else "pip"

    def made(self) -> dict[str, object]:
        """Install the small set, and the large ones that the settings ask for.

        Returns:
            what the settings need, as ``rag-gate needs`` tells it.
        """
        if self._own:
            self._create()
            self._install(_SLIM)
        needs = self._needs()
        locks = needs.get("locks", [])
        for name in locks if self._own and isinstance(locks, list) else []:
            self._install(str(name))
        return needs

    def _create(self) -> None:
        if (self.folder / "created").is_file():
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        if self._uv:
            command = [self._uv, "venv", "--quiet", "--no-project", "--python", sys.executable]
        else:
            # Without pip: the interpreter's own installs into the environment, which saves seconds.
            bare = ["--without-pip"] if self._has_pip else []
            command = [sys.executable, "-I", "-m", "venv", *bare]
        self._run([*command, str(self.folder)], "make a virtual environment")
        (self.folder / "created").touch()

    @cached_property
    def _has_pip(self) -> bool:
        return (
            subprocess.run(
                [sys.executable, "-I", "-m", "pip", "--version"], capture_output=True, check=False
            ).returncode
            == 0
        )

    def _install(self, name: str) -> None:
        done = self.folder / f"installed-{name}"
        if done.is_file():
            return
        common = [
            "--quiet",
            "--require-hashes",
            "--no-deps",
            "--only-binary",
            ":all:",
            "--requirement",
            str(_lock(name)),
        ]
        if self._uv:
            command = [self._uv, "pip", "install", "--python", str(self.python), *common]
        else:
            outside = [sys.executable, "-I", "-m", "pip", "--python", str(self.python)]
            pip = outside if self._has_pip else [str(self.python), "-I", "-m", "pip"]
            # Only what is imported gets compiled, when it is.
            command = [*pip, "install", "--no-compile", "--disable-pip-version-check", "--no-input", *common]
        self._run(command, f"install requirements/{name}.txt")
        done.touch()

    def _needs(self) -> dict[str, object]:
        """Ask rag-gate itself what the settings need; where it cannot tell, the gate's own run says why."""
        config = os.environ.get("RAG_GATE_CONFIG") or "rag-gate.yml"
        command = [
            str(self.python),
            "-I",
            "-X",
            "utf8",
            str(ACTION / "scripts" / "action" / "gate.py"),
            "needs",
        ]
        done = subprocess.run([*command, "--config", config], stdout=subprocess.PIPE, check=False)
        if done.returncode != 0:
            raise PrepareError(
                f"rag-gate does not start with {self.python.as_posix()}; the lines above say why"
                + ("" if self._own else ". The input 'install: none' needs an interpreter with its packages")
            )
        found: dict[str, object] = json.loads(done.stdout)
        return found

    def _run(self, command: Sequence[str], purpose: str) -> None:
        """Run an installer, from a folder where it meets no settings of the checked-out repository."""
        environment = {
            key: value for key, value in os.environ.items() if key not in {*_MISLEADING, *_SECRETS}
        }
        ended = subprocess.run(command, cwd=_home(), env=environment, check=False)
        if ended.returncode != 0:
            raise PrepareError(
                f"Could not {purpose} with {self.how} (exit code {ended.returncode}); the lines above say why. "
                "Without access to a package index, set PIP_INDEX_URL (or UV_DEFAULT_INDEX) to yours, or use "
                "the inputs 'install: none' and 'python'"
            )


def artifact_name(variables: Mapping[str, str]) -> str:
    """Return the artifact's name; empty where nothing shall be uploaded. One run may hold several gates and shards."""
    asked = variables.get("RAG_GATE_ARTIFACT") or "auto"
    if asked != "auto":
        return "" if asked == "none" else _NOT_IN_A_KEY.sub("-", asked)
    gate, shard = variables.get("RAG_GATE_COMMENT_ID"), variables.get("RAG_GATE_SHARD")
    name = f"rag-gate-{_NOT_IN_A_KEY.sub('-', gate)}" if gate else "rag-gate"
    return f"{name}-shard-{_NOT_IN_A_KEY.sub('-of-', shard)}" if shard else name


def cache_outputs(variables: Mapping[str, str], needs: Mapping[str, object]) -> dict[str, str]:
    """Return what the steps around the judge's cache need to know.

    Args:
        variables: the environment of the step.
        needs: what the settings need; only a model's verdicts are worth keeping.
    """
    folder = variables.get("RAG_GATE_CACHE_DIR") or (_home() / "judge-cache").as_posix()
    if not needs.get("model_judge") or variables.get("RAG_GATE_CACHE", "true") != "true":
        return {"cache": "off", "cache-folder": folder}
    parts = [variables.get("RAG_GATE_COMMENT_ID") or "default", variables.get("RAG_GATE_SHARD") or "all"]
    family = f"rag-gate-judge-v1-{_NOT_IN_A_KEY.sub('-', parts[0])}"
    shard = f"{family}-{_NOT_IN_A_KEY.sub('-of-', parts[1])}"
    run = f"{variables.get('GITHUB_RUN_ID', '0')}-{variables.get('GITHUB_RUN_ATTEMPT', '1')}"
    return {
        "cache": "save" if _is_trusted(variables) else "restore",
        "cache-folder": folder,
        "cache-key": f"{shard}-{run}",
        "cache-shard": f"{shard}-",
        "cache-family": f"{family}-",
    }


def _is_trusted(variables: Mapping[str, str]) -> bool:
    """Tell whether this run is one of the default branch's code; a schedule is, and need not say what that is called."""
    event, branch = variables.get("GITHUB_EVENT_NAME"), variables.get("RAG_GATE_DEFAULT_BRANCH")
    if event == "schedule":
        return True
    return event in _TRUSTED_EVENTS and bool(branch) and variables.get("GITHUB_REF") == f"refs/heads/{branch}"


def _home() -> Path:
    folder = Path(os.environ.get("RUNNER_TEMP") or tempfile.gettempdir()) / "rag-gate"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _lock(name: str) -> Path:
    return ACTION / "requirements" / f"{name}.txt"


def _version() -> str:
    text = (ACTION / "eval" / "rag_gate" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'__version__ = "([^"]+)"', text)
    if found is None:
        raise PrepareError(f"{ACTION} holds no complete rag-gate; pin the action to a released version")
    return found[1]


def _series(parts: int) -> str:
    return ".".join(map(str, sys.version_info[:parts]))


def _one_line(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


if __name__ == "__main__":
    sys.exit(main())
