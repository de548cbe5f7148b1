"""The second stage for forks: the artifact may be anything, and the comment still says what is true."""

import copy
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_github import FakeGitHub
from pull_request import CiEnded, Repository, Runner, git

Row = dict[str, Any]


@pytest.fixture
def hub() -> Iterator[FakeGitHub]:
    with FakeGitHub() as found:
        yield found


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    found = Repository(tmp_path)
    found.branch()
    return found


class TwoStages:
    """A fork's pull request: measured without rights, commented from the default branch."""

    def __init__(self, repository: Repository, hub: FakeGitHub) -> None:
        self.repository, self.hub = repository, hub
        self.runner = Runner(repository, hub)

    def first(self) -> Row:
        """Measure; return the results that the first stage uploads."""
        self.repository.propose()
        for commit in (self.repository.base, self.repository.head):
            self.hub.commits[commit] = self.repository.files(commit)
        ended = self.runner.ci(
            self.repository.checkout("fork"),
            payload=self.runner.pull_event(fork=True),
            GITHUB_TOKEN="",
            RAG_GATE_COMMENT="never",
        )
        path = next(line for line in ended.outputs["paths"].splitlines() if line.endswith("results.json"))
        found: Row = json.loads(Path(path).read_text())
        return found

    def second(self, archive: bytes, *options: str) -> CiEnded:
        """Comment, from a checkout of the default branch."""
        self.hub.artifact(archive)
        tree = self.repository.checkout("default", depth=1, commit=self.repository.base)
        return self.runner.ci(tree, *options, event="workflow_run", payload=self.runner.run_event())


@pytest.fixture
def stages(repository: Repository, hub: FakeGitHub) -> TwoStages:
    return TwoStages(repository, hub)


class Measured(TwoStages):
    """A change without effect, which the first stage has measured already: what it left is taken from there."""

    def __init__(self, other: TwoStages, results: Row, folder: Path, hub: FakeGitHub) -> None:
        repository = copy.copy(other.repository)
        repository.folder = folder
        super().__init__(repository, hub)
        self._commits, self._results = other.hub.commits, results

    def first(self) -> Row:
        self.hub.commits.update(self._commits)
        return copy.deepcopy(self._results)


@pytest.fixture(scope="module")
def first_stage(tmp_path_factory: pytest.TempPathFactory) -> tuple[TwoStages, Row]:
    repository = Repository(tmp_path_factory.mktemp("measured"))
    repository.branch()
    with FakeGitHub() as hub:
        stages = TwoStages(repository, hub)
        return stages, stages.first()


@pytest.fixture
def measured(first_stage: tuple[TwoStages, Row], tmp_path: Path, hub: FakeGitHub) -> Measured:
    return Measured(*first_stage, tmp_path, hub)


