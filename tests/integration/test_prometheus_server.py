"""A real Prometheus scrapes the example bot, whose index no longer fits its questions, and the shipped alert fires.

So that the test takes seconds instead of a quarter of an hour, the durations of the shipped rules are rewritten (10m
becomes 6s, 5m becomes 2s) and the bot is scraped each half second; thresholds, guards and everything else are the shipped ones.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from cli_runner import ROOT

EXAMPLE = ROOT / "examples" / "support-bot"
ALERT = "RagRetrievalEmptyRateHigh"
PROMETHEUS = shutil.which("prometheus")
QUESTIONS = [
    json.loads(line)["question"]
    for line in (EXAMPLE / "golden.jsonl").read_text(encoding="utf-8").splitlines()
][:60]
pytestmark = pytest.mark.skipif(
    PROMETHEUS is None, reason="prometheus is not installed (scripts/test-programs)"
)
CONFIG = """
global: {{scrape_interval: 500ms, evaluation_interval: 500ms}}
rule_files: [rules.yml]
scrape_configs:
  - job_name: support-bot
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
"""


def shortened(rules: str) -> str:
    """Rewrite the windows and waiting times of the rules; whatever else stays as it is."""
    shorter = {"10m": "6s", "5m": "2s", "3m": "2s", "30m": "6s", "15m": "2s", "1d": "10s"}
    windows = re.sub(r"\[(\w+)\]", lambda match: f"[{shorter[match[1]]}]", rules)
    windows = re.sub(r"offset (\w+)", lambda match: f"offset {shorter[match[1]]}", windows)
    return re.sub(r"for: (\w+)", lambda match: f"for: {shorter[match[1]]}", windows)


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port: int = bound.getsockname()[1]
        return port


def get(url: str, body: dict[str, str] | None = None) -> str:
    with httpx.Client(trust_env=False, timeout=5) as client:
        reply = client.get(url) if body is None else client.post(url, json=body)
        return reply.raise_for_status().text


@contextmanager
def running(*command: str | Path, ready: str, log: Path) -> Iterator[None]:
    """Run a server until the block ends; ready when the URL answers."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "eval")}
    with log.open("wb") as out:
        process = subprocess.Popen([str(part) for part in command], env=env, stdout=out, stderr=out)
    try:
        deadline = time.monotonic() + 20
        while True:
            try:
                get(ready)
                break
            except httpx.HTTPError:
                told = log.read_text(encoding="utf-8", errors="replace")
                assert process.poll() is None, told
                assert time.monotonic() < deadline, told
                time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait(10)


@contextmanager
def watched_bot(folder: Path, bot: str) -> Iterator[tuple[str, str]]:
    """Serve a bot and a Prometheus that scrapes it; return both addresses."""
    ask, see = free_port(), free_port()
    rules = (ROOT / "config" / "prometheus-rules.yml").read_text(encoding="utf-8")
    (folder / "rules.yml").write_text(shortened(rules), encoding="utf-8")
    (folder / "prometheus.yml").write_text(CONFIG.format(port=ask), encoding="utf-8")
    serve = (sys.executable, EXAMPLE / "serve.py", "--bot", EXAMPLE / bot, "--port", str(ask))
    assert PROMETHEUS is not None
    watch = (
        PROMETHEUS,
        f"--config.file={folder / 'prometheus.yml'}",
        f"--storage.tsdb.path={folder / 'tsdb'}",
        f"--web.listen-address=127.0.0.1:{see}",
    )
    bot_url, watch_url = f"http://127.0.0.1:{ask}", f"http://127.0.0.1:{see}"
    with (
        running(*serve, ready=f"{bot_url}/metrics", log=folder / "bot.log"),
        running(*watch, ready=f"{watch_url}/-/ready", log=folder / "prometheus.log"),
    ):
        yield bot_url, watch_url


def states(url: str) -> dict[str, str]:
    alerts = json.loads(get(f"{url}/api/v1/alerts"))["data"]["alerts"]
    return {alert["labels"]["alertname"]: alert["state"] for alert in alerts}


def ask_until(bot_url: str, watch_url: str, alert: str, seconds: float) -> dict[str, str]:
    """Ask the bot questions until an alert fires, or the time is over; return the last states."""
    found: dict[str, str] = {}
    deadline, number = time.monotonic() + seconds, 0
    while time.monotonic() < deadline and found.get(alert) != "firing":
        for _ in range(10):
            get(f"{bot_url}/ask", {"question": QUESTIONS[number % len(QUESTIONS)]})
            number += 1
        time.sleep(0.2)
        found = states(watch_url)
    return found


def test_an_index_that_no_longer_fits_makes_the_alert_fire(tmp_path: Path) -> None:
    with watched_bot(tmp_path, "changes/index-mismatch.yml") as (bot_url, watch_url):
        assert ask_until(bot_url, watch_url, ALERT, 25).get(ALERT) == "firing"
        alerts = json.loads(get(f"{watch_url}/api/v1/alerts"))["data"]["alerts"]
        (fired,) = [alert for alert in alerts if alert["labels"]["alertname"] == ALERT]
        assert fired["labels"] == {"alertname": ALERT, "job": "support-bot", "severity": "warning"}
        assert fired["annotations"]["summary"].startswith("support-bot: nothing is retrieved for ")


def test_the_unchanged_bot_makes_no_alert_fire(tmp_path: Path) -> None:
    with watched_bot(tmp_path, "bot.yml") as (bot_url, watch_url):
        found = ask_until(bot_url, watch_url, ALERT, 10)
        targets = json.loads(get(f"{watch_url}/api/v1/targets"))["data"]["activeTargets"]
        assert [target["health"] for target in targets] == ["up"]
        query = "sum(rag_response_latency_seconds_count%7Bpipeline_stage%3D%22total%22%7D)"
        (answered,) = json.loads(get(f"{watch_url}/api/v1/query?query={query}"))["data"]["result"]
        assert float(answered["value"][1]) > 20
        assert ALERT not in found
        assert "RagLatencyHigh" not in found
