"""A recorded run joined with the golden set, one case at a time: memory does not grow with the run."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import ValidationError

from rag_gate.dataset.golden_set import GoldenSet
from rag_gate.dataset.rows import JSONL, Row, iter_rows, row_of_line
from rag_gate.dataset.shards import shard_ids
from rag_gate.errors import InputError
from rag_gate.files import canonical_json, iter_lines, parse_json, read_bytes
from rag_gate.records.golden import GoldenCase
from rag_gate.records.partial import RunInfo, Shard
from rag_gate.records.problems import validation_problems
from rag_gate.records.run import RunManifest, RunRecord, id_of, parse_run_record

State = Literal["ok", "empty", "missing", "error"]


#: Where a row stands, its raw text, and what it holds.
_Recorded = tuple[str, bytes, RunRecord]


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
        counts: cases, executed, empty, missing, error of the evaluated tier; unknown (run cases that are not in
            the set); recorded_aside (see the golden set).
        unknown: ids of the first few unknown cases.
    """

    def __init__(
        self,
        golden: GoldenSet,
        source: str | None,
        shard: Shard,
        *,
        ranks_only: bool,
        other_answers: Callable[[str], None] | None = None,
    ) -> None:
        self.golden = golden
        self.source = source if source is not None else golden.source
        self.counts: Counter[str] = Counter()
        self.unknown: list[str] = []
        self._other_answers = other_answers
        self._inline = source is None
        self._ranks_only = ranks_only and not self._inline and Path(self.source).suffix.lower() in JSONL
        self._wanted = set(golden.cases) if shard.total == 1 else shard_ids(golden.cases, shard)
        self._digests: list[bytes] = []
        self._manifest = None if self._inline else manifest_beside(Path(self.source))

    def __len__(self) -> int:
        """Return how many cases are joined."""
        return len(self._wanted)

    def __iter__(self) -> Iterator[Joined]:
        seen: dict[str, str] = {}
        for where, raw, record in self._records():
            joined = self._join(where, raw, record, seen)
            if joined is not None:
                yield joined
        self._refuse_no_overlap(seen)
        for key in sorted(self._wanted - seen.keys()):
            case = self.golden.cases[key]
            self.counts["missing"] += not self.golden.is_aside(case)
            yield Joined(case, self.golden.fingerprints[key], None, "missing")
        self.counts["cases"] = sum(not self.golden.is_aside(self.golden.cases[key]) for key in self._wanted)
        if self.golden.recorded_aside:
            self.counts["recorded_aside"] = self.golden.recorded_aside

    def info(self) -> RunInfo:
        """Return the run's part of a partial's header; call it after the iteration."""
        return RunInfo(fingerprint=run_fingerprint(self._digests), manifest=self._manifest)

    def _records(self) -> Iterator[_Recorded]:
        if self._inline:
            for key, row in self.golden.run_rows.items():
                yield row.where, row.raw, _record(row, key)
        elif self._ranks_only:
            yield from self._ranked_records()
        else:
            for row in iter_rows(self.source):
                yield from self._record_or_manifest(row)

    def _ranked_records(self) -> Iterator[_Recorded]:
        from rag_gate.dataset.ranks import ranked_record

        for number, line in iter_lines(Path(self.source)):
            where = f"{self.source}:{number}"
            record = ranked_record(line)
            if record is not None:
                yield where, line, record
            else:
                yield from self._record_or_manifest(row_of_line(where, line))

    def _record_or_manifest(self, row: Row) -> Iterator[_Recorded]:
        if not self._digests and "manifest" in row.content:
            self._manifest = _manifest(row.content["manifest"], row.where)
        else:
            yield row.where, row.raw, _record(row, None)

    def _join(self, where: str, raw: bytes, record: RunRecord, seen: dict[str, str]) -> Joined | None:
        key = record.question_id
        if key in seen:
            raise InputError(f"{where}: question_id '{key}' was already recorded at {seen[key]}; keep one")
        seen[key] = where
        self._digests.append(hashlib.sha256(raw).digest())
        if key not in self._wanted and self._other_answers is not None and record.answer is not None:
            self._other_answers(record.answer)
        if key not in self.golden.all_ids:
            self.counts["unknown"] += 1
            if len(self.unknown) < 5:  # noqa: PLR2004 - enough to recognise a mix-up
                self.unknown.append(key)
            return None
        if key not in self._wanted:
            return None
        state, case = _state(record), self.golden.cases[key]
        if not self.golden.is_aside(case):
            self.counts["executed" if state in {"ok", "empty"} else state] += 1
            self.counts["empty"] += state == "empty"
        return Joined(case, self.golden.fingerprints[key], record, state)

    def _refuse_no_overlap(self, seen: dict[str, str]) -> None:
        if not self.golden.cases.keys().isdisjoint(seen):
            return
        named = f", which holds for example '{next(iter(seen))}'" if seen else ", which is empty"
        raise InputError(
            f"{self.source}: 0 of {len(self.golden.cases)} gold cases found in the run{named}; "
            "the question_id of run and golden set must be equal"
        )


def run_fingerprint(digests: Iterable[bytes]) -> str:
    """Return what stands for a run, whatever the order of its rows: each digest is a SHA-256 of one row."""
    return hashlib.sha256(b"".join(sorted(digests))).hexdigest()[:32]


def open_run(
    golden: GoldenSet,
    source: str | None,
    shard: Shard | None = None,
    *,
    ranks_only: bool = False,
    other_answers: Callable[[str], None] | None = None,
) -> JoinedRun:
    """Prepare the join of a golden set with a run file, or with the set's own rows.

    Args:
        golden: the golden set.
        source: the run; None where the golden rows hold the results.
        shard: which cases to join; by default all.
        ranks_only: the results need no texts and no document ids; then they may be left out.
        other_answers: is called with each answer of a case that is not joined.

    Raises:
        InputError: if no run is given and the golden rows hold no results.
    """
    if source is None and not golden.run_rows:
        raise InputError(
            f"{golden.source}: holds no results; name a recorded run with --run "
            "(or give rows with 'retrieved' and 'actual')"
        )
    return JoinedRun(golden, source, shard or Shard(), ranks_only=ranks_only, other_answers=other_answers)


def run_records(source: str) -> Iterator[tuple[str, RunRecord]]:
    """Yield the recorded cases of a run with their places, whatever golden set they belong to.

    Raises:
        InputError: naming file and line, if a row cannot be used.
    """
    for number, row in enumerate(iter_rows(source)):
        if number or "manifest" not in row.content:
            yield row.where, _record(row, None)


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


def manifest_beside(path: Path) -> RunManifest | None:
    """Read ``run.meta.json`` beside ``run.jsonl`` if there is one."""
    meta = path.with_suffix(".meta.json") if path.name else path
    if not meta.is_file():
        return None
    return _manifest(parse_json(read_bytes(meta), str(meta)), str(meta))
