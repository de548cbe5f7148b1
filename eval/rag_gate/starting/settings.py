"""The first rag-gate.yml: only what this set can be measured on."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rag_gate.files import canonical_json

_HEAD = """# Settings of rag-gate. On a pull request, the base branch's version of this file decides.
# Every key: docs/reference/settings.md of rag-gate.
schema_version: 1
"""
_RETRIEVAL = {"recall@5": 0.03, "mrr": 0.03}
_ANSWERS = {"correctness": 0.03, "safety_pass_rate": 0.0}


#: How the bot is asked, until the user says it otherwise.
BOT = Path("bot.py")
_TARGET = (
    "target:    # how rag-gate record asks your bot; a bot behind HTTP or a program: see 'target' in the page of the keys",
    f'  python: {{answer: "{BOT.stem}:answer"}}',
)


def settings_text(
    dataset: Path, run: Path | None, rows: Sequence[Mapping[str, Any]], *, is_recorded: bool
) -> str:
    """Return the settings for a golden set and its run.

    Args:
        dataset: as it stands in the settings.
        run: likewise; None where the golden rows hold the results.
        rows: the golden rows; where none has an expected answer, only retrieval decides.
        is_recorded: whether the run is there already, so that no bot need be asked.
    """
    answers = any(row.get("expected_answer") for row in rows)
    lines = [
        f"dataset: {canonical_json(str(dataset))}    # what your bot is asked, and what a right answer needs"
    ]
    if run is not None:
        lines.append(f"run: {canonical_json(str(run))}    # what your bot retrieved and answered")
    lines += [] if is_recorded else _TARGET
    lines += ["output: eval_results", "baseline: baseline.json    # written by rag-gate promote"]
    if not answers:
        lines += [
            "judge: {engine: none}     # remove this line when cases have an expected_answer",
            "safety: {engine: none}    # remove this line to check the answers for personal data and the like",
        ]
    lines.append("tolerances:    # metric -> largest drop that passes")
    lines += [f"  {name}: {drop}" for name, drop in {**_RETRIEVAL, **(_ANSWERS if answers else {})}.items()]
    return _HEAD + "\n".join(lines) + "\n"