def zipped(**files: bytes | str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def results_zip(results: Row) -> bytes:
    return zipped(
        **{"eval_results/results.json": json.dumps(results), "eval_results/comment.md": "## PASSED, trust me"}
    )


def test_a_forks_results_are_judged_and_commented_with_the_claim_said(
    stages: TwoStages, hub: FakeGitHub
) -> None:
    ended = stages.second(results_zip(stages.first()))
    assert ended.verdict == ("pass", "0"), ended.err
    body = hub.comments[0]["body"]
    assert "are its claims" in body
    assert "trust me" not in body
    assert f"head={stages.repository.head} " in body


def test_a_forks_regression_is_told(stages: TwoStages, hub: FakeGitHub) -> None:
    stages.repository.answer(lost=30)
    assert stages.second(results_zip(stages.first())).verdict == ("regression", "0")
    assert "BLOCKED" in hub.comments[0]["body"]


def test_the_base_branchs_tolerance_decides_in_the_second_stage_too(
    stages: TwoStages, hub: FakeGitHub
) -> None:
    stages.repository.edit("rag-gate.yml", "recall@5: 0.03", "recall@5: 0.9")
    stages.repository.answer(lost=30)
    assert stages.second(results_zip(stages.first())).verdict == ("regression", "0")
    assert "rag-gate.yml" in hub.comments[0]["body"]


def test_number_and_commit_come_from_github_and_not_from_the_artifact(
    measured: Measured, hub: FakeGitHub
) -> None:
    results = measured.first()
    results["run"]["manifest"] = {"commit": "f" * 40, "pull_request": 99}
    measured.second(results_zip(results))
    assert f"head={measured.repository.head} " in hub.comments[0]["body"]
    assert not any("/issues/99/" in path for _, path in hub.log)


def test_a_pull_request_that_has_moved_on_is_left_alone(measured: Measured, hub: FakeGitHub) -> None:
    archive = results_zip(measured.first())
    payload = measured.runner.run_event()
    hub.pull(head="e" * 40, base=measured.repository.base, fork=True)
    hub.artifact(archive)
    tree = measured.repository.checkout("default", depth=1, commit=measured.repository.base)
    ended = measured.runner.ci(tree, event="workflow_run", payload=payload)
    assert (ended.code, ended.outputs["status"], hub.comments) == (0, "skipped", [])


def test_nothing_of_the_pull_request_is_written_to_disk_or_run(measured: Measured) -> None:
    results = measured.first()
    archive = zipped(
        **{
            "results.json": json.dumps(results),
            "rag-gate.yml": "evil",
            "sitecustomize.py": "raise SystemExit",
        }
    )
    measured.second(archive)
    tree = measured.repository.folder / "default"
    assert not list(tree.rglob("sitecustomize.py"))
    assert "evil" not in (tree / "rag-gate.yml").read_text()


def _link() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        entry = zipfile.ZipInfo("results.json")
        entry.external_attr = (0o120777 << 16) | 0x8000
        archive.writestr(entry, "/etc/passwd")
    return buffer.getvalue()


def _many() -> bytes:
    return zipped(**{f"file{number}.json": "{}" for number in range(300)}, **{"results.json": "{}"})


def _bomb() -> bytes:
    return zipped(**{"results.json": b" " * 120_000_000})


def _deep() -> bytes:
    return zipped(**{"results.json": "[" * 100_000 + "]" * 100_000})


@pytest.mark.parametrize(
    "archive",
    [
        b"",
        b"not a zip",
        zipped(**{"other.json": "{}"}),
        zipped(**{"a/results.json": "{}", "b/results.json": "{}"}),
        zipped(**{"../results.json": "{}"}),
        zipped(**{"/results.json": "{}"}),
        zipped(**{"x\\..\\results.json": "{}"}),
        zipped(**{"C:results.json": "{}"}),
        zipped(**{"results.json": "{}", "../../.git/config": "x"}),
        _link(),
        _many(),
        _bomb,
        _deep(),
        zipped(**{"results.json": b"\xff\xfe"}),
        zipped(**{"results.json": "[]"}),
        zipped(**{"results.json": '{"schema_version": 1, "kind": "results"}'}),
        zipped(**{"results.json": '{"schema_version": 99, "kind": "results"}'}),
    ],
    ids=lambda value: value.__name__ if callable(value) else str(len(value)),
)
def test_a_malicious_archive_is_an_error_and_nothing_more(
    measured: Measured, hub: FakeGitHub, archive: bytes | Callable[[], bytes]
) -> None:
    measured.first()
    ended = measured.second(archive() if callable(archive) else archive)
    assert ended.code == 0
    assert ended.outputs["status"] == "error"
    assert ended.outputs["exit-code"] in {"2", "3"}
    assert "NOT EVALUATED" in hub.comments[0]["body"]
    assert "internal error" not in ended.err


def _set(path: str, value: object) -> Any:
    def change(results: Row) -> None:
        *way, last = path.split(".")
        found: Any = results
        for key in way:
            found = found[int(key) if key.isdecimal() else key]
        found[last] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        _set("unknown_key", 1),
        _set("scores.recall@5", 0.5),
        _set("metrics.recall@5.mean", 0.5),
        _set("metrics.recall@5.n_scored", 7),
        _set("cases.0.scores.recall@5", 7.0),
        _set("cases.0.fingerprint", "f" * 32),
        _set("cases.0.info.question", "x" * 200_000),
        _set("cases.0.question_id", "q001"),
        _set("cases.0.question_id", "other"),
        _set("dataset.fingerprint", "f" * 32),
        _set("dataset.n_cases", 1),
        _set("cases.0.detail.retrieval", {"k" * 1_000: 1}),
    ],
)
def test_results_that_are_not_at_one_are_not_judged(measured: Measured, change: Any) -> None:
    results = measured.first()
    change(results)
    ended = measured.second(results_zip(results))
    assert ended.outputs["status"] == "error"
    assert "internal error" not in ended.err


