"""One comment per gate and pull request: found by marker and author, updated in place, never by an older run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from rag_gate.github.answers import ApiError
from rag_gate.github.client import GitHub
from rag_gate.github.cutting import cut_to_points
from rag_gate.github.marker import Stamp, gate_of, marker_of, stamp_of, without_head

_SHORT = 4_000
_TOO_LONG, _NOT_FOUND = 422, 404
_ROUNDS = 3

Outcome = Literal["created", "updated", "unchanged", "superseded"]


@dataclass(frozen=True)
class Posted:
    """What became of the comment.

    Attributes:
        outcome: ``superseded`` = a newer commit or run has spoken, so nothing was written.
        url: the comment's page, None where there is none of ours.
    """

    outcome: Outcome
    url: str | None


class _Written(NamedTuple):
    """What was done, the text that GitHub took, and in whose name a new comment stands."""

    outcome: Outcome
    body: str
    author: str | None = None


@dataclass(frozen=True)
class Sticky:
    """The comment of one gate on one pull request.

    Attributes:
        github: the repository.
        pull: number of the pull request.
        gate_id: name in the hidden marker.
        stamp: which run writes.
        source_run: the run whose results are reported, if it is another one: what it wrote itself stays, since it has seen
            more.
    """

    github: GitHub
    pull: int
    gate_id: str
    stamp: Stamp
    source_run: int | None = None

    def post(self, text: str, *, create: bool = True) -> Posted:
        """Create or update the comment.

        Args:
            text: markdown; marker and stamp are put in front of it.
            create: whether to write one where there is none yet.

        Raises:
            ApiError: if GitHub does not grant it; see ``rag_gate.github.denied`` for what that means.
        """
        me = self.github.login()
        body = self._body(text)
        outcome: Outcome | None = None
        own = self._own(me)
        if self._is_superseded(own):
            return Posted("superseded", _url(own))
        if not own and not create:
            return Posted("unchanged", None)
        for _ in range(_ROUNDS):
            written = self._write(own, body)
            body, outcome = written.body, outcome or written.outcome
            # A token of another app could not say whose it is; what it wrote does.
            me = written.author or me
            own = self._alone(self._own(me))
            if not own or own[0].get("body") == body or self._is_superseded(own):
                break
        return Posted(outcome or "unchanged", _url(own))

    def _body(self, text: str) -> str:
        return cut_to_points("\n".join((marker_of(self.gate_id), self.stamp.line(), without_head(text))))

    def _own(self, me: str) -> list[dict[str, Any]]:
        """Return our own comments of this gate, oldest first; a marker of another author means nothing."""
        found = [
            comment
            for comment in self.github.comments(self.pull)
            if _author(comment) == me and gate_of(str(comment.get("body") or "")) == self.gate_id
        ]
        return sorted(found, key=_id)

    def _is_superseded(self, own: list[dict[str, Any]]) -> bool:
        """Tell whether the pull request has moved on, or a later run of this commit has written already."""
        head = _head(self.github.pull(self.pull))
        if head is not None and self.stamp.head not in {head, "unknown"}:
            return True
        stamps = [stamp_of(str(row.get("body") or "")) for row in own]
        return any(self.stamp.is_older_than(stamp, head) or self._is_first_stage(stamp) for stamp in stamps)

    def _is_first_stage(self, other: Stamp | None) -> bool:
        return other is not None and (other.head, other.run) == (self.stamp.head, self.source_run)

    def _write(self, own: list[dict[str, Any]], body: str) -> "_Written":
        if own and own[0].get("body") == body:
            return _Written("unchanged", body)
        try:
            return self._send(own, body)
        except ApiError as error:
            if error.status != _TOO_LONG:
                raise
        return self._send(own, cut_to_points(body, _SHORT))

    def _send(self, own: list[dict[str, Any]], body: str) -> "_Written":
        if own:
            try:
                self.github.update_comment(_id(own[0]), body)
            except ApiError as error:
                if error.status != _NOT_FOUND:
                    raise
            else:
                return _Written("updated", body)
        return _Written("created", body, _author(self.github.create_comment(self.pull, body)))

    def _alone(self, own: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Leave one comment where two runs that began together both created one: the oldest, with the newest text."""
        if len(own) < 2:  # noqa: PLR2004 - two are one too many
            return own
        head = _head(self.github.pull(self.pull))
        newest = own[0]
        for row in own[1:]:
            then, now = stamp_of(str(newest.get("body"))), stamp_of(str(row.get("body")))
            if then is None or (now is not None and then.is_older_than(now, head)):
                newest = row
        if newest is not own[0]:
            self.github.update_comment(_id(own[0]), str(newest["body"]))
        for row in own[1:]:
            self.github.delete_comment(_id(row))
        return [{**own[0], "body": newest["body"]}]


def _url(own: list[dict[str, Any]]) -> str | None:
    return (str(own[0].get("html_url") or "") or None) if own else None


def _author(comment: Mapping[str, Any]) -> str | None:
    user = comment.get("user")
    return user.get("login") if isinstance(user, Mapping) else None


def _id(comment: Mapping[str, Any]) -> int:
    return int(comment.get("id") or 0)


def _head(pull: Mapping[str, Any]) -> str | None:
    head = pull.get("head")
    sha = head.get("sha") if isinstance(head, Mapping) else None
    return sha if isinstance(sha, str) else None
