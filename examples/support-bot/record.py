"""Ask the support bot every question of a golden set and record what it retrieved and said.

Writes the recorded run (one JSON line a case) and, beside it, its manifest (``<name>.meta.json``). It needs the bot's
packages only, and shows that a run is a plain file; ``rag-gate record`` writes the same lines, asks many at a time, and
continues where it was stopped.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from support_bot.bot import Reply, SupportBot
from support_bot.serving import CORPUS, HERE, reply_table
from support_bot.settings import read_settings


def record(
    bot_config_path: Path,
    golden_path: Path,
    output_path: Path,
    tier: str | None = None,
    corpus: Path = CORPUS,
) -> int:
    """Record one run and its manifest; the same inputs give the same bytes.

    Args:
        bot_config_path: the bot's knobs.
        golden_path: the golden cases; only ids, questions and tiers are read.
        output_path: the run, ``*.jsonl``; its folder is made.
        tier: only the cases of this tier; all of them without it.
        corpus: the folder of documents.

    Returns:
        The number of cases recorded.

    Raises:
        ValueError: if the bot's knobs, the documents or the golden cases cannot be used.
    """
    bot = SupportBot(corpus, read_settings(bot_config_path))
    lines = [_line(question_id, bot.ask(question)) for question_id, question in _questions(golden_path, tier)]
    if not lines:
        raise ValueError(f"{golden_path}: no case of tier {tier}; check the file and --tier")
    output_path.parent.mkdir(parents=True, exist_ok=True)
    output_path.write_bytes("".join(f"{line}\n" for line in lines).encode("utf-8"))
    manifest = json.dumps(bot.manifest(), ensure_ascii=False, indent=2)
    output_path.with_suffix(".meta.json").write_bytes(f"{manifest}\n".encode())
    return len(lines)


def _questions(golden_path: Path, tier: str | None) -> Iterator[tuple[str, str]]:
    with golden_path.open(encoding="utf-8") as handle:
        for line in handle:
            if line.strip():
                case = json.loads(line)
                if tier is None or case["tier"] == tier:
                    yield case["question_id"], case["question"]


def _line(question_id: str, reply: Reply) -> str:
    return json.dumps({"question_id": question_id, **reply_table(reply)}, ensure_ascii=False)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bot", type=Path, default=HERE / "bot.yml", help="the bot's knobs")
    parser.add_argument("--golden", type=Path, default=HERE / "golden.jsonl", help="the golden cases")
    parser.add_argument("--output", type=Path, required=True, help="the run to write, *.jsonl")
    parser.add_argument("--tier", choices=("core", "extended"), help="only the cases of this tier")
    options = parser.parse_args(arguments)
    try:
        count = record(options.bot, options.golden, options.output, options.tier)
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{options.output}: {count} cases recorded")
    return 0


if __name__ == "__main__":
    sys.exit(main())
