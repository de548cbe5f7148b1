from pathlib import Path

import pytest

from rag_gate.errors import ConfigError, InputError
from rag_gate.yaml_reader import read_yaml


def read(folder: Path, text: str) -> dict[str, object]:
    path = folder / "x.yml"
    path.write_text(text, encoding="utf-8")
    return read_yaml(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", r"x\.yml:3: key 'a' is given twice; keep one"),
        ("a:\n  b: 1\n  b: 2\n", r"x\.yml:3: key 'b' is given twice"),
        ("- {a: 1, a: 2}\n", r"x\.yml:1: key 'a' is given twice"),
        ('1: a\n"1": b\n', r"x\.yml:2: key '1' is given twice"),
        ("a: &x {c: 1}\nb: *x\n", r"x\.yml:1: anchors and aliases are not supported"),
        ("a: &x {c: 1}\nb:\n  <<: *x\n", r"x\.yml:1: anchors and aliases are not supported"),
        ("? [a, b]\n: c\n", r"x\.yml:1: a key must be a single word"),
        ("a: 1\n{b: 1}: 2\n", r"x\.yml:2: a key must be a single word"),
        ("a: [1, 2\n", r"x\.yml:2: is not valid YAML .*; fix the file"),
        ("\ta: 1\n", r"x\.yml:1: is not valid YAML \(indented by a tab; YAML takes spaces only\)"),
        ("a:\n\tb: 1\n", r"x\.yml:2: is not valid YAML \(indented by a tab"),
        ("a: 1\n---\nb: 2\n", r"x\.yml:2: is not valid YAML \(but found another document\)"),
        ("a: 2024-02-30\n", r"x\.yml: is not valid YAML \(day is out of range"),
        ("a: 0x_\n", r"x\.yml: is not valid YAML"),
        ("a: !!python/object/apply:os.system [ls]\n", r"x\.yml:1: is not valid YAML"),
        ("- a\n- b\n", r"x\.yml: must hold keys and values, found list"),
        ("text\n", r"x\.yml: must hold keys and values, found str"),
        ("[" * 20_000, r"x\.yml.*is not valid YAML"),
        ("#" * 1_000_001, r"x\.yml: is larger than 1 MB"),
    ],
)
def test_what_is_no_plain_mapping_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        read(tmp_path, text)


def test_the_pure_python_parser_refuses_deep_nesting_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("yaml.__with_libyaml__", False)
    with pytest.raises(ConfigError, match="is not valid YAML"):
        read(tmp_path, "[" * 3_000)


def test_plain_values_are_read(tmp_path: Path) -> None:
    assert read(tmp_path, "\ufeffa: 1\r\nb: [x, 2.5, true]\r\n質問: 日本語\r\n") == {
        "a": 1,
        "b": ["x", 2.5, True],
        "質問": "日本語",
    }
    assert read(tmp_path, "") == {}


def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.yml").write_bytes("a: 質問".encode("cp932"))
    with pytest.raises(InputError, match=r"x\.yml: is not UTF-8 \(byte 3\); save it as UTF-8"):
        read_yaml(tmp_path / "x.yml")
