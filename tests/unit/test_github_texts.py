"""What is written for GitHub: workflow commands, outputs, summaries, cut texts. All data in them stays data."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_gate.errors import InputError
from rag_gate.github.commands import Annotation, lines_of
from rag_gate.github.cutting import cut_to_bytes, cut_to_points
from rag_gate.github.marker import Stamp, gate_of, marker_of, stamp_of, without_head
from rag_gate.github.step_files import write_outputs, write_summary

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


def read(path: Path) -> dict[str, str]:
    """Read outputs as GitHub's runner does."""
    found: dict[str, str] = {}
    lines = path.read_bytes().decode().split("\n")
    while lines and lines[0]:
        name, _, mark = lines.pop(0).partition("<<")
        end = lines.index(mark)
        found[name] = "\n".join(lines[:end])
        del lines[: end + 1]
    return found


@given(TEXT, TEXT)
def test_no_text_ends_a_workflow_command_or_begins_another(title: str, message: str) -> None:
    lines = lines_of([Annotation("warning", title, message)])
    assert len(lines) == 1
    assert len(lines[0].splitlines()) == 1
    assert lines[0].startswith("::warning title=")
    assert lines[0].count("::") == 2 + lines[0].split("::", 2)[2].count("::")
    assert "##[" not in lines[0]


def test_a_title_cannot_add_properties() -> None:
    line = Annotation("error", "x,file=secret::owned", "m").line()
    assert line == "::error title=x%2Cfile=secret%3A%3Aowned::m"


def test_per_cent_signs_are_not_decoded_into_lines() -> None:
    assert "%250A" in Annotation("error", "t", "a%0A::warning::b").line()


def test_ten_of_each_level_are_shown_and_the_rest_is_counted() -> None:
    lines = lines_of(
        [Annotation("error", "t", str(n)) for n in range(25)] + [Annotation("notice", "t", "n")] * 10
    )
    assert len(lines) == 20
    assert "and 16 more" in lines[9]


def test_a_long_message_is_cut_below_the_runners_limit() -> None:
    assert len(Annotation("error", "t", "%" * 100_000).line()) < 4_096


@given(TEXT)
def test_no_value_of_an_output_ends_its_block(value: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "outputs"
        write_outputs(str(path), {"one": value, "two": "2"})
        assert read(path) == {"one": value, "two": "2"}


def test_every_output_has_its_own_mark(tmp_path: Path) -> None:
    write_outputs(str(tmp_path / "o"), {"a": "1", "b": "1"})
    marks = {line.split("<<")[1] for line in (tmp_path / "o").read_text().splitlines() if "<<" in line}
    assert len(marks) == 2


def test_outputs_that_cannot_be_written_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_outputs(str(tmp_path / "no" / "folder"), {"a": "1"})


def test_a_summary_stays_below_githubs_limit_with_what_is_there_already(tmp_path: Path) -> None:
    path = tmp_path / "summary"
    path.write_text("x" * 700_000)
    write_summary(str(path), "あ\n" * 400_000)
    write_summary(str(path), "あ\n" * 400_000)
    assert 900_000 < path.stat().st_size < 1_024 * 1_024


@given(TEXT, st.integers(500, 3_000))
def test_a_cut_text_keeps_the_limit(text: str, limit: int) -> None:
    long = f"{text}\n" * 200
    assert len(cut_to_points(long, limit)) <= limit
    assert len(cut_to_bytes(long, limit).encode()) <= limit


@given(TEXT)
def test_a_text_that_fits_is_not_touched(text: str) -> None:
    assert cut_to_points(text, 100_000) == text


def test_a_cut_closes_what_it_leaves_open() -> None:
    text = "<details>\n````\n" + "```\nrow\n" * 1_000
    cut = cut_to_points(text, 2_000)
    assert cut.count("````") == 2
    assert cut.rstrip().splitlines().count("</details>") == 1


def test_marker_and_stamp_are_read_from_the_first_two_lines_only() -> None:
    stamp = Stamp("a" * 40, 12, 3)
    text = "\n".join((marker_of("chat"), stamp.line(), "body", marker_of("other")))
    assert (gate_of(text), stamp_of(text)) == ("chat", stamp)
    assert without_head(text) == f"body\n{marker_of('other')}"
    assert gate_of(f" body\n{text}") is None
    assert stamp_of(f"{marker_of('chat')}\nbody\n{stamp.line()}") is None


@pytest.mark.parametrize(
    ("mine", "theirs", "head", "older"),
    [
        (Stamp("a", 1, 1), None, "a", False),
        (Stamp("a", 1, 1), Stamp("b", 1, 1), "b", True),
        (Stamp("a", 1, 1), Stamp("b", 9, 9), "a", False),
        (Stamp("a", 1, 2), Stamp("a", 1, 1), "a", False),
        (Stamp("a", 1, 1), Stamp("a", 1, 2), "a", True),
        (Stamp("a", 1, 1), Stamp("b", 1, 1), None, False),
    ],
)
def test_which_of_two_runs_is_older(
    mine: Stamp, theirs: Stamp | None, head: str | None, *, older: bool
) -> None:
    assert mine.is_older_than(theirs, head) is older
