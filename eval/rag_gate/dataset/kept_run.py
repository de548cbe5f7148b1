"""A copy of a recorded run beside the baseline, so that its answers can be measured again."""

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from rag_gate.dataset.golden_set import GoldenSet
from rag_gate.dataset.rows import Row, iter_rows
from rag_gate.dataset.run import manifest_beside, run_fingerprint
from rag_gate.errors import InputError
from rag_gate.files import atomic_writer, beside, canonical_json, iter_lines
from rag_gate.records.run import RUN_KEYS, RunManifest, id_of

_DIGITS = 12


class KeptRun:
    """The rows of a run that belong to a golden set, as lines of JSONL in the run's order.

    Attributes:
        run_fingerprint: of the run they come from, as in every partial of it.
        fingerprint: of the lines themselves; the copy is named by it.
    """

    def __init__(self, golden: GoldenSet, source: str | None) -> None:
        """Read the run once.

        Raises:
            InputError: if it cannot be read.
        """
        self._golden, self._source = golden, source
        self._digests: list[bytes] = []
        digest = hashlib.sha256()
        for line in self._lines():
            digest.update(line)
        self.fingerprint = digest.hexdigest()[:32]
        self.run_fingerprint = run_fingerprint(self._digests)

    def write(self, baseline: Path) -> Path:
        """Write the copy atomically beside a baseline; return where.

        Raises:
            InputError: if the run is another one by now.
        """
        path, digest = kept_path(baseline, self.fingerprint), hashlib.sha256()
        with atomic_writer(path) as out:
            for line in self._lines():
                digest.update(line)
                out.write(line)
            if digest.hexdigest()[:32] != self.fingerprint:
                raise InputError(f"{self._source}: was changed while it was read; promote once more")
        return path

    def _lines(self) -> Iterator[bytes]:
        self._digests.clear()
        for line in self._rows():
            yield line + b"\n"

    def _rows(self) -> Iterator[bytes]:
        if self._source is None:
            for key, row in self._golden.run_rows.items():
                self._note(row)
                recorded = {name: row.content[name] for name in RUN_KEYS if name in row.content}
                yield canonical_json({"question_id": key, **recorded}).encode()
            return
        manifest = manifest_beside(Path(self._source))
        if manifest is not None:
            yield _manifest_line(manifest)
        for row in iter_rows(self._source):
            if not self._digests and "manifest" in row.content:
                yield row.raw
                continue
            self._note(row)
            if id_of(row.content) in self._golden.all_ids:
                yield row.raw

    def _note(self, row: Row) -> None:
        self._digests.append(hashlib.sha256(row.raw).digest())


def _manifest_line(manifest: RunManifest) -> bytes:
    return canonical_json({"manifest": manifest.model_dump(mode="json", exclude_none=True)}).encode()


def kept_path(baseline: Path, fingerprint: str) -> Path:
    """Return ``baseline.run.0123456789ab.jsonl`` for ``baseline.json``."""
    return beside(baseline, f"run.{fingerprint[:_DIGITS]}.jsonl")


def is_kept_copy(path: Path, baseline: Path) -> bool:
    """Tell whether a file is a copy of a run that some baseline of this name had."""
    example = kept_path(baseline, "0" * _DIGITS)
    pattern = re.escape(example.name).replace("0" * _DIGITS, f"[0-9a-f]{{{_DIGITS}}}")
    return (
        path.parent == Path(os.path.realpath(example.parent)) and re.fullmatch(pattern, path.name) is not None
    )


def require_kept(baseline: Path, fingerprint: str) -> Path:
    """Return the copy, if it is what was promoted.

    Raises:
        InputError: if it is gone or was changed.
    """
    path, digest = kept_path(baseline, fingerprint), hashlib.sha256()
    for _, line in iter_lines(path):
        digest.update(line + b"\n")
    if digest.hexdigest()[:32] != fingerprint:
        raise InputError(
            f"{path}: is not the run that was promoted with {baseline.name}; take it from version control, "
            "or promote once more"
        )
    return path
