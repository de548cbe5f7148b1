"""Show the gate at work: the unchanged bot, then three planted changes, each judged against the baseline.

Records each variant of the bot over the core cases, runs the whole gate on the recording, and prints
what it decided, in which stage and for which questions. Everything is written to ``out/``.
"""

import contextlib
import io
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag_gate.records.verdict_file import Verdict

HERE = Path(__file__).resolve().parent

CONFIG = HERE / "rag-gate.yml"
#: Variant -> what was changed, and the stage that must be named (None = the gate must pass).
VARIANTS = {
    "unchanged": ("nothing", None),
    "retriever-break": ("chunks of fixed length, cut through sentences", "retrieval"),
    "generator-break": ("answers without numbers and conditions", "answer"),
    "rewording": ("the same answers in politer words", None),
}
SHOWN = "retriever-break"
NAMED = 8


def main() -> int:
    """Run the demo; 0 if every verdict is the one that the change deserves."""
    # Works without an installation: the bot and the package lie beside this file.
    sys.path[:0] = [str(HERE), str(HERE.parents[1] / "eval")]
    started = time.perf_counter()
    wrong = [name for name, (change, stage) in VARIANTS.items() if not show(name, change, stage)]
    comment = HERE / "out" / SHOWN / "comment.md"
    print(f"\n== the comment that a reviewer gets for {SHOWN}\n")
    first_screen, _, folded = comment.read_text(encoding="utf-8").partition("<details>")
    print(first_screen.rstrip())
    print(
        f"\n... and {folded.count('<summary>')} folded blocks, in examples/support-bot/out/{SHOWN}/comment.md\n"
    )
    print(
        f"{len(VARIANTS)} gates in {time.perf_counter() - started:.1f} s; comments and numbers are in examples/{HERE.name}/out/"
    )
    for name in wrong:
        print(f"WRONG VERDICT: {name}", file=sys.stderr)
    return 1 if wrong else 0


def show(name: str, change: str, stage: str | None) -> bool:
    """Gate one variant and print its verdict; tell whether it is the right one."""
    verdict = gate(name)
    print(f"\n== {name}: {change}")
    print(
        f"   verdict: {verdict.overall}"
        + (f" in {' and '.join(verdict.failing_dimensions)}" if verdict.stage else "")
    )
    print(f"   {verdict.summary}")
    failing = [row.question_id for row in verdict.cases.newly_failing]
    if failing:
        more = f" and {len(failing) - NAMED} more" if len(failing) > NAMED else ""
        print(f"   newly failing: {', '.join(failing[:NAMED])}{more}")
    return verdict.stage == stage and verdict.overall == ("regressed" if stage else "pass")


def gate(name: str) -> "Verdict":
    """Record one variant of the bot and run the whole gate on it."""
    import record

    from rag_gate.pipeline import Overrides, run_all

    bot = HERE / "bot.yml" if name == "unchanged" else HERE / "changes" / f"{name}.yml"
    folder = HERE / "out" / name
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        record.record(bot, HERE / "golden.jsonl", folder / "run.jsonl", "core")
        decided, _ = run_all(CONFIG, Overrides(run=str(folder / "run.jsonl"), output=folder), strict=False)
        return decided.verdict


if __name__ == "__main__":
    sys.exit(main())
