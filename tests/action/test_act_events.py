"""Events other than a pull request: the merge queue, pushes, schedules."""

import json

from act_runner import Act, Ran
from app import App, Clone, loses, outputs_of
from fake_github import FakeGitHub

REPOSITORY = {"full_name": "org/app", "default_branch": "main"}
WORKFLOW = ".github/workflows/rag-gate.yml"


def tier_of(ran: Ran) -> str:
    path = ran.artifact("rag-gate") / "results.json"
    tier: str = json.loads(path.read_text(encoding="utf-8"))["dataset"]["tier"]
    return tier


def queued(act: Act, pull: Clone) -> Ran:
    return act.run(pull.folder, "merge_group", pull.merge_group(), WORKFLOW)


def test_the_merge_queue_judges_all_tiers_by_the_base_and_does_not_comment(
    app: App, act: Act, api: FakeGitHub
) -> None:
    ran = queued(act, app.pull())
    assert ran.passed, ran.log
    assert tier_of(ran) == "extended"
    assert api.comments == []
    assert "rag-gate: PASSED" in ran.summary


def test_the_merge_queue_stops_a_regression(app: App, act: Act, api: FakeGitHub) -> None:
    ran = queued(act, app.pull(loses(12)))
    assert not ran.passed
    assert outputs_of(ran)["status"] == "regression"
    assert api.comments == []


def test_a_push_to_main_judges_all_tiers_by_its_own_files(app: App, act: Act, api: FakeGitHub) -> None:
    clone = app.clone()
    payload = {"ref": "refs/heads/main", "after": clone.head, "repository": REPOSITORY}
    ran = act.run(clone.folder, "push", payload, WORKFLOW)
    assert ran.passed, ran.log
    assert tier_of(ran) == "extended"
    assert api.log == []
