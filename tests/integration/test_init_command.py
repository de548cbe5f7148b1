"""``rag-gate init --github`` in a user's repository."""

from pathlib import Path

import pytest
import yaml
from promoter import here

WRITTEN = (".github/workflows/rag-gate.yml", ".github/workflows/rag-gate-comment.yml", "rag-gate.yml")


def init(folder: Path, *options: str) -> tuple[int, str]:
    ended = here("init", "--github", "--folder", str(folder), *options)
    return ended.code, ended.err


def test_workflows_and_settings_are_written_and_can_be_read(tmp_path: Path) -> None:
    code, said = init(tmp_path)
    assert code == 0, said
    for name in WRITTEN:
        assert isinstance(yaml.safe_load((tmp_path / name).read_text(encoding="utf-8")), dict)
    assert not (tmp_path / ".github/CODEOWNERS").exists()
    assert "/baseline* @your-team" in said


def test_the_written_settings_are_settings(tmp_path: Path) -> None:
    from rag_gate.config import load_config

    init(tmp_path)
    assert load_config(tmp_path / "rag-gate.yml").dataset is not None


def test_every_action_is_pinned_and_permissions_are_the_least(tmp_path: Path) -> None:
    init(tmp_path)
    for name in WRITTEN[:2]:
        text = (tmp_path / name).read_text()
        document = yaml.safe_load(text)
        assert document["permissions"] in ({}, {"contents": "read"})
        used = [line.split("uses: ")[1] for line in text.splitlines() if "uses: " in line]
        assert used
        for action in used:
            assert action == "org/rag-gate@v1" or (
                len(action.split("@")[1].split(" ")[0]) == 40 and " # v" in action
            )


def test_nothing_that_is_there_is_written_over(tmp_path: Path) -> None:
    target = tmp_path / WRITTEN[1]
    target.parent.mkdir(parents=True)
    target.write_text("mine")
    code, said = init(tmp_path)
    assert (code, target.read_text()) == (2, "mine")
    assert "--force" in said
    assert not (tmp_path / "rag-gate.yml").exists()


def test_force_writes_workflows_over_and_leaves_settings(tmp_path: Path) -> None:
    init(tmp_path)
    for name in WRITTEN:
        (tmp_path / name).write_text("mine")
    assert init(tmp_path, "--force")[0] == 0
    assert [(tmp_path / name).read_text() == "mine" for name in WRITTEN] == [False, False, True]


def test_owners_are_added_to_the_file_that_github_reads(tmp_path: Path) -> None:
    owners = tmp_path / "CODEOWNERS"
    owners.write_text("* @all\n/rag-gate.yml @boss\n")
    assert init(tmp_path, "--owner", "@org/quality")[0] == 0
    lines = owners.read_text().splitlines()
    assert lines[:2] == ["* @all", "/rag-gate.yml @boss"]
    assert "/golden.jsonl @org/quality" in lines
    assert "/rag-gate.yml @org/quality" not in lines
    assert not (tmp_path / ".github/CODEOWNERS").exists()


@pytest.mark.parametrize("owner", ["quality", "@", "@a b", "@a\n* @evil"])
def test_an_owner_is_a_name(tmp_path: Path, owner: str) -> None:
    assert init(tmp_path, "--owner", owner)[0] == 2
    assert not (tmp_path / "rag-gate.yml").exists()
