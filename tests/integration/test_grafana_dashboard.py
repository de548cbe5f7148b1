"""The shipped dashboard: what Grafana asks of one, and only queries that are valid and use our metrics."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli_runner import ROOT
from test_prometheus_rules import METRICS, metrics_in, needs_promtool, promtool

from rag_gate.resources import shipped

BOARD: dict[str, Any] = json.loads((ROOT / "config" / "grafana-dashboard.json").read_text(encoding="utf-8"))
VARIABLES = {"$job": "bot", "$__rate_interval": "1m"}
#: Columns of Grafana's grid.
COLUMNS = 24


def expressions() -> Iterator[tuple[str, str]]:
    for panel in BOARD["panels"]:
        for target in panel["targets"]:
            yield f"{panel['id']}{target['refId']}", target["expr"]


def plain(expression: str) -> str:
    for name, value in VARIABLES.items():
        expression = expression.replace(name, value)
    return expression


@needs_promtool
def test_every_query_is_valid(tmp_path: Path) -> None:
    rules = [{"record": f"panel:{name}", "expr": plain(expression)} for name, expression in expressions()]
    path = tmp_path / "rules.yml"
    path.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}), encoding="utf-8")
    done = promtool("check", "rules", path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(rules)} rules found" in done.stdout


def test_the_queries_use_all_of_our_metrics_and_no_others() -> None:
    assert set().union(*(metrics_in(expression) for _, expression in expressions())) == METRICS


def test_every_variable_of_a_query_is_declared() -> None:
    declared = {f"${variable['name']}" for variable in BOARD["templating"]["list"]}
    used = {name for _, expression in expressions() for name in re.findall(r"\$\w+", expression)}
    assert used <= declared | {"$__rate_interval"}
    sources = {json.dumps(panel["datasource"]) for panel in BOARD["panels"]}
    assert sources == {json.dumps({"type": "prometheus", "uid": "${datasource}"})}


def test_the_board_has_what_grafana_asks_of_one() -> None:
    assert BOARD["schemaVersion"] == 41  # Grafana 12
    assert isinstance(BOARD["uid"], str)
    assert len(BOARD["uid"]) <= 40
    assert "id" not in BOARD  # it would overwrite another board
    ids = [panel["id"] for panel in BOARD["panels"]]
    assert len(set(ids)) == len(ids)
    for panel in BOARD["panels"]:
        assert panel["type"] in {"stat", "timeseries"}
        assert panel["title"]
        assert panel["fieldConfig"]["defaults"]["unit"] in {"percentunit", "s", "short", "reqps"}
        first, *_ = panel["fieldConfig"]["defaults"]["thresholds"]["steps"]
        assert first["value"] is None  # the base


def test_the_panels_lie_on_the_grid_and_do_not_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in BOARD["panels"]:
        at = panel["gridPos"]
        assert at["x"] + at["w"] <= COLUMNS
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not taken & cells
        taken |= cells


@pytest.mark.parametrize("link", BOARD["links"], ids=lambda link: link["title"])
def test_every_link_is_a_page_that_there_is(link: dict[str, Any]) -> None:
    assert (ROOT / link["url"].removeprefix("https://github.com/org/rag-gate/blob/main/")).is_file()


def test_the_board_is_shipped() -> None:
    assert (shipped("config") / "grafana-dashboard.json").is_file()
