"""Which pull request an event is about, where the event does not say enough."""

from dataclasses import replace

from rag_gate.cli_support import say
from rag_gate.errors import ConfigError, NotJudgedError
from rag_gate.github.answers import ApiError
from rag_gate.github.client import GitHub
from rag_gate.github.event import Context
from rag_gate.github.payload import Payload


def pull_of(context: Context, github: GitHub) -> Context | None:
    """Return the context with the open pull request whose newest commit an earlier run measured.

    For forks the event names none, and an artifact could name any: GitHub is asked for the branch, and the commit
    must be its newest one.

    Returns:
        None where there is no such pull request (any more).

    Raises:
        ConfigError: if the event names no commit and branch.
    """
    if context.head_sha is None or context.head_owner is None or context.head_branch is None:
        raise ConfigError(
            "the event workflow_run names no commit and branch, so no pull request can be found"
        )
    for row in github.open_pulls(context.head_owner, context.head_branch):
        found = Payload(row)
        if found.sha("head", "sha") == context.head_sha and found.number("number"):
            return _with(context, found)
    return None


def completed(context: Context, github: GitHub | None) -> Context:
    """Return the context with the commits of a pull request of which the event names the number only."""
    if context.pull is None or context.head_sha is not None or github is None:
        return context
    return _with(context, Payload(github.pull(context.pull)))


def refuse_moved_base(context: Context, github: GitHub | None) -> None:
    """Refuse to judge by the rules of a branch that the pull request does not go to any more.

    A run that is started again has the event of its first start; its check would count for the new base as well. Where
    GitHub does not tell, the event's word stands.

    Raises:
        NotJudgedError: if the pull request has another base now.
    """
    if github is None or context.pull is None or context.base_ref is None or context.event == "merge_group":
        return
    try:
        now = Payload(github.pull(context.pull)).text("base", "ref")
    except ApiError as error:
        say(
            [
                f"whether pull request {context.pull} still goes to {context.base_ref} is not known: {error.problems[0]}"
            ]
        )
        return
    if now not in {None, context.base_ref}:
        raise NotJudgedError(
            f"pull request {context.pull} went to {context.base_ref} when this run was asked for, and goes to {now} now, "
            "whose rules are others; push to it, or close and reopen it"
        )


def _with(context: Context, pull: Payload) -> Context:
    head = pull.text("head", "repo", "full_name")
    return replace(
        context,
        pull=pull.number("number"),
        head_sha=pull.sha("head", "sha"),
        base_sha=pull.sha("base", "sha"),
        base_ref=pull.text("base", "ref"),
        is_fork=head is None or head.lower() != context.repository.lower(),
        is_dependabot=pull.text("user", "login") == "dependabot[bot]",
    )
