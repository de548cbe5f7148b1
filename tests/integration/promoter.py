"""A user who measures and promotes, in a folder of their own."""

import copy
import gc
import hashlib
import json
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from cli_runner import Ended
from click.testing import CliRunner

from rag_gate.cli import main

SETTINGS = """\
dataset: golden.jsonl
run: run.jsonl
baseline: baseline.json
judge: {engine: none}
tolerances: {recall@5: 0.03, safety_pass_rate: 0.0}
"""
Row = dict[str, Any]


def here(*arguments: str) -> Ended:
    """Start a command in this process: many promotions in a row would take too long otherwise."""
    ended = CliRunner().invoke(main, arguments)
    gc.enable()  # a command that is a process of its own needs none
    return Ended(ended.exit_code, ended.stdout, ended.stderr)


@cache
def _firsts() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


def _kept(key: str) -> Path:
    return Path(_firsts().name) / hashlib.sha256(key.encode()).hexdigest()


class Promoter:
    """A folder with a golden set of which the run loses some cases; the last of them are extended."""

    def __init__(self, folder: Path, cases: int = 100, extended: int = 40) -> None:
        self.folder, self.cases, self.extended = folder, cases, extended
        self.write("rag-gate.yml", SETTINGS)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def record(self, lost: int = 0, answer: str = "3 days", manifest: Row | None = None) -> None:
        golden: list[Row] = []
        run: list[Row] = [{"manifest": manifest}] if manifest else []
        for number in range(self.cases):
            key, tier = f"q{number:03d}", "core" if number < self.cases - self.extended else "extended"
            case = {"question_id": key, "question": f"Question {number}?", "tier": tier}
            golden.append(
                case | {"relevant_doc_ids": [f"d{number}"], "negative_assertions": ["instant refund"]}
            )
            found = f"d{number}" if number >= lost else "other"
            run.append({"question_id": key, "retrieved": [found], "answer": answer})
        for name, rows in (("golden.jsonl", golden), ("run.jsonl", run)):
            self.write(name, "".join(json.dumps(row) + "\n" for row in rows))

    def measure(self, lost: int = 0, tier: str = "extended", **recorded: Any) -> Ended:
        self.record(lost, **recorded)
        return self.run(tier)

    def run(self, tier: str = "extended") -> Ended:
        return here("run", "--config", str(self.folder / "rag-gate.yml"), "--tier", tier)

    def promote(self, *options: str) -> Ended:
        return here(*self.promotion, *options)

    @property
    def promotion(self) -> tuple[str, ...]:
        results = str(self.folder / "eval_results/results.json")
        return "promote", results, "--config", str(self.folder / "rag-gate.yml")

    def first(self, **recorded: Any) -> "Promoter":
        """Measure a run without a loss and make it the first baseline.

        In a folder with settings alone this is done once, and copied for the next who wants the same.
        """
        if {path.name for path in self.folder.iterdir()} != {"rag-gate.yml"}:
            return self._first(**recorded)
        settings = (self.folder / "rag-gate.yml").read_text(encoding="utf-8")
        own = {name: value for name, value in vars(self).items() if name != "folder"}
        kept = _kept(repr((type(self), settings, own, recorded)))
        if not kept.exists():
            other = copy.copy(self)
            other.folder = Path(tempfile.mkdtemp(dir=kept.parent))
            other.write("rag-gate.yml", settings)
            other._first(**recorded)
            other.folder.rename(kept)
        shutil.copytree(kept, self.folder, dirs_exist_ok=True)
        return self

    def _first(self, **recorded: Any) -> "Promoter":
        measured = self.measure(**recorded)
        assert measured.code == 0, measured.err
        promoted = self.promote("--reason", "first")
        assert promoted.code == 0, promoted.err
        return self

    def git(self, *arguments: str) -> str:
        identity = ("-c", "user.name=Kim", "-c", "user.email=kim@example.org", "-c", "commit.gpgsign=false")
        done = subprocess.run(
            ["git", *identity, *arguments],  # noqa: S607 - the user's own git
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    @property
    def baseline(self) -> Row:
        document: Row = json.loads((self.folder / "baseline.json").read_text(encoding="utf-8"))
        return document

    @property
    def kept(self) -> Path:
        """The copy of the promoted run."""
        return self.folder / f"baseline.run.{self.baseline['kept_run'][:12]}.jsonl"

    @property
    def history(self) -> list[Row]:
        text = (self.folder / "baseline.history.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    @property
    def notices(self) -> list[str]:
        verdict = json.loads((self.folder / "eval_results/verdict.json").read_text(encoding="utf-8"))
        found: list[str] = verdict["notices"]
        return found

    @property
    def comment(self) -> str:
        return (self.folder / "eval_results/comment.md").read_text(encoding="utf-8")
