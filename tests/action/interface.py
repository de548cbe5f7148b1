"""The action and the workflows as data."""

from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
RUN_STEPS = [step for step in STEPS if "run" in step]


def workflow(name: str) -> dict[str, Any]:
    """Return a workflow; YAML takes its key ``on`` for a boolean."""
    text = (ROOT / ".github" / "workflows" / name).read_text(encoding="utf-8")
    document: dict[Any, Any] = yaml.safe_load(text)
    return {("on" if key is True else key): value for key, value in document.items()}


def steps_of(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the steps of all jobs."""
    return [step for job in document["jobs"].values() for step in job.get("steps", [])]
