from typing import Any

import pytest
from jinja2 import UndefinedError
from jinja2.exceptions import SecurityError

from rag_gate.report.environment import environment_of
from rag_gate.report.markdown import Markdown


def render(source: str, **values: Any) -> str:
    return environment_of(None).from_string(source).render(**values)


def test_a_template_that_forgets_to_escape_still_escapes() -> None:
    assert render("{{ x }} {{ x ~ y }}", x="<b>", y="|") == "&lt;b&gt; &lt;b&gt;&#124;"
    assert render("{{ x | inline(3) }} {{ 7 }}", x="abcdef") == "ab… 7"
    assert render("{{ x | plain_code }} {{ x | code }}", x="a|b") == "`a|b` `a\\|b`"


def test_finished_words_are_not_escaped_twice() -> None:
    assert render("{{ x }} {{ x | inline }}", x=Markdown("a *b*")) == "a *b* a *b*"


def test_a_path_is_one_word_of_a_command_and_cannot_end_its_block() -> None:
    assert render("{{ x | shell }}", x="a b; rm -rf ~\n```\n# h") == "'a b; rm -rf ~ ``` # h'"
    assert render("{{ x | shell }}", x="config/rag-gate.yml") == "config/rag-gate.yml"


def test_a_template_cannot_leave_its_sandbox_or_write_what_has_no_words() -> None:
    with pytest.raises(SecurityError):
        render("{{ ''.__class__.__mro__ }}")
    with pytest.raises(UndefinedError):
        render("{{ absent }}")
    for value in (None, True, 0.1, ["a"]):
        with pytest.raises(TypeError, match="only texts and whole numbers"):
            render("{{ x }}", x=value)
