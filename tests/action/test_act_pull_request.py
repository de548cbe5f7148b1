"""Pull requests under the shipped workflow, on a runner of this machine, with GitHub's API in its place."""

import json
import re
import shutil
from pathlib import Path

from act_runner import Act
from app import PULL, App, loses, only_body, outputs_of, run_pull
from fake_github import READ_ONLY, FakeGitHub, Fault
from promoter import Promoter

VERDICT = "End with the verdict"


def test_a_change_that_harms_nothing_passes_and_is_commented(app: App, act: Act, api: FakeGitHub) -> None:
    pull = app.pull()
    ran = run_pull(act, api, pull)
    assert ran.passed, ran.log
    outputs = outputs_of(ran)
    assert (outputs["status"], outputs["passed"], outputs["exit-code"]) == ("pass", "true", "0")
    assert outputs["regressions"] == "0"
    body = only_body(api)
    assert "rag-gate: PASSED" in body
    assert "rag-gate: PASSED" in ran.summary
    assert pull.head in body, "the commit that was judged, not the temporary merge"
    assert outputs["comment-url"] == api.comments[0]["html_url"]
    files = {path.name for path in ran.artifact("rag-gate").iterdir()}
    assert files >= {"results.json", "verdict.json", "comment.md"}


def test_a_regression_is_commented_and_kept_before_it_fails_the_job(
    app: App, act: Act, api: FakeGitHub
) -> None:
    ran = run_pull(act, api, app.pull(loses(12)))
    assert not ran.passed
    outputs = outputs_of(ran)
    assert (outputs["status"], outputs["passed"], outputs["exit-code"]) == ("regression", "false", "1")
    assert outputs["regressions"] == "1"
    body = only_body(api)
    assert "rag-gate: BLOCKED" in body
    assert "rag-gate: BLOCKED" in ran.summary
    assert ran.steps[VERDICT] == "failure"
    assert ran.steps["Evaluate, decide, comment"] == "success"
    verdict = json.loads((ran.artifact("rag-gate") / "verdict.json").read_text(encoding="utf-8"))
    assert verdict["exit_code"] == 1


def test_a_second_push_updates_the_same_comment(app: App, act: Act, api: FakeGitHub) -> None:
    assert not run_pull(act, api, app.pull(loses(12)), "--env", "GITHUB_RUN_ID=11").passed
    (first,) = api.comments
    number = first["id"]
    assert "BLOCKED" in first["body"]
    assert run_pull(act, api, app.pull(), "--env", "GITHUB_RUN_ID=12").passed
    (second,) = api.comments
    assert second["id"] == number
    assert "PASSED" in second["body"]


def test_a_broken_run_file_fails_the_job_and_the_comment_says_where(
    app: App, act: Act, api: FakeGitHub
) -> None:
    ran = run_pull(act, api, app.pull(lambda user: user.write("run.jsonl", '{"question_id": "q000"\n')))
    assert not ran.passed
    outputs = outputs_of(ran)
    assert (outputs["status"], outputs["exit-code"]) == ("error", "2")
    body = only_body(api)
    assert "run.jsonl:1: is not valid JSON" in body.replace("\u200b", "")


def test_without_a_baseline_on_main_nothing_is_compared_and_that_is_said(
    act: Act, api: FakeGitHub, bare_app: App
) -> None:
    ran = run_pull(act, api, bare_app.pull())
    assert ran.passed, ran.log
    body = only_body(api)
    assert "no baseline" in body


def test_a_token_that_may_only_read_is_a_warning_and_the_verdict_stays(
    app: App, act: Act, api: FakeGitHub
) -> None:
    act.token = READ_ONLY
    ran = run_pull(act, api, app.pull(), fork=True)
    assert ran.passed, ran.log
    outputs = outputs_of(ran)
    assert (outputs["status"], outputs["comment-url"]) == ("pass", "")
    assert "rag-gate: PASSED" in ran.summary
    assert api.comments == []
    (warning,) = ran.annotations("warning")
    assert "fork" in warning


def test_a_regression_from_a_fork_fails_although_it_cannot_be_commented(
    app: App, act: Act, api: FakeGitHub
) -> None:
    act.token = READ_ONLY
    ran = run_pull(act, api, app.pull(loses(12)), fork=True)
    assert not ran.passed
    assert outputs_of(ran)["status"] == "regression"


def test_a_pull_request_of_dependabot_is_judged(app: App, act: Act, api: FakeGitHub) -> None:
    act.token = READ_ONLY
    ran = run_pull(act, api, app.pull(), "--actor", "dependabot[bot]", author="dependabot[bot]")
    assert ran.passed, ran.log
    assert outputs_of(ran)["status"] == "pass"
    (warning,) = ran.annotations("warning")
    assert "Dependabot" in warning


def test_an_api_that_is_down_costs_the_comment_and_not_the_verdict(
    app: App, act: Act, api: FakeGitHub
) -> None:
    api.faults = [Fault(method, ".", 403) for method in ("GET", "POST") for _ in range(20)]
    ran = run_pull(act, api, app.pull())
    assert ran.passed, ran.log
    assert api.comments == []
    assert "rag-gate: PASSED" in ran.summary


TWO_GATES = """\
name: two
on: [pull_request]
permissions:
  contents: read
  pull-requests: write
jobs:
  gates:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with: {fetch-depth: 2, persist-credentials: false}
      - uses: org/rag-gate@v1
        with: {install: none, working-directory: "資料 bot", comment-id: faq}
      - if: ${{ always() }}
        uses: org/rag-gate@v1
        with: {install: none, working-directory: "資料 bot", config: other/rag-gate.yml, comment-id: other}
"""


def test_two_gates_in_folders_with_spaces_and_japanese_names_have_a_comment_each(
    tmp_path: Path, act: Act, api: FakeGitHub
) -> None:
    app = App(tmp_path / "app", cases=40, extended=0)
    folder = app.main / "資料 bot"
    (folder / "other").mkdir(parents=True)
    for path in sorted(app.main.iterdir()):
        if path.is_file():
            shutil.copy2(path, folder / "other")
            path.rename(folder / path.name)
    (app.main / ".github" / "workflows" / "two.yml").write_text(TWO_GATES, encoding="utf-8")
    app.on_main("Two gates")

    def worse(user: Promoter) -> None:
        run = folder / "other" / "run.jsonl"
        text = re.sub(r'"retrieved": \["d\d+"\]', '"retrieved": ["x"]', run.read_text(encoding="utf-8"))
        user.write("資料 bot/other/run.jsonl", text)

    pull = app.pull(worse)
    api.pull(PULL, head=pull.head, base=pull.base)
    ran = act.run(pull.folder, "pull_request", pull.pull_request(), ".github/workflows/two.yml")
    assert not ran.passed
    said = {row["body"].split("\n")[0]: row["body"] for row in api.comments}
    assert "PASSED" in said["<!-- rag-gate:faq -->"], ran.log
    assert "BLOCKED" in said["<!-- rag-gate:other -->"], ran.log
    assert ran.artifacts == {"rag-gate-faq", "rag-gate-other"}
