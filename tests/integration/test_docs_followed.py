"""Pages that are followed step by step, as a reader does."""

import csv
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runner import rag_gate
from doc_pages import BLOCKS, Block, saved

FOLLOWED = [
    "docs/how-to/calibrate.md",
    "docs/how-to/first-gate.md",
    "docs/how-to/import-from-other-tools.md",
    "docs/how-to/keep-a-golden-set.md",
    "docs/how-to/use-trec-files.md",
]


def follow(page: str, folder: Path) -> Iterator[tuple[Block, int, str]]:
    """Write the files and start the commands of a page in order; yield each block of commands."""
    said = ""
    for block in (block for block in BLOCKS if block.page == page):
        if "file" in block.options:
            saved(folder / block.options["file"], block.text)
        elif block.language == "sh" and "exit" in block.options:
            said = ""
            for line in block.text.splitlines():
                ended = rag_gate(*shlex.split(line)[1:], cwd=folder)
                said += ended.out + ended.err
                yield block, ended.code, said
        elif block.kind == "output":
            missing = [line for line in block.text.splitlines() if line not in said]
            assert missing == [], f"{page}:{block.line}: not said, but:\n{said}"


@pytest.mark.parametrize("page", FOLLOWED)
def test_a_page_that_is_followed_step_by_step_leads_where_it_says(page: str, tmp_path: Path) -> None:
    started = 0
    for block, code, said in follow(page, tmp_path):
        started += 1
        assert code == int(block.options["exit"]), f"{page}:{block.line}: {said}"
    assert started > 3


def test_the_tables_of_a_followed_page_have_as_many_cells_as_columns() -> None:
    for block in (block for block in BLOCKS if block.language == "csv"):
        assert len({len(row) for row in csv.reader(block.text.splitlines())}) == 1
