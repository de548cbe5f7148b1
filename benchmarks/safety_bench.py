"""Precision and recall of the safety checks on labelled answers, through the public command, and their speed.

    python benchmarks/safety_bench.py [FOLDER]

FOLDER holds files such as tests/oracles/safety (the default); what is not there is left out.
"""

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "eval")]
os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "eval"), os.environ.get("PYTHONPATH", "")])

from safety_oracles.outcomes import Outcome, outcomes, read_rows, typed_hits  # noqa: E402
from safety_oracles.rows import KINDS, material_of  # noqa: E402

from rag_gate.config_safety import SafetyConfig  # noqa: E402
from rag_gate.records.golden import GoldenCase  # noqa: E402
from rag_gate.records.run import RunRecord  # noqa: E402
from rag_gate.safety.checks import checks_of  # noqa: E402
from rag_gate.safety.findings import SafetyCase  # noqa: E402
from rag_gate.safety.rulings import find_all  # noqa: E402

_ANSWERS, _LENGTH = 1000, 460
_HEAD = f"{'kind':<22}{'rows':>6}{'hits':>6}{'misses':>8}{'alarms':>8}{'open':>6}{'precision':>11}{'recall':>8}{'right':>7}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", nargs="?", type=Path, default=ROOT / "tests" / "oracles" / "safety")
    options.add_argument("--wrong", action="store_true", help="name the rows that came out wrong")
    given = options.parse_args()
    files = {kind: path for kind in KINDS if (path := given.folder / f"{kind}.jsonl").exists()}
    print(_HEAD)
    with tempfile.TemporaryDirectory() as folder:
        for kind, path in files.items():
            found = outcomes(kind, read_rows(path), Path(folder))
            print(_line(kind, found))
            if given.wrong:
                print("".join(f"    {row}\n" for row in _wrong(found)), end="")
    print(f"\nopen: left to a judge or a reader. {_speed(files)}")


def _line(kind: str, found: Sequence[Outcome]) -> str:
    count = Counter((outcome.is_positive, outcome.said) for outcome in found)
    hits, alarms = count[True, "fail"], count[False, "fail"]
    misses = count[True, "pass"]
    is_open = count[True, "undecided"] + count[False, "undecided"]
    positive = hits + misses + count[True, "undecided"]
    precision = f"{hits / (hits + alarms):.3f}" if hits + alarms else "-"
    recall = f"{hits / positive:.3f}" if positive else "-"
    right = sum(outcome.is_right for outcome in found) / len(found)
    line = f"{kind:<22}{len(found):>6}{hits:>6}{misses:>8}{alarms:>8}{is_open:>6}{precision:>11}{recall:>8}{right:>7.3f}"
    typed = list(typed_hits(found)) if kind in {"pii", "secrets"} else []
    return f"{line}   typed recall {sum(typed)}/{len(typed)}" if typed else line


def _wrong(found: Sequence[Outcome]) -> Iterator[str]:
    for outcome in found:
        kind = (
            outcome.row.get("kind") or outcome.row.get("phenomenon") or outcome.row.get("question_kind") or ""
        )
        if not outcome.is_right:
            yield f"{outcome.row['id']} {kind}: said {outcome.said}"
        elif "expected" in outcome.row and not all(typed_hits([outcome])):
            yield f"{outcome.row['id']} {kind}: of another type, or elsewhere"


def _speed(files: dict[str, Path]) -> str:
    """Time all checks on answers made of the rows' texts."""
    answers = [
        row["answer"] for kind, path in files.items() for row in material_of(kind, read_rows(path)).run
    ]
    text = "\n".join(islice(cycle(answers), 3 * len(answers)))
    cut = [text[at : at + _LENGTH] for at in range(0, len(text) - _LENGTH, 97)]
    case = GoldenCase(question_id="q", question="?", relevant_doc_ids=("d",), canaries=("FBK-7Q2X",))
    config = SafetyConfig.model_validate({"output": {"allow_hosts": ["example.com"]}})
    checks = checks_of(config, [case])
    begin = time.process_time()
    for answer in islice(cycle(cut), _ANSWERS):
        record = RunRecord("q", ("d",), ({"id": "d", "text": "Refunds take 5 days."},), answer)
        find_all(checks, SafetyCase(case, record, answer, record.texts()), config)
    seconds = time.process_time() - begin
    return f"All checks on {_ANSWERS} answers of {_LENGTH} characters: {seconds:.2f} s of one core."


if __name__ == "__main__":
    main()
