"""The shipped alerts, by Prometheus' own checker: firing, not firing, without data; and each part of them is needed."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from cli_runner import ROOT

from rag_gate.monitoring.metrics import CITATIONS, EMPTY, LATENCY, THUMBS_DOWN
from rag_gate.resources import shipped

RULES = ROOT / "config" / "prometheus-rules.yml"
CASES = ROOT / "tests" / "data" / "monitoring"
METRICS = {LATENCY, EMPTY, CITATIONS, THUMBS_DOWN}
SUFFIXES = re.compile(r"_(?:bucket|count|sum)\Z")
PROMTOOL = shutil.which("promtool")
needs_promtool = pytest.mark.skipif(
    PROMTOOL is None, reason="promtool is not installed (scripts/test-programs)"
)


def promtool(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    assert PROMTOOL is not None
    command = [PROMTOOL, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def rules() -> list[dict[str, object]]:
    (group,) = yaml.safe_load(RULES.read_text(encoding="utf-8"))["groups"]
    found: list[dict[str, object]] = group["rules"]
    return found


def metrics_in(expression: str) -> set[str]:
    return {
        SUFFIXES.sub("", name) if name not in METRICS else name
        for name in re.findall(r"\brag_\w+", expression)
    }


@needs_promtool
def test_the_rules_are_valid() -> None:
    done = promtool("check", "rules", RULES)
    assert done.returncode == 0, done.stderr
    assert "4 rules found" in done.stdout


@needs_promtool
@pytest.mark.parametrize("cases", ["rules_test.yml", "rules_day_test.yml", "rules_restart_test.yml"])
def test_the_alerts_fire_when_they_should_and_only_then(cases: str) -> None:
    done = promtool("test", "rules", CASES / cases)
    assert done.returncode == 0, done.stdout + done.stderr


CHANGES = {
    "empty: threshold": ("rules_test.yml", "> 0.10", "> 0.09"),
    "empty: guard": ("rules_test.yml", '(increase(rag_response_latency_seconds_count{pipeline_stage="retrieval"}[10m])) >= 20', "(rag_retrieval_empty_total) >= 0"),
    "empty: for": ("rules_test.yml", "for: 5m", "for: 0m"),
    "citations: threshold": ("rules_test.yml", "< 0.70", "<= 0.70"),
    "citations: guard": ("rules_restart_test.yml", '(increase(rag_response_latency_seconds_count{pipeline_stage="generation"}[10m])) >= 20', "(rag_citation_rate) >= 0"),
    "citations: weights": ("rules_restart_test.yml", "rag_citation_rate * on (job, instance)", "rag_citation_rate * 0 + on (job, instance)"),
    "citations: for": ("rules_test.yml", "for: 10m", "for: 5m"),
    "latency: threshold": ("rules_test.yml", ")) > 5\n", ")) > 2\n"),
    "latency: guard": ("rules_test.yml", '{pipeline_stage="total"}[5m])) >= 20', '{pipeline_stage="total"}[5m])) >= 0'),
    "latency: stage": ("rules_test.yml", 'rag_response_latency_seconds_bucket{pipeline_stage="total"}', "rag_response_latency_seconds_bucket"),
    "thumbs: factor": ("rules_day_test.yml", "> 2 *", "> 1.9 *"),
    "thumbs: guard of today": ("rules_day_test.yml", "(rag_thumbs_down_total[30m])) >= 5", "(rag_thumbs_down_total[30m])) >= 0"),
    "thumbs: guard of yesterday": ("rules_day_test.yml", "[30m] offset 1d)) >= 20", "[30m] offset 1d)) >= 0"),
    "thumbs: for": ("rules_day_test.yml", "for: 15m", "for: 15d"),
}  # fmt: skip

ALERTS = {
    "empty": "RagRetrievalEmptyRateHigh",
    "citations": "RagCitationRateLow",
    "latency": "RagLatencyHigh",
    "thumbs": "RagThumbsDownRising",
}


@needs_promtool
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_any_part_is_noticed_by_the_cases(name: str, tmp_path: Path) -> None:
    cases, before, after = CHANGES[name]
    text = RULES.read_text(encoding="utf-8")
    assert before in text
    alert = ALERTS[name.partition(":")[0]]
    write_only(alert, text.replace(before, after), cases, tmp_path)
    done = promtool("test", "rules", tmp_path / "cases.yml")
    assert done.returncode == 1
    assert f"alertname: {alert}, time:" in done.stdout + done.stderr


def write_only(alert: str, rules: str, cases: str, folder: Path) -> None:
    """Write one alert and its cases: to evaluate the others as well takes several times as long."""
    document = yaml.safe_load(rules)
    (group,) = document["groups"]
    group["rules"] = [rule for rule in group["rules"] if rule["alert"] == alert]
    (folder / "rules.yml").write_text(yaml.safe_dump(document), encoding="utf-8")
    document = yaml.safe_load((CASES / cases).read_text(encoding="utf-8")) | {"rule_files": ["rules.yml"]}
    for case in document["tests"]:
        case["alert_rule_test"] = [row for row in case["alert_rule_test"] if row["alertname"] == alert]
    document["tests"] = [case for case in document["tests"] if case["alert_rule_test"]]
    (folder / "cases.yml").write_text(yaml.safe_dump(document), encoding="utf-8")


def test_the_four_alerts_and_their_severities() -> None:
    assert {(rule["alert"], rule["for"], rule["labels"]["severity"]) for rule in rules()} == {  # type: ignore[index]
        ("RagRetrievalEmptyRateHigh", "5m", "warning"),
        ("RagCitationRateLow", "10m", "warning"),
        ("RagLatencyHigh", "3m", "critical"),
        ("RagThumbsDownRising", "15m", "warning"),
    }


def test_the_rules_use_only_metrics_that_there_are() -> None:
    used = set().union(*(metrics_in(str(rule["expr"])) for rule in rules()))
    assert used == METRICS


def test_every_alert_links_a_runbook_that_there_is() -> None:
    for rule in rules():
        url = str(rule["annotations"]["runbook_url"])  # type: ignore[index]
        path = url.removeprefix("https://github.com/org/rag-gate/blob/main/")
        assert re.fullmatch(r"docs/how-to/runbook-[a-z-]+\.md", path), url
        assert (ROOT / path).is_file()
        assert str(rule["alert"]) in (ROOT / path).read_text(encoding="utf-8")


def test_the_rules_are_shipped() -> None:
    assert (shipped("config") / "prometheus-rules.yml").read_bytes() == RULES.read_bytes()
