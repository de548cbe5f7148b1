"""Manners on a terminal: when to speak, when in colour, when to draw a bar."""

import io
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr

import click
import pytest
from click.testing import CliRunner

from rag_gate.cli_support import GateCommand, complain, say, show
from rag_gate.terminal import progress
from rag_gate.terminal.manners import be_quiet, colour_wanted, is_watched


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({}, None),
        ({"NO_COLOR": ""}, None),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "3", "TERM": "dumb"}, True),
        ({"FORCE_COLOR": "0"}, False),
        ({"FORCE_COLOR": ""}, None),
        ({"TERM": "dumb"}, False),
        ({"TERM": "xterm-256color"}, None),
    ],
)
def test_the_environment_decides_about_colours(environ: dict[str, str], *, wanted: bool | None) -> None:
    assert colour_wanted(environ) is wanted


@click.command(cls=GateCommand)
@click.option("--quiet", is_flag=True, expose_value=False, callback=be_quiet)
def speak() -> None:
    """Say all there is to say."""
    say(["said"])
    show(["shown"])
    complain(["wrong"])


def test_quiet_leaves_what_is_wrong() -> None:
    assert CliRunner().invoke(speak).stderr == "rag-gate: said\nshown\nrag-gate: wrong\n"
    assert CliRunner().invoke(speak, ["--quiet"]).stderr == "rag-gate: wrong\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    """Each look at it takes a while."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def drawn(clock: Clock, cost: float | None = None, items: Iterable[int] = range(8)) -> str:
    """Return what a terminal shows of a step of eight items."""
    with redirect_stderr(Terminal()) as screen:
        assert list(progress.tracked(items, 8, "judging", lambda: cost, clock)) == list(range(8))
    return screen.getvalue()


@pytest.fixture(autouse=True)
def usual_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")


def test_a_long_step_shows_how_far_it_is_how_fast_and_what_it_cost() -> None:
    last = drawn(Clock(0.4), 0.0421).rstrip("\n").split("\r")[-1]
    assert "judging" in last
    assert "8/8" in last
    assert "/s" in last
    assert "0.0421 USD" in last


def test_what_costs_nothing_known_shows_no_cost() -> None:
    shown = drawn(Clock(0.4))
    assert "USD" not in shown
    assert "8/8" in shown


def test_a_quick_step_leaves_no_trace() -> None:
    assert drawn(Clock(0.001)) == ""


def test_a_terminal_that_cannot_draw_gets_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert drawn(Clock(9)) == ""


def test_nobody_watches_a_pipe() -> None:
    with redirect_stderr(io.StringIO()) as pipe:
        assert not is_watched({"TERM": "xterm"})
        list(progress.tracked(range(8), 8, "judging", clock=Clock(9)))
    assert pipe.getvalue() == ""


def test_a_step_that_fails_ends_its_line() -> None:
    def failing() -> Iterator[int]:
        yield from range(4)
        raise ValueError

    with redirect_stderr(Terminal()) as screen, pytest.raises(ValueError, match=r"^$"):
        list(progress.tracked(failing(), 8, "judging", clock=Clock(0.5)))
    assert screen.getvalue().endswith("\n")
