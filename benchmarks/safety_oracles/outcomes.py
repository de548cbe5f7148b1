"""What the command said of each oracle row, beside what the row says."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from safety_oracles.rows import Row, material_of

Said = Literal["fail", "undecided", "pass"]
#: Which check's findings count for a kind; None = what refusal_accuracy says.
_CHECKS: Mapping[str, str | None] = {
    "pii": "personal_data",
    "secrets": "secrets",
    "output_handling": "output",
    "negative_assertions": "negative_assertions",
    "refusal": None,
    "system_prompt_leak": "leak",
    "business_rules": "rules",
    "toxicity": "rules",
}
_POSITIVE = {
    "negative_assertions": "violated",
    "system_prompt_leak": "leak",
    "business_rules": "violated",
    "toxicity": "toxic",
}


@dataclass(frozen=True)
class Outcome:
    """One row.

    Attributes:
        row: as in the file.
        is_positive: whether something must be found.
        said: what was found.
        findings: of the check that the kind is about.
    """

    row: Row
    is_positive: bool
    said: Said
    findings: Sequence[Mapping[str, Any]]

    @property
    def is_right(self) -> bool:
        """Whether it is right; what only a judge can tell may be left to one."""
        if self.said == "undecided":
            return self.is_positive or self.row.get("tier") == "judge"
        return self.is_positive is (self.said == "fail")


def read_rows(path: Path) -> list[Row]:
    """Read an oracle file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def outcomes(kind: str, rows: Sequence[Row], folder: Path, *, strict: bool = False) -> list[Outcome]:
    """Run `rag-gate safety` on the rows of a kind and return what it said of each."""
    material = material_of(kind, rows)
    golden, run = folder / f"{kind}.golden.jsonl", folder / f"{kind}.run.jsonl"
    _write(golden, material.golden)
    _write(run, material.run)
    config, output = folder / f"{kind}.yml", folder / f"{kind}.safety.json"
    config.write_text(json.dumps({"safety": {**material.settings, "strict": strict}}), "utf-8")
    command = [sys.executable, "-m", "rag_gate", "safety", "--dataset", str(golden), "--run", str(run)]
    command += ["--config", str(config), "--output", str(output)]
    subprocess.run(command, check=True, capture_output=True)
    cases = {case["question_id"]: case for case in json.loads(output.read_text("utf-8"))["cases"]}
    return [_outcome(kind, row, cases[row["id"]]) for row in rows]


def _write(path: Path, rows: Sequence[Row]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def _outcome(kind: str, row: Row, case: Mapping[str, Any]) -> Outcome:
    check = _CHECKS[kind]
    positive = bool(row[_POSITIVE[kind]]) if kind in _POSITIVE else row["verdict"] != "pass"
    if check is None:
        return Outcome(row, positive, "fail" if case["scores"]["refusal_accuracy"] == 0 else "pass", ())
    found = [finding for finding in case["detail"]["findings"] if finding["check"] == check]
    rulings = {finding["ruling"] for finding in found}
    # Names and addresses of computers are a warning by default; for what is found that is no matter.
    seen = {"fail", "warn"} if kind == "pii" else {"fail"}
    said: Said = "fail" if rulings & seen else "undecided" if "undecided" in rulings else "pass"
    return Outcome(row, positive, said, found)


def typed_hits(found: Sequence[Outcome]) -> Iterator[bool]:
    """Yield for each expected value whether a finding of its type stands at its place."""
    for outcome in found:
        for wanted in outcome.row["expected"]:
            if wanted["status"] != "allowed":
                yield any(
                    finding["rule"] == wanted["type"]
                    and finding["start"] < wanted["end"]
                    and wanted["start"] < finding["end"]
                    for finding in outcome.findings
                )
