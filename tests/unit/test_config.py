"""rag-gate.yml and tables of tolerances."""

from pathlib import Path

import pytest

from rag_gate.config import load_config, load_tolerances, shipped_tolerances
from rag_gate.errors import ConfigError, InputError
from rag_gate.measures import measure_of


def config_file(folder: Path, text: str) -> Path:
    path = folder / "rag-gate.yml"
    path.write_text(text, encoding="utf-8")
    return path


def problems(folder: Path, text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load_config(config_file(folder, text))
    return [line.split("rag-gate.yml", 1)[1] for line in caught.value.problems]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("retreival: {}", ": retreival: unknown key; remove it or check its spelling"),
        ("retrieval: {k: 5}", ": retrieval.k: unknown key; remove it or check its spelling"),
        ("retrieval: {k_values: [3, 0]}", ": retrieval.k_values.1: Input should be greater than or equal to 1 (found 0)"),
        ("retrieval: {k_values: [2.5]}", ": retrieval.k_values.0: Input should be a valid integer (found 2.5)"),
        ("retrieval: {k_values: [true]}", ": retrieval.k_values.0: Input should be a valid integer (found True)"),
        ("retrieval: {k_values: []}", ": retrieval.k_values: needs at least one k"),
        ("retrieval: {k_values: [100000]}", ": retrieval.k_values.0: Input should be less than or equal to 99999 (found 100000)"),
        ("retrieval: {success: {k: 0}}", ": retrieval.success.k: Input should be greater than or equal to 1 (found 0)"),
        ("retrieval: {min_grade: 0}", ": retrieval.min_grade: Input should be greater than or equal to 1 (found 0)"),
        ("retrieval: {unit: page}", ": retrieval.unit: Input should be 'auto', 'chunk' or 'document' (found 'page')"),
        ("retrieval: {document_id: {}}", ": retrieval.document_id: give either regex or metadata"),
        ("retrieval: {document_id: {regex: a, metadata: b}}", ": retrieval.document_id.regex: needs a group in parentheses that holds the document id (found 'a')"),
        ("retrieval: {document_id: {regex: '('}}", ": retrieval.document_id.regex: not a regular expression (missing ), unterminated subpattern at position 0) (found '(')"),
        ("retrieval: {document_id: {regex: '^.+#'}}", ": retrieval.document_id.regex: needs a group in parentheses that holds the document id (found '^.+#')"),
        ("gate: {alpha: 0.7}", ": gate.alpha: Input should be less than 0.5 (found 0.7)"),
        ("gate: {max_missing: .nan}", ": gate.max_missing: Input should be a finite number (found nan)"),
        ("schema_version: 2", ": schema_version: Input should be 1 (found 2)"),
        ("tier: nightly", ": tier: Input should be 'core' or 'extended' (found 'nightly')"),
        ("tolerances: {recall@5: -0.1}", ": tolerances.recall@5.tolerance: Input should be greater than or equal to 0 (found -0.1)"),
        ("tolerances: {recall@5: 5%}", ": tolerances.recall@5: must be a number such as 0.05, or a table such as {tolerance: 0.05, floor: 0.7} (found '5%')"),
        ("tolerances: {recall@5: 5}", ": tolerances.recall@5.tolerance: must be a share from 0 to 1 (0.05 for 5 %), found 5.0"),
        ("tolerances: {recall@5: .inf}", ": tolerances.recall@5.tolerance: Input should be a finite number (found inf)"),
        ("tolerances: {recall@5: {drop: 0.1}}", ": tolerances.recall@5.drop: unknown key; remove it or check its spelling"),
        ("report: {gate_id: 'a b'}", r": report.gate_id: String should match pattern '^[A-Za-z0-9._-]{1,40}$' (found 'a b')"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_one_line_with_file_and_key(tmp_path: Path, text: str, line: str) -> None:
    assert problems(tmp_path, text) == [line]


def test_every_wrong_setting_is_listed(tmp_path: Path) -> None:
    assert len(problems(tmp_path, "tier: x\nretrieval: {unit: y}\nsafty: {}")) == 3


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("recal@5", "recall@5"),
        ("faithfullness", "faithfulness"),
        ("recall", "recall@5"),
        ("mrr_at_5", "mrr@5"),
    ],
)
def test_an_unknown_metric_is_refused_with_near_names(tmp_path: Path, name: str, near: str) -> None:
    (line,) = problems(tmp_path, f"tolerances: {{'{name}': 0.1}}")
    assert line.startswith(f": tolerances: unknown metric '{name}'; known are for example")
    assert near in line