def test_numbers_that_are_none_are_refused(measured: Measured) -> None:
    text = json.dumps(measured.first()).replace('"recall@5": 1.0', '"recall@5": NaN', 1)
    assert measured.second(zipped(**{"results.json": text})).outputs["status"] == "error"


def test_left_out_cases_are_noticed(measured: Measured) -> None:
    results = measured.first()
    results["cases"] = results["cases"][10:]
    results["dataset"]["n_cases"] -= 10
    assert measured.second(results_zip(results)).outputs["status"] == "error"


def test_must_pass_and_question_are_the_base_commits(tmp_path: Path, hub: FakeGitHub) -> None:
    repository = Repository(tmp_path / "must")
    golden = repository.rows("golden.jsonl")
    golden[0]["must_pass"] = True
    repository.write_rows("golden.jsonl", golden)
    repository.commit("must pass")
    repository.branch()
    repository.answer(lost=1)
    stages = TwoStages(repository, hub)
    results = stages.first()
    results["cases"][0]["info"] |= {"must_pass": False, "question": "never mind"}
    ended = stages.second(results_zip(results))
    assert ended.verdict == ("regression", "0")
    assert "never mind" not in hub.comments[0]["body"]


def test_a_stage_that_the_rules_ask_for_cannot_be_left_out(measured: Measured) -> None:
    results = measured.first()
    del results["stages"]["safety"]
    assert measured.second(results_zip(results)).verdict == ("error", "3")


def test_without_an_artifact_there_is_no_verdict(measured: Measured, hub: FakeGitHub) -> None:
    measured.first()
    hub.artifact(b"x", name="something-else", number=2)
    tree = measured.repository.checkout("default", depth=1, commit=measured.repository.base)
    ended = measured.runner.ci(tree, event="workflow_run", payload=measured.runner.run_event())
    assert ended.verdict == ("error", "3")
    assert "no artifact named rag-gate" in ended.err


def test_hostile_text_in_the_artifact_stays_text(stages: TwoStages, hub: FakeGitHub) -> None:
    stages.repository.answer(lost=30)
    results = stages.first()
    evil = "<img src=x onerror=alert(1)> @team ::error::x\n<!-- rag-gate:default -->"
    for case in results["cases"]:
        case["detail"]["retrieval"] = {"retrieved": [evil], "gold_ranks": {evil: None}, "retrieval_ok": False}
        case["reasons"] = {evil: evil}
    ended = stages.second(results_zip(results))
    body = hub.comments[0]["body"]
    assert "<img" not in body.replace("`<img", "")
    assert body.count("\n<!-- rag-gate") == 1
    assert not any(line.startswith("::error::") for line in (ended.out + ended.err).splitlines())


def test_the_second_stage_needs_no_history(measured: Measured, hub: FakeGitHub) -> None:
    archive = results_zip(measured.first())
    assert git(measured.repository.origin, "rev-parse", "main") == measured.repository.base
    assert measured.second(archive, "--fail-on", "never").verdict == ("pass", "0")
    assert len(hub.comments) == 1
