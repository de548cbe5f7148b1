"""A model judge on a runner: without its key, away, and with its verdicts kept between runs."""

import json
from pathlib import Path

import pytest
from act_runner import Act, Ran
from app import App, edit, only_body, outputs_of, run_pull
from fake_github import READ_ONLY, FakeGitHub

WORKFLOW = ".github/workflows/rag-gate.yml"
KEY = "sk-test-5f1c7be2a90d"
SETTINGS = """\
dataset: golden.jsonl
run: run.jsonl
baseline: baseline.json
judge:
  model: gpt-4o-2024-11-20
  canary: false
  max_attempts: 1
  {judge}
tolerances: {{recall@5: 0.03, safety_pass_rate: 0.0}}
"""
AWAY = "base_url: http://127.0.0.1:9/v1\n  api_key_env: MODEL_KEY"
#: Passes every answer, and notes that it was asked.
PROGRAM = """\
import json, sys
asked = json.load(sys.stdin)
data = json.loads(asked["user"].split("\\n", 1)[1].split("\\n</data ", 1)[0])
parts = asked["schema"]["properties"]
said = {"nonce": parts["nonce"]["enum"][0], "correctness": "correct"}
said["relevance"] = {"missing": [], "superfluous": [], "addresses": True}
said["claims"] = [{"text": data["answer"], "evidence": None, "document": None, "supported": False}]
with open(sys.argv[1], "a", encoding="utf-8") as noted:
    noted.write("asked\\n")
print(json.dumps({"text": json.dumps({name: said[name] for name in parts})}))
"""


NO_KEY = "api_key_env: MODEL_KEY"


@pytest.fixture(scope="module")
def away_app(tmp_path_factory: pytest.TempPathFactory) -> App:
    """A repository whose judge is a service that is away."""
    app = App(tmp_path_factory.mktemp("away"))
    app.user.write("rag-gate.yml", SETTINGS.format(judge=AWAY))
    app.on_main("A model judge")
    return app


@pytest.fixture(scope="module")
def judged_app(tmp_path_factory: pytest.TempPathFactory) -> App:
    """A repository whose judge is a service that needs a key."""
    app = App(tmp_path_factory.mktemp("judged"))
    app.user.write("rag-gate.yml", SETTINGS.format(judge=NO_KEY))
    app.on_main("A model judge")
    return app


def test_a_judge_that_is_away_is_no_verdict_and_no_pass(away_app: App, act: Act, api: FakeGitHub) -> None:
    ran = run_pull(act, api, away_app.pull(), "--env", f"MODEL_KEY={KEY}")
    assert not ran.passed
    outputs = outputs_of(ran)
    assert (outputs["status"], outputs["passed"], outputs["exit-code"]) == ("error", "false", "3")
    body = only_body(api)
    assert "NOT EVALUATED" in body
    assert KEY not in body + ran.log + ran.summary
    assert ran.artifacts == {"rag-gate"}


@pytest.mark.parametrize("who", ["fork", "dependabot"])
def test_without_the_key_the_rest_decides_and_it_is_neutral_and_never_silently_green(
    judged_app: App, act: Act, api: FakeGitHub, who: str
) -> None:
    act.token = READ_ONLY
    author = "dependabot[bot]" if who == "dependabot" else "stranger"
    pull = judged_app.pull()
    ran = run_pull(act, api, pull, "--actor", author, fork=who == "fork", author=author)
    assert ran.passed, ran.log
    assert outputs_of(ran)["status"] == "neutral"
    assert "NEUTRAL" in ran.summary
    assert "No secret" in ran.summary
    assert any("judge did not run" in text for text in ran.annotations("warning"))


def test_without_the_key_a_lost_document_still_fails(judged_app: App, act: Act, api: FakeGitHub) -> None:
    act.token = READ_ONLY
    ran = run_pull(act, api, judged_app.pull(lambda user: user.record(lost=12)), fork=True)
    assert not ran.passed
    assert outputs_of(ran)["status"] == "regression"


def test_on_the_default_branch_a_missing_key_is_an_error(judged_app: App, act: Act) -> None:
    ran = _push(act, judged_app)
    assert not ran.passed
    assert outputs_of(ran)["exit-code"] == "3"


def test_verdicts_are_kept_by_the_default_branch_and_only_read_by_pull_requests(
    tmp_path: Path, act: Act, api: FakeGitHub
) -> None:
    app = App(tmp_path / "app", cases=6, extended=0)
    program, noted = tmp_path / "judge.py", tmp_path / "noted"
    program.write_text(PROGRAM, encoding="utf-8")
    command = json.dumps(["python3", str(program), str(noted)])
    app.user.write("rag-gate.yml", SETTINGS.format(judge=f"provider: command\n  command: {command}"))
    app.on_main("A model judge")

    def asked() -> int:
        return len(noted.read_text(encoding="utf-8").splitlines()) if noted.exists() else 0

    _push(act, app, "--env", "GITHUB_RUN_ID=1")
    assert asked() == 6
    assert {path.name for path in (act.store / "cache").iterdir()} == {"rag-gate-judge-v1-default-all-1-1"}

    run_pull(act, api, app.pull(), "--env", "GITHUB_RUN_ID=2")
    assert asked() == 6, "the same answers need no new verdicts"

    changed = edit("run.jsonl", r'("q003".*?"answer": )"3 days"', r'\1"4 days"')
    run_pull(act, api, app.pull(changed), "--env", "GITHUB_RUN_ID=3")
    assert asked() == 7, "one answer changed"
    assert len(list((act.store / "cache").iterdir())) == 1, "a pull request keeps nothing"


def _push(act: Act, app: App, *options: str) -> Ran:
    clone = app.clone()
    repository = {"full_name": "org/app", "default_branch": "main"}
    payload = {"ref": "refs/heads/main", "after": clone.head, "repository": repository}
    return act.run(clone.folder, "push", payload, WORKFLOW, *options)