def test_a_metric_of_your_own_needs_a_direction(tmp_path: Path) -> None:
    text = "tolerances: {tokens_per_answer: {tolerance: 5, direction: lower}}"
    table = load_config(config_file(tmp_path, text)).tolerances
    assert table is not None
    assert (table["tokens_per_answer"].tolerance, table["tokens_per_answer"].direction) == (5.0, "lower")
    assert "unknown metric" in problems(tmp_path, "tolerances: {tokens_per_answer: 5}")[0]


def test_an_empty_file_is_all_defaults(tmp_path: Path) -> None:
    config = load_config(config_file(tmp_path, "# nothing yet\n"))
    assert (config.retrieval.k_values, config.retrieval.success_k, config.tier) == ((3, 5, 10), 5, "core")


def test_k_values_are_put_in_order_once_each(tmp_path: Path) -> None:
    config = load_config(config_file(tmp_path, "retrieval: {k_values: [10, 3, 10]}"))
    assert (config.retrieval.k_values, config.retrieval.success_k) == ((3, 10), 10)


def test_paths_are_relative_to_the_file_and_not_to_where_the_command_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    for folder in (project, elsewhere):
        folder.mkdir()
    (elsewhere / "golden.jsonl").write_text("", encoding="utf-8")
    monkeypatch.chdir(elsewhere)
    text = "dataset: golden.jsonl\nrun: runs/run.jsonl\nbaseline: baseline.json\noutput: out\n"
    config = load_config(config_file(project, text))
    assert config.dataset == str(project / "golden.jsonl")
    assert (config.run, config.baseline, config.output) == (
        project / "runs/run.jsonl",
        project / "baseline.json",
        project / "out",
    )


def test_absolute_paths_and_hub_names_stay_as_they_are(tmp_path: Path) -> None:
    assert load_config(config_file(tmp_path, "dataset: org/name")).dataset == "org/name"
    absolute = str(tmp_path / "else" / "g.jsonl")
    assert load_config(config_file(tmp_path, f"dataset: {absolute}")).dataset == absolute
    (tmp_path / "data").mkdir()
    for local in ("golden", "data/golden"):
        assert load_config(config_file(tmp_path, f"dataset: {local}")).dataset == str(tmp_path / local)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"rag-gate\.yml: no such file"):
        load_config(tmp_path / "rag-gate.yml")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.yml", "recall@5: 0.03\nfaithfulness: {tolerance: 0.02, floor: 0.8}\n"),
        (
            "t.yml",
            "schema_version: 1\ntolerances:\n  recall@5: 0.03\n  faithfulness: {tolerance: 0.02, floor: 0.8}\n",
        ),
        ("t.json", '{\n\t"recall@5": 0.03,\n\t"faithfulness": {"tolerance": 0.02, "floor": 0.8}\n}'),
    ],
)
def test_tolerances_are_a_number_or_the_long_form(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    table = load_tolerances(tmp_path / name)
    assert (table["recall@5"].tolerance, table["recall@5"].floor) == (0.03, None)
    assert (table["faithfulness"].tolerance, table["faithfulness"].floor) == (0.02, 0.8)


@pytest.mark.parametrize("text", ["recall@5: true", "recall@5: [0.1]", "recall@5: much"])
def test_a_tolerance_that_is_no_number_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.yml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"t\.yml: recall@5"):
        load_tolerances(tmp_path / "t.yml")


def test_the_shipped_tolerances_are_those_of_known_metrics() -> None:
    table = shipped_tolerances()
    assert {
        "recall@5",
        "mrr",
        "faithfulness",
        "relevance",
        "safety_pass_rate",
        "citation_rate",
    } <= table.keys()
    assert table["safety_pass_rate"].tolerance == 0.0
    assert all(measure_of(name) for name in table)


def test_folders_of_the_user_named_like_shipped_ones_are_never_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = shipped_tolerances()
    for folder in ("config", "prompts", "templates"):
        (tmp_path / folder).mkdir()
    (tmp_path / "config" / "tolerances.yml").write_text("recall@5: 0.99\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert shipped_tolerances() == before
