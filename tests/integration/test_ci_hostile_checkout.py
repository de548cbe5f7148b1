"""What a pull request puts into its checkout never makes the base commit look as if it had no rules."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_github import FakeGitHub
from pull_request import CiEnded, Repository, Runner, git


@pytest.fixture
def hub() -> Iterator[FakeGitHub]:
    with FakeGitHub() as found:
        yield found


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Its gate is in a folder of its own."""
    found = Repository(tmp_path, cases=40, extended=5)
    app = found.origin / "app"
    app.mkdir()
    for path in sorted(found.origin.iterdir()):
        if path.name not in {".git", "app"}:
            path.rename(app / path.name)
    found.commit("in a folder")
    found.branch()
    return found


def loosened(app: Path) -> None:
    """Lose half of the documents, and call that right."""
    run = [json.loads(line) for line in (app / "run.jsonl").read_text().splitlines()]
    for row in run[:20]:
        row["retrieved"] = ["other"]
    (app / "run.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in run))
    settings = (app / "rag-gate.yml").read_text()
    assert "recall@5: 0.03" in settings
    (app / "rag-gate.yml").write_text(settings.replace("recall@5: 0.03", "recall@5: 0.99"))


def ci(repository: Repository, hub: FakeGitHub, tree: Path) -> CiEnded:
    """Run in the folder, as the action does."""
    for commit in (repository.base, repository.head):
        hub.commits[commit] = repository.files(commit)
    runner = Runner(repository, hub)
    return runner.ci(tree / "app", GITHUB_WORKSPACE=str(tree), RAG_GATE_WORKING_DIRECTORY="app")


def bare_repository(app: Path, settings: str) -> None:
    """Make a folder look like a repository without a work tree, with settings that git would obey."""
    (app / "HEAD").write_text("ref: refs/heads/main\n")
    (app / "config").write_text(f"[core]\n\trepositoryformatversion = 0\n{settings}")
    for name in ("objects", "refs"):
        (app / name).mkdir()
        (app / name / "keep").write_text("")


@pytest.mark.parametrize("settings", ["\tbare = true\n", "\tbare = false\n\tworktree = .\n"])
def test_a_bare_repository_in_the_folder_is_not_the_repository(
    repository: Repository, hub: FakeGitHub, settings: str
) -> None:
    loosened(repository.origin / "app")
    bare_repository(repository.origin / "app", settings)
    repository.propose()
    assert ci(repository, hub, repository.checkout()).verdict == ("regression", "1")


def test_git_does_not_obey_a_bare_repository_in_the_folder(
    repository: Repository, hub: FakeGitHub, tmp_path: Path
) -> None:
    """Without a token the base commit is fetched, where settings name programs to start."""
    touched = tmp_path / "touched"
    settings = f'\tsshCommand = touch {touched}\n\tfsmonitor = touch {touched}\n[remote "origin"]\n\turl = ext::touch {touched}\n'
    bare_repository(repository.origin / "app", settings + "[protocol]\n\tallow = always\n")
    repository.propose()
    tree = repository.checkout(depth=1)
    git(tree, "remote", "set-url", "origin", str(tmp_path / "nowhere"))
    runner = Runner(repository, hub, token="")
    assert runner.ci(tree / "app", GITHUB_TOKEN="").verdict == ("error", "3")
    assert not touched.exists()


def test_a_folder_that_became_a_link_to_another_gate_is_refused(
    repository: Repository, hub: FakeGitHub
) -> None:
    (repository.origin / "app").rename(repository.origin / "other")
    loosened(repository.origin / "other")
    (repository.origin / "app").symlink_to("other")
    repository.propose()
    ended = ci(repository, hub, repository.checkout())
    assert ended.verdict == ("error", "3")
    assert "working-directory: app is reached through a link" in ended.err


def test_a_folder_that_became_a_submodule_is_refused(
    repository: Repository, hub: FakeGitHub, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    (repository.origin / "app").rename(other)
    loosened(other)
    git(other, "init", "--quiet")
    git(other, "add", "--all")
    git(other, "commit", "--quiet", "-m", "another gate")
    git(repository.origin, "rm", "-r", "--cached", "--quiet", "app")
    (repository.origin / "app").mkdir()
    commit = git(other, "rev-parse", "HEAD")
    git(repository.origin, "update-index", "--add", "--cacheinfo", f"160000,{commit},app")
    (repository.origin / ".gitmodules").write_text(f'[submodule "app"]\n\tpath = app\n\turl = {other}\n')
    repository.propose()
    tree = repository.checkout()
    git(tree, "submodule", "--quiet", "update", "--init")
    hub.commits[repository.base] = repository.files(repository.base)
    ended = Runner(repository, hub).ci(tree / "app")
    assert ended.verdict == ("error", "3")
    assert "is a submodule" in ended.err


def linked_baseline(repository: Repository) -> None:
    """Let the base commit keep its baseline behind a link."""
    git(repository.origin, "checkout", "--quiet", "-B", "main")
    app = repository.origin / "app"
    (app / "kept").mkdir()
    for path in sorted(app.glob("baseline*")):
        path.rename(app / "kept" / path.name)
    (app / "here").symlink_to("kept")
    repository.edit("app/rag-gate.yml", "baseline: baseline.json", "baseline: here/baseline.json")
    repository.commit("behind a link")
    repository.branch()


@pytest.mark.parametrize("depth", [2, 1])
def test_a_base_whose_baseline_is_behind_a_link_is_not_one_without_a_baseline(
    repository: Repository, hub: FakeGitHub, depth: int
) -> None:
    linked_baseline(repository)
    loosened(repository.origin / "app")
    repository.propose()
    hub.links.add("app/here")
    ended = ci(repository, hub, repository.checkout(depth=depth))
    assert ended.verdict == ("error", "3")
    assert "app/here: is" in ended.err
    assert "link" in ended.err


def test_committed_results_are_not_those_of_this_run(repository: Repository, hub: FakeGitHub) -> None:
    """The run ends before anything is measured, and what it names as written is uploaded as its own."""
    folder = repository.origin / "app" / "eval_results"
    (repository.origin / "app" / ".gitignore").unlink()
    folder.mkdir(exist_ok=True)
    for name in ("results.json", "retrieval.json", "judge.json"):
        (folder / name).write_text("{}")
    (repository.origin / "app" / "rag-gate.yml").write_text("broken: [")
    repository.propose()
    ended = ci(repository, hub, repository.checkout())
    assert ended.verdict == ("error", "2")
    assert {Path(line).name for line in ended.outputs["paths"].splitlines()} == {"verdict.json", "comment.md"}


def test_a_clone_without_file_contents_takes_them_from_github(
    repository: Repository, hub: FakeGitHub
) -> None:
    loosened(repository.origin / "app")
    repository.propose()
    tree = repository.checkout()
    git(tree, "config", "remote.origin.promisor", "true")
    git(tree, "config", "remote.origin.partialclonefilter", "blob:none")
    assert ci(repository, hub, tree).verdict == ("regression", "1")
    assert ("GET", "/repos/org/app/contents/app/rag-gate.yml") in hub.log


@pytest.mark.parametrize(
    "event", ["pull_request_review_comment", "pull_request_review", "an_event_of_tomorrow"]
)
def test_any_event_about_a_pull_request_is_judged_by_the_base(
    repository: Repository, hub: FakeGitHub, event: str
) -> None:
    loosened(repository.origin / "app")
    repository.propose()
    runner = Runner(repository, hub)
    ended = runner.ci(repository.checkout() / "app", event=event, payload=runner.pull_event())
    assert ended.verdict == ("regression", "1")


def test_a_run_started_again_after_the_pull_request_moved_to_another_base_is_no_pass(
    repository: Repository, hub: FakeGitHub
) -> None:
    """Its event is that of the first start, with the old base, by whose rules it passed."""
    repository.propose()
    runner = Runner(repository, hub)
    payload = runner.pull_event()
    hub.pulls[7]["base"]["ref"] = "stable"
    ended = runner.ci(repository.checkout() / "app", payload=payload)
    assert ended.verdict == ("error", "3")
    assert "goes to stable now" in ended.err


def test_where_there_are_secrets_no_program_is_started_among_the_pull_requests_files(
    repository: Repository, hub: FakeGitHub
) -> None:
    git(repository.origin, "checkout", "--quiet", "-B", "main")
    own = "judge: {model: gpt-4o-2024-11-20, provider: command, command: [python3, judge.py]}"
    repository.edit("app/rag-gate.yml", "judge: {engine: none}", own)
    repository.commit("a judge of our own")
    repository.branch()
    (repository.origin / "app" / "judge.py").write_text("open('touched', 'w')\n")
    repository.propose()
    tree = repository.checkout()
    runner = Runner(repository, hub)
    payload = runner.pull_event(fork=True)
    ended = runner.ci(tree / "app", event="pull_request_target", payload=payload)
    assert ended.verdict == ("error", "3")
    assert "pull_request_target has secrets" in ended.err
    assert not (tree / "app" / "touched").exists()


def test_a_pull_requests_ref_is_judged_by_the_base_or_not_at_all(
    repository: Repository, hub: FakeGitHub
) -> None:
    loosened(repository.origin / "app")
    repository.propose()
    payload = {"repository": {"full_name": "org/app", "default_branch": "main"}}
    ended = Runner(repository, hub).ci(
        repository.checkout() / "app", event="an_event_of_tomorrow", payload=payload
    )
    assert ended.verdict == ("error", "3")
    assert "names no base commit" in ended.err
