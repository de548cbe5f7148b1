import re
from dataclasses import fields
from typing import get_args

from doc_pages import coded, section, text_of

from rag_gate.judge.llm.backend import Failure
from rag_gate.judge.llm.clients.settings import BackendSettings, Provider
from rag_gate.judge.llm.clients.wire import TRUNCATED
from rag_gate.judge.llm.models import ModelEntry

PAGE = "docs/reference/judge-services.md"


def test_every_reason_is_explained() -> None:
    assert coded(section(PAGE, "## What each failure becomes")) >= set(get_args(Failure))


def test_every_provider_is_explained() -> None:
    assert coded(section(PAGE, "## Which services")) >= set(get_args(Provider))


def test_the_lines_about_costs_are_those_of_the_comments() -> None:
    shown = re.findall(r"^Judge: .+$", text_of("docs/how-to/judge-with-a-model.md"), re.MULTILINE)
    comments = [text_of(f"tests/data/comments/{name}.md") for name in ("model-judge", "model-judge-cached")]
    assert len(shown) == len(comments)
    for line, comment in zip(shown, comments, strict=True):
        assert line in comment.replace("\\", "")


def test_every_limit_is_explained() -> None:
    limits = {field.name for field in fields(BackendSettings) if field.name.endswith(("_s", "_per_minute"))}
    assert coded(text_of(PAGE)) >= limits | {"concurrency", "max_attempts", "max_output"}


def test_what_a_message_tells_to_raise_is_a_key_of_the_map_of_models() -> None:
    (key,) = re.findall(r"raise the model's (\w+) in the map of models", TRUNCATED)
    assert key in ModelEntry.model_fields
    assert f"raise `{key}`" in text_of(PAGE)


def test_the_pages_say_that_a_limit_holds_for_each_shard() -> None:
    assert "each shard is a run of its own" in " ".join(text_of("docs/how-to/judge-with-a-model.md").split())
    settings = text_of("docs/reference/settings.md")
    assert "Each shard has this limit for itself" in settings
    assert "Pydantic" not in settings


def test_the_page_of_exit_codes_says_that_judge_can_end_without_a_measurement() -> None:
    (row,) = re.findall(r"^\| `judge`.*$", text_of("docs/reference/exit-codes.md"), re.MULTILINE)
    assert [cell.strip() for cell in row.split("|")[2:7]] == ["x", "", "x", "x", ""]
