"""A recorded run joined with the golden set, one case at a time: memory does not grow with the run."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import ValidationError

from rag_gate.dataset.golden_set import GoldenSet
from rag_gate.dataset.rows import Row, iter_rows
from rag_gate.dataset.shards import shard_ids
from rag_gate.errors import InputError
from rag_gate.files import canonical_json, parse_json, read_bytes
from rag_gate.records.golden import GoldenCase
from rag_gate.records.partial import RunInfo, Shard
from rag_gate.records.problems import validation_problems
from rag_gate.records.run import RunManifest, RunRecord, id_of, parse_run_record

State = Literal["ok", "empty", "missing", "error"]


class Joined(NamedTuple):
    """A golden case and what the run has for it.

    ``state``: ``ok``, ``empty`` (executed, nothing retrieved), ``missing`` (not in the run) or
    ``error`` (recorded as not executed). ``record`` is None exactly when it is missing.
    """

    case: GoldenCase
    fingerprint: str
    record: RunRecord | None
    state: State


class JoinedRun:
    """Iterate once over the joined cases; counts and fingerprint are complete after that.

    Attributes:
        counts: cases, executed, empty, missing, error, unknown (run cases that are not in the set).
        unknown: ids of the first few unknown cases.
    """

    def __init__(self, golden: GoldenSet, source: str | None, shard: Shard) -> None:
        self.golden = golden
        self.source = source if source is not None else golden.source
        self.counts: Counter[str] = Counter()
        self.unknown: list[str] = []
        self._inline = source is None
        self._wanted = set(golden.cases) if shard.total == 1 else shard_ids(golden.cases, shard)
        self._digests: list[bytes] = []
        self._manifest = None if self._inline else _manifest_beside(Path(self.source))

    def __iter__(self) -> Iterator[Joined]:
        seen: dict[str, str] = {}
        for known_id, row in self._rows():
            joined = self._join(row, known_id, seen)
            if joined is not None:
                yield joined
        self._refuse_no_overlap(seen)
        for key in sorted(self._wanted - seen.keys()):
            self.counts["missing"] += 1
            yield Joined(self.golden.cases[key], self.golden.fingerprints[key], None, "missing")
        self.counts["cases"] = len(self._wanted)

    def info(self) -> RunInfo:
        """Return the run's part of a partial's header; call it after the iteration."""
        digest = hashlib.sha256(b"".join(sorted(self._digests))).hexdigest()[:32]
        return RunInfo(fingerprint=digest, manifest=self._manifest)

    def _rows(self) -> Iterator[tuple[str | None, Row]]:
        """Yield each run row, with its case's id where the golden row itself is the run row."""
        if self._inline:
            yield from self.golden.run_rows.items()
            return
        for row in iter_rows(self.source):
            if not self._digests and "manifest" in row.content:
                self._manifest = _manifest(row.content["manifest"], row.where)
            else:
                yield None, row

    def _join(self, row: Row, known_id: str | None, seen: dict[str, str]) -> Joined | None:
        record = _record(row, known_id)
        key = record.question_id
        if key in seen:
            raise InputError(
                f"{row.where}: question_id '{key}' was already recorded at {seen[key]}; keep one"
            )
        seen[key] = row.where
        self._digests.append(hashlib.sha256(row.raw).digest())
        if key not in self.golden.all_ids:
            self.counts["unknown"] += 1
            if len(self.unknown) < 5:  # noqa: PLR2004 - enough to recognise a mix-up
                self.unknown.append(key)
            return None
        if key not in self._wanted:
            return None
        state = _state(record)
        self.counts["executed" if state in {"ok", "empty"} else state] += 1
        self.counts["empty"] += state == "empty"
        return Joined(self.golden.cases[key], self.golden.fingerprints[key], record, state)

    def _refuse_no_overlap(self, seen: dict[str, str]) -> None:
        if not self.golden.cases.keys().isdisjoint(seen):
            return
        named = f", which holds for example '{next(iter(seen))}'" if seen else ", which is empty"
        raise InputError(
            f"{self.source}: 0 of {len(self.golden.cases)} gold cases found in the run{named}; "
            "the question_id of run and golden set must be equal"
        )


def open_run(golden: GoldenSet, source: str | None, shard: Shard | None = None) -> JoinedRun:
    """Prepare the join of a golden set with a run file, or with the set's own rows.

    Raises:
        InputError: if no run is given and the golden rows hold no results.
    """
    if source is None and not golden.run_rows:
        raise InputError(
            f"{golden.source}: holds no results; name a recorded run with --run "
            "(or give rows with 'retrieved' and 'actual')"
        )
    return JoinedRun(golden, source, shard or Shard())


def _record(row: Row, known_id: str | None) -> RunRecord:
    try:
        return parse_run_record(row.content, known_id or id_of(row.content))
    except ValueError as error:
        raise InputError(f"{row.where}: {error}") from None


def _state(record: RunRecord) -> State:
    if record.error is not None:
        return "error"
    return "empty" if record.has_results and not record.ids else "ok"


def _manifest(raw: Any, where: str) -> RunManifest:  # noqa: ANN401 - checked here
    try:
        canonical_json(raw)
    except ValueError as error:
        raise InputError(f"{where}: manifest: holds NaN or infinity ({error}); fix the value") from None
    try:
        return RunManifest.model_validate(raw)
    except ValidationError as error:
        raise InputError.of(validation_problems(error, where)) from None


def _manifest_beside(path: Path) -> RunManifest | None:
    """Read ``run.meta.json`` beside ``run.jsonl`` if there is one."""
    meta = path.with_suffix(".meta.json") if path.name else path
    if not meta.is_file():
        return None
    return _manifest(parse_json(read_bytes(meta), str(meta)), str(meta))
