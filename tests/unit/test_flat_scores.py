"""Results and baselines as files: a flat table of scores, or a file of our own."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rag_gate.baseline import load_baseline, load_results
from rag_gate.errors import InputError

READERS = [(load_results, "merge"), (load_baseline, "promote")]


def written(folder: Path, text: str) -> Path:
    path = folder / "x.json"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("read", [load_results, load_baseline])
def test_a_flat_table_of_numbers_is_enough(tmp_path: Path, read: Callable[[Path], object]) -> None:
    path = written(tmp_path, '{"recall@5": 0.88, "safety_pass_rate": 1, "faithfulness": null}')
    assert read(path) == {"recall@5": 0.88, "safety_pass_rate": 1.0, "faithfulness": None}


@pytest.mark.parametrize(("read", "command"), READERS)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "holds no metric; zero metrics never pass"),
        ('{"recall@5": "high"}', r"recall@5: must be a finite number \(or null .*\), found str"),
        ('{"recall@5": true}', "recall@5: must be a finite number .* found bool"),
        ('{"recall@5": [1]}', "recall@5: must be a finite number .* found list"),
        ('{"recall@5": 1e999}', "recall@5: must be a finite number .* found inf"),
        ('{"recall@5": 1' + "0" * 400 + "}", "recall@5: must be a finite number"),
        ('{"recall@5": NaN}', "is not valid JSON"),
        ('{"recall@5": 0.8', "is not valid JSON"),
        ("[0.8]", "is not a .* file; write one with rag-gate {command}"),
        (
            '{"schema_version": 99}',
            "schema_version 99 is unknown .* write the file again with rag-gate {command}",
        ),
        ('{"schema_version": "1"}', "schema_version '1' is unknown"),
        ('{"kind": "results"}', "is not a .* file; write one with rag-gate {command}"),
        (
            '{"schema_version": 1, "kind": "verdict"}',
            "is a file of kind 'verdict', and a .* file is needed here",
        ),
    ],
)
def test_anything_else_is_refused_with_file_and_key(
    tmp_path: Path, read: Callable[[Path], object], command: str, text: str, message: str
) -> None:
    with pytest.raises(InputError, match=rf"x\.json: {message.replace('{command}', command)}"):
        read(written(tmp_path, text))


def test_every_wrong_value_is_listed(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_results(written(tmp_path, '{"a": "x", "b": 1, "c": {}}'))
    assert len(caught.value.problems) == 2
