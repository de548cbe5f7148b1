"""The options of the judge, declared."""

import click

from rag_gate.cli_options import Function

_OPTIONS = (
    click.option(
        "--judge-model",
        help="A model version such as gpt-4o-2024-11-20, or lexical-v1, which is offline and needs no key.",
    ),
    click.option(
        "--engine",
        type=click.Choice(["lexical", "llm", "ragas"]),
        help="Who judges (default: llm where a model is named, else lexical).",
    ),
    click.option("--estimate", is_flag=True, help="Tell calls, tokens and cost; ask nothing, write nothing."),
    click.option(
        "--max-cost-usd", type=click.FloatRange(min=0), help="Never spend more; the rest stays unscored."
    ),
    click.option("--max-calls", type=click.IntRange(min=0), help="Never put more prompts to a model."),
    click.option("--no-cache", is_flag=True, help="Ask everything anew, and keep nothing."),
)


def judge_options(function: Function) -> Function:
    """Declare the options that say who judges, and within which limits."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function
