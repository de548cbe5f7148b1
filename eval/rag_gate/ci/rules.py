"""By whose rules a commit is judged: those of the base commit, or its own where it is reviewed already."""

import os
from pathlib import Path

from rag_gate.ci.options import Options
from rag_gate.ci.pulls import refuse_moved_base
from rag_gate.github.base_commit import (
    open_base,
    refuse_base_checkout,
    refuse_moved_folder,
    repository_root,
)
from rag_gate.github.client import GitHub
from rag_gate.github.commit_files import TreeFiles
from rag_gate.github.event import Context
from rag_gate.github.overlay import Overlay
from rag_gate.github.trusted import Given, Inputs, own_inputs, trusted_inputs


def given_by(options: Options) -> Given:
    """Return what the workflow names beside the settings."""
    return Given(
        config=options.config,
        baseline=options.baseline,
        output=options.output,
        max_cost_usd=options.max_cost_usd,
    )


def inputs_for(options: Options, context: Context, github: GitHub | None, folder: Path) -> Inputs:
    """Return what a verdict is made from.

    Args:
        options: what the workflow says.
        context: what the event says.
        github: for files that the checkout lacks; None without a token.
        folder: an empty folder for the base commit's files; it must stay as long as the inputs.

    Raises:
        RagGateError: if the base commit cannot be read, or one of the files cannot be used.
    """
    if not context.is_proposed:
        return own_inputs(given_by(options))
    root = repository_root(Path.cwd())
    refuse_moved_folder(root, os.environ)
    refuse_base_checkout(context, root)
    refuse_moved_base(context, github)
    base = open_base(context, root, github)
    return trusted_inputs(given_by(options), Overlay(folder, root, base, TreeFiles(root)))
