"""Files as they come: byte order marks, Windows line ends, broken lines, other formats."""

import json
from pathlib import Path

import pytest
from material import lines

from rag_gate.dataset import load_golden, open_run
from rag_gate.dataset.rows import iter_rows
from rag_gate.errors import InputError

LINE = '{"id": "質問", "relevant": ["a"]}'
DAMAGED = [
    (b'{"id": "q", "relevant": ["a"', r"x\.jsonl:2: is not valid JSON \(EOF"),
    (b'{"id": "q", "relevant": ["a"]} tail', r"x\.jsonl:2: is not valid JSON"),
    (b'{"id": "q", "score": NaN}', r"x\.jsonl:2: is not valid JSON"),
    (b'{"id": "q", "score": Infinity}', r"x\.jsonl:2: is not valid JSON"),
    (b'{"id": "q", "score": -Infinity}', r"x\.jsonl:2: is not valid JSON"),
    (b'{"id": "\xff"}', r"x\.jsonl:2: is not UTF-8 \(byte 8\); save it as UTF-8"),
    ('{"id": "質"}'.encode("cp932"), r"x\.jsonl:2: is not UTF-8"),
    (b'{"id": "\\ud800"}', r"x\.jsonl:2: is not valid JSON"),
    (b"[" * 5000, r"x\.jsonl:2: is not valid JSON \(recursion"),
    (b'["q", "a"]', r"x\.jsonl:2: each line must be a JSON object, found list"),
    (b"null", r"x\.jsonl:2: each line must be a JSON object, found NoneType"),
    (b"question,gold_ids", r"x\.jsonl:2: is not valid JSON"),
]


@pytest.mark.parametrize(
    "content",
    [
        LINE,
        f"\ufeff{LINE}\n",
        f"{LINE}\r\n",
        f"\r\n\n   \n{LINE}\n\n",
        f"  {LINE}  ",
    ],
)
def test_marks_line_ends_and_empty_lines_do_not_matter(tmp_path: Path, content: str) -> None:
    path = tmp_path / "g.jsonl"
    path.write_bytes(content.encode())
    assert list(load_golden(str(path)).cases) == ["質問"]


def test_files_with_a_mark_each_may_be_joined(tmp_path: Path) -> None:
    second = LINE.replace("質問", "二")
    (tmp_path / "g.jsonl").write_text(f"\ufeff{LINE}\n\ufeff{second}\n", encoding="utf-8")
    assert list(load_golden(str(tmp_path / "g.jsonl")).cases) == ["二", "質問"]


@pytest.mark.parametrize("name", ["g.jsonl", "g.json"])
def test_a_file_in_utf16_is_said_to_be_no_utf8(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(f"[{LINE}]" if name == "g.json" else LINE, encoding="utf-16")
    with pytest.raises(InputError, match=rf"{name}.*: is not UTF-8 but UTF-16; save it as UTF-8"):
        load_golden(str(tmp_path / name))


@pytest.mark.parametrize(("damaged", "message"), DAMAGED)
def test_a_broken_line_is_named_with_file_and_line(tmp_path: Path, damaged: bytes, message: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(LINE.encode() + b"\n" + damaged)
    with pytest.raises(InputError, match=message):
        list(iter_rows(str(path)))


@pytest.mark.parametrize("name", ["x.jsonl", "x.json"])
def test_a_folder_in_the_place_of_a_file_is_said_to_be_one(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(InputError, match="is a folder; name a file"):
        list(iter_rows(str(tmp_path / name)))


@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "x.csv", "x.parquet", "golden.jsnl"])
def test_a_file_that_is_not_there_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=rf"{name}: no such file; check the path"):
        list(iter_rows(str(tmp_path / name)))


@pytest.mark.parametrize("name", ["golden", "data/golden", "./golden", "no/such/folder", "日本/語"])
def test_a_slip_in_a_path_asks_nothing_of_the_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=f"{name}: no such file; check the path"):
        list(iter_rows(name))


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_an_empty_golden_set_is_an_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "g.jsonl").write_bytes(content)
    with pytest.raises(InputError, match=r"g\.jsonl: holds no case; zero cases never pass"):
        load_golden(str(tmp_path / "g.jsonl"))


def test_an_unknown_format_names_the_known_ones(tmp_path: Path) -> None:
    (tmp_path / "g.xlsx").write_bytes(b"x")
    with pytest.raises(
        InputError, match=r"g\.xlsx: unknown format '\.xlsx'; known are .*\.jsonl.*\.parquet"
    ) as caught:
        load_golden(str(tmp_path / "g.xlsx"))
    assert "datasets library" not in str(caught.value)


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_json_file_holds_a_list_or_an_object_with_cases(tmp_path: Path, *, wrapped: bool) -> None:
    rows = [{"id": "q", "relevant": ["a"]}]
    (tmp_path / "g.json").write_text(json.dumps({"cases": rows} if wrapped else rows), encoding="utf-8")
    assert list(load_golden(str(tmp_path / "g.json")).cases) == ["q"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"id": "q"}', "must hold a list of cases"),
        ("5", "must hold a list of cases"),
        ('[{"id": "q", "relevant": ["a"]}, 5]', "entry 2: must be an object, found int"),
        ('[{"id": "q", "relevant": ["a"], "score": 1e999}]', "entry 1: holds NaN, infinity"),
        ("", "is not valid JSON"),
    ],
)
def test_any_other_json_is_refused(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "g.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=rf"g\.json: {message}"):
        load_golden(str(tmp_path / "g.json"))


def test_a_json_run_is_read_like_lines(tmp_path: Path) -> None:
    golden = load_golden(lines(tmp_path / "g.jsonl", [{"id": "q", "relevant": ["a"]}]))
    (tmp_path / "run.json").write_text('[{"id": "q", "retrieved": ["a"]}]', encoding="utf-8")
    assert [joined.state for joined in open_run(golden, str(tmp_path / "run.json"))] == ["ok"]
