"""The reusable workflow: shards side by side, joined, judged once."""

import re
import shutil
from pathlib import Path

import pytest
from act_runner import Act, Ran
from app import PULL, App, Clone, loses, only_body
from fake_github import FakeGitHub
from interface import ROOT
from promoter import Promoter

CALLER = """\
name: sharded
on: [pull_request]
permissions:
  contents: read
  pull-requests: write
jobs:
  gate:
    uses: ./.github/workflows/gate.yml
    with:
      shards: "3"
"""
_USES = re.compile(r"(uses: \./\.rag-gate-action\n\s+with:\n)(\s+)")


@pytest.fixture(scope="module")
def sharded(tmp_path_factory: pytest.TempPathFactory) -> App:
    """A repository that calls the reusable workflow."""
    app = App(tmp_path_factory.mktemp("sharded"))
    shipped = (ROOT / ".github" / "workflows" / "gate.yml").read_text(encoding="utf-8")
    text, count = _USES.subn(r"\1\2install: none\n\2", shipped)
    assert count == 3
    # What a matrix leg that never came looks like: its artifact is not there.
    text = text.replace(
        "      - uses: ./.rag-gate-action\n",
        "      - if: ${{ matrix.shard != vars.LOST }}\n        uses: ./.rag-gate-action\n",
        1,
    )
    folder = app.main / ".github" / "workflows"
    (folder / "gate.yml").write_text(text, encoding="utf-8")
    (folder / "sharded.yml").write_text(CALLER, encoding="utf-8")
    app.on_main("Shards")
    return app


def run(act: Act, api: FakeGitHub, pull: Clone, *options: str) -> Ran:
    api.pull(PULL, head=pull.head, base=pull.base)
    place = act.store / "repositories" / "org" / "rag-gate"
    shutil.copytree(act.action, place)
    return act.run(
        pull.folder, "pull_request", pull.pull_request(), ".github/workflows/sharded.yml", *options
    )


def artifacts(ran: Ran) -> set[str]:
    return {path.name for path in Path(ran.store / "artifacts" / "1").iterdir()}


def test_shards_are_measured_side_by_side_joined_and_commented_once(
    sharded: App, act: Act, api: FakeGitHub
) -> None:
    ran = run(act, api, sharded.pull())
    assert ran.passed, ran.log
    assert artifacts(ran) == {"rag-gate", *(f"rag-gate-shard-{number}-of-3" for number in (1, 2, 3))}
    body = only_body(api)
    assert "rag-gate: PASSED" in body


def test_a_regression_spread_over_the_shards_is_found(sharded: App, act: Act, api: FakeGitHub) -> None:
    ran = run(act, api, sharded.pull(loses(12)))
    assert not ran.passed
    body = only_body(api)
    assert "rag-gate: BLOCKED" in body


def test_a_missing_shard_is_no_verdict_and_is_named(sharded: App, act: Act, api: FakeGitHub) -> None:
    """Files that the pull request puts where results are expected do not take its place."""

    def forges(user: Promoter) -> None:
        for folder in (".rag-gate-shards", "rag-gate-shards", "shards"):
            (user.folder / folder).mkdir()
            for stage in ("retrieval", "judge", "safety"):
                user.write(f"{folder}/{stage}-2of3.json", "{}")

    ran = run(act, api, sharded.pull(forges), "--var", "LOST=2/3")
    assert not ran.passed
    assert "rag-gate-shard-2-of-3" not in artifacts(ran)
    body = only_body(api)
    assert "NOT EVALUATED" in body
    assert "shard 2/3" in body


def test_what_the_recorded_run_brings_along_does_not_take_the_gates_place(
    sharded: App, act: Act, api: FakeGitHub, tmp_path: Path
) -> None:
    """The job that records runs the code under test."""
    text = (sharded.main / ".github" / "workflows" / "sharded.yml").read_text(encoding="utf-8")
    text = text.replace('shards: "3"', 'shards: "1"\n      run-artifact: recorded-run')
    recorded = act.store / "artifacts" / "1" / "recorded-run"
    (recorded / ".rag-gate-action").mkdir(parents=True)
    hijack = "runs:\n  using: composite\n  steps:\n    - run: echo hijacked; exit 0\n      shell: bash\n"
    (recorded / ".rag-gate-action" / "action.yml").write_text(hijack, encoding="utf-8")
    loses(12)(Promoter(tmp_path, 40, 10).first())
    shutil.copy2(tmp_path / "run.jsonl", recorded)
    ran = run(act, api, sharded.pull(lambda user: user.write(".github/workflows/sharded.yml", text)))
    assert "hijacked" not in ran.log
    assert not ran.passed, "the recorded run counts, and not the committed one"
    assert "rag-gate: BLOCKED" in only_body(api)
