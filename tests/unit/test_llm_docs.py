from dataclasses import fields
from typing import get_args

from doc_pages import coded, section, text_of

from rag_gate.judge.llm.backend import Failure
from rag_gate.judge.llm.clients.settings import BackendSettings, Provider

PAGE = "docs/reference/judge-services.md"


def test_every_reason_is_explained() -> None:
    assert coded(section(PAGE, "## What each failure becomes")) >= set(get_args(Failure))


def test_every_provider_is_explained() -> None:
    assert coded(section(PAGE, "## Which services")) >= set(get_args(Provider))


def test_every_limit_is_explained() -> None:
    limits = {field.name for field in fields(BackendSettings) if field.name.endswith(("_s", "_per_minute"))}
    assert coded(text_of(PAGE)) >= limits | {"concurrency", "max_attempts", "max_output_tokens"}
