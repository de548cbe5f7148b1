"""What a pull request does to the files that decide never helps it."""

import json

import pytest
from act_runner import Act
from app import App, Change, edit, loses, only_body, outputs_of, publish, run_pull
from fake_github import FakeGitHub
from promoter import Promoter


def flatters(user: Promoter) -> None:
    """Lower the baseline to what the worse bot reaches."""
    user.record(lost=12)
    baseline = user.baseline
    for case in baseline["cases"]:
        case["scores"]["recall@5"] = 0.0
    baseline["metrics"]["recall@5"] = 0.0
    user.write("baseline.json", json.dumps(baseline))


def both(*changes: Change) -> Change:
    def change(user: Promoter) -> None:
        for each in changes:
            each(user)

    return change


def removes(count: int) -> Change:
    """Take the cases that the bot loses out of the golden set, and out of the run."""

    def change(user: Promoter) -> None:
        for name in ("golden.jsonl", "run.jsonl"):
            lines = (user.folder / name).read_text(encoding="utf-8").splitlines(keepends=True)
            user.write(name, "".join(lines[count:]))

    return change


def relabels(user: Promoter) -> None:
    """Call right what the worse bot finds."""
    user.record(lost=12)
    edit("golden.jsonl", r'"d(\d|1[01])"', '"other"')(user)


TAMPERED: dict[str, tuple[Change, str]] = {
    "baseline": (flatters, "baseline.json"),
    "tolerance": (both(loses(12), edit("rag-gate.yml", "0.03", "0.9")), "rag-gate.yml"),
    "gate": (both(loses(12), edit("rag-gate.yml", r"\Z", "gate: {alpha: 0.0001}\n")), "rag-gate.yml"),
    "labels": (relabels, "golden.jsonl"),
    "settings": (both(loses(12), lambda user: (user.folder / "rag-gate.yml").unlink()), "rag-gate.yml"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_worse_bot_stays_blocked_and_the_changed_file_is_named(
    app: App, act: Act, api: FakeGitHub, name: str
) -> None:
    change, file = TAMPERED[name]
    ran = run_pull(act, api, app.pull(change))
    assert not ran.passed
    assert outputs_of(ran)["status"] == "regression", ran.log
    body = only_body(api)
    assert "BLOCKED" in body
    assert file in body
    assert any(file in text for text in ran.annotations("notice"))


def test_lost_cases_that_are_taken_out_are_no_pass(app: App, act: Act, api: FakeGitHub) -> None:
    ran = run_pull(act, api, app.pull(both(loses(12), removes(12))))
    assert not ran.passed
    assert outputs_of(ran)["passed"] == "false"
    body = only_body(api)
    assert "q000" in body


def test_modules_in_the_repository_do_not_take_the_place_of_the_gates_own(
    app: App, act: Act, api: FakeGitHub
) -> None:
    def hijack(user: Promoter) -> None:
        for name in ("rag_gate", "click", "json", "yaml", "httpx", "sitecustomize"):
            user.write(f"{name}.py", "print('hijacked'); raise SystemExit(0)\n")

    ran = run_pull(act, api, app.pull(both(loses(12), hijack)), "--env", "PYTHONPATH=.")
    assert not ran.passed
    assert outputs_of(ran)["status"] == "regression"
    assert "hijacked" not in ran.log


def test_a_clone_of_depth_one_takes_the_base_from_the_api(app: App, act: Act, api: FakeGitHub) -> None:
    change, _ = TAMPERED["tolerance"]
    pull = app.pull(change, depth=1)
    publish(api, app, pull.base)
    ran = run_pull(act, api, pull)
    assert outputs_of(ran)["status"] == "regression", ran.log
    assert ("GET", "/repos/org/app/contents/rag-gate.yml") in api.log


def test_where_the_base_cannot_be_read_there_is_no_verdict_and_the_way_out_is_named(
    app: App, act: Act, api: FakeGitHub
) -> None:
    ran = run_pull(act, api, app.pull(depth=1))
    assert not ran.passed
    assert outputs_of(ran)["exit-code"] == "3"
    assert any("fetch-depth: 2" in text for text in ran.annotations("error"))
