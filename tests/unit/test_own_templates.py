"""Templates of the user's own: what they may do, and how a mistake in them is told."""

from collections.abc import Callable
from pathlib import Path

import pytest
from comment_scenarios import passes, retrieval_regression
from gfm import assert_harmless

from rag_gate.config_models import ReportConfig
from rag_gate.errors import ConfigError
from rag_gate.report.environment import names
from rag_gate.report.model import CommentView, DetailKind
from rag_gate.report.origin import Origin
from rag_gate.report.render import render_comment
from rag_gate.report.reporter import Reporter
from rag_gate.report.sample import sample_view
from rag_gate.report.template_check import check_templates
from rag_gate.report.templates import OwnTemplates, read_templates

EXTENDS = '{% extends "rag_gate/comment.md.j2" %}\n'
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write templates into a folder, name by name."""

    def written(source: str, name: str = "comment.md.j2") -> Path:
        path = tmp_path / "own" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
        return tmp_path / "own"

    return written


def reporter(folder: Path) -> Reporter:
    return Reporter.of(ReportConfig(templates=folder), Origin())


def problems(folder: Path) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        reporter(folder)
    assert caught.value.exit_code == 2
    return [line.replace(f"{folder.as_posix()}/", "") for line in caught.value.problems]


def test_a_block_takes_the_place_of_ours_and_the_rest_stays(write: Write) -> None:
    folder = write(
        f"{EXTENDS}{{% block footer %}}\n\nAsk in **help-bot**, {{{{ view.headline }}}}.\n{{% endblock %}}\n"
    )
    text = reporter(folder).text(*retrieval_regression())
    assert text.endswith("\n</details>\n\nAsk in **help-bot**, BLOCKED.\n")
    assert text.startswith(render_comment(sample_view("en")).splitlines()[0])
    assert "Newly failing cases (12)" in text
    assert_harmless(text)


def test_a_block_can_keep_what_it_replaces(write: Write) -> None:
    folder = write(f"{EXTENDS}{{% block metrics %}}{{{{ super() }}}}\nOur bar is 0.8.\n{{% endblock %}}")
    text = reporter(folder).text(*passes())
    assert "| `recall@5` retrieval |" in text
    assert "\nOur bar is 0.8.\n" in text


def test_a_part_of_ours_can_be_replaced_alone(write: Write) -> None:
    write(
        "{% for row in view.metrics.rows %}\n* {{ row.name | plain_code }} {{ row.now }}\n{% endfor %}\n",
        "metrics.md.j2",
    )
    folder = write("```sh\nmake gate\n```\n", "details/commands.md.j2")
    text = reporter(folder).text(*passes())
    assert "* `recall@5` 1.000\n" in text
    assert "make gate" in text
    assert "rag-gate promote" not in text


def test_a_template_of_ones_own_can_have_parts_of_its_own(write: Write) -> None:
    write("{{ view.why }}\n", "parts/short.md.j2")
    folder = write('{% include "parts/short.md.j2" %}\n')
    assert reporter(folder).text(*passes()).splitlines() == [
        "<!-- rag-gate:default -->",
        "No regression in 4 gating metrics.",
    ]


def test_what_a_macro_or_a_variable_holds_is_written_once(write: Write) -> None:
    folder = write(
        "{% macro row(m) %}{{ m.name | plain_code }} {{ view.why }}{% endmacro %}"
        "{% set all %}{% for m in view.metrics.rows %}{{ row(m) }}\n{% endfor %}{% endset %}{{ all }}"
    )
    text = reporter(folder).text(*passes())
    assert "`recall@5` No regression in 4 gating metrics.\n" in text


def test_the_marker_is_there_whatever_the_template_does(write: Write) -> None:
    assert reporter(write("hello\n")).text(*passes()) == "<!-- rag-gate:default -->\nhello\n"


def test_what_a_template_forgets_to_escape_is_escaped(write: Write) -> None:
    folder = write(
        "{% for table in view.tables %}{% for case in table.cases.rows %}{{ case.question }}{% endfor %}{% endfor %}"
    )
    now, verdict = retrieval_regression()
    text = reporter(folder).text(now, verdict)
    assert r"How long does a refund take \(q-010\)?" in text


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (f"{EXTENDS}{{% block fooder %}}x{{% endblock %}}",
         "comment.md.j2:2: unknown block 'fooder'; did you mean footer"),
        ("a\nb\n{{ veiw.why }}", "comment.md.j2:3: unknown variable 'veiw'; did you mean view"),
        ("{% if false %}\n{{ view.headlin }}\n{% endif %}",
         "comment.md.j2:2: unknown field of view 'headlin'; did you mean headline"),
        ('{{ t("column.metrics") }}', "comment.md.j2:1: unknown words 'column.metrics'; did you mean column.metric,"),
        ("{% for row in view.metrics.rows %}\n{{ row.nam }}\n{% endfor %}",
         "comment.md.j2:2: 'rag_gate.report.rows.MetricRow object' has no attribute 'nam'; correct the template"),
        ("\n\n{% if view.why %}", "comment.md.j2:3: Unexpected end of template."),
        ("{{ view.why | inlin }}", "comment.md.j2:1: No filter named 'inlin'.; correct the template"),
        ('\n{% include "metric.md.j2" %}', "comment.md.j2:2: unknown template 'metric.md.j2'; did you mean metrics.md.j2"),
        ('{% extends "rag_gate/coment.md.j2" %}', "comment.md.j2:1: unknown template 'rag_gate/coment.md.j2'; did you mean rag_gate/comment.md.j2"),
        ("{{ ''.__class__ }}", "comment.md.j2:1: access to attribute '__class__' of 'str' object is unsafe."),
        ("{{ view.counters }}", "comment.md.j2:1: a template writes tuple; only texts and whole numbers have a form"),
        ("{{ lipsum(n=100000) }}", "comment.md.j2:1: unknown variable 'lipsum'"),
        ("{% for n in range(10**9) %}{% endfor %}", "comment.md.j2:1: Range too big."),
        ("{{ '{0.__class__}'.format(view) }}", "comment.md.j2:1: access to attribute '__class__' of 'CommentView' object is unsafe."),
        ("{% include '/etc/passwd' %}", "comment.md.j2:1: unknown template '/etc/passwd'"),
        ("{% include 'comment.md.j2' %}", "comment.md.j2:1: maximum recursion depth exceeded"),
        ("{{ 1 / 0 }}", "comment.md.j2:1: division by zero; correct the template"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_file_and_line(write: Write, source: str, said: str) -> None:
    (problem,) = problems(write(source))
    assert problem.startswith(said)


def test_every_mistake_is_told_at_once(write: Write) -> None:
    write("{{ view.wy }}\n{{ vew }}", "metrics.md.j2")
    folder = write(f"{EXTENDS}{{% block metrik %}}{{% endblock %}}\n{{% block notice %}}{{% endblock %}}")
    assert [line.split(";")[0] for line in problems(folder)] == [
        "comment.md.j2:2: unknown block 'metrik'",
        "comment.md.j2:3: unknown block 'notice'",
        "metrics.md.j2:2: unknown variable 'vew'",
        "metrics.md.j2:1: unknown field of view 'wy'",
    ]


def test_a_file_that_nothing_uses_is_a_typo(write: Write) -> None:
    (problem,) = problems(write("x", "coment.md.j2"))
    assert problem.startswith("coment.md.j2: unknown template 'coment.md.j2'; did you mean comment.md.j2")


def test_a_template_cannot_extend_itself(write: Write) -> None:
    (problem,) = problems(write('{% extends "comment.md.j2" %}'))
    assert "extends itself" in problem


def test_a_comment_without_end_is_refused(write: Write) -> None:
    (problem,) = problems(write("{% for n in range(9999) %}long long{% endfor %}"))
    assert problem.endswith("the comment is longer than 60000 characters without any row")


def test_the_folder_must_be_one_and_hold_templates(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such folder; name one that holds comment"):
        read_templates(tmp_path / "absent")
    with pytest.raises(ConfigError, match=r"holds 0 files \*.j2"):
        read_templates(tmp_path)
    (tmp_path / "big.md.j2").write_text("x" * 200_001, encoding="utf-8")
    with pytest.raises(ConfigError, match="is larger than 200000 bytes"):
        read_templates(tmp_path)
    assert read_templates(None) is None


def test_a_link_out_of_the_folder_is_not_followed(write: Write, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("token", encoding="utf-8")
    folder = write("x")
    (folder / "metrics.md.j2").symlink_to(secret)
    with pytest.raises(ConfigError, match="leads out of the folder"):
        read_templates(folder)


def test_templates_are_read_once(write: Write) -> None:
    """What the base commit says stays in force, whatever becomes of the folder while the run is measured."""
    found = reporter(folder := write("first\n"))
    (folder / "comment.md.j2").write_text("second\n", encoding="utf-8")
    assert found.text(*passes()).endswith("first\n")


def test_the_shipped_templates_pass_their_own_check() -> None:
    own = {name: f'{{% extends "rag_gate/{name}" %}}' for name in names()}
    check_templates(OwnTemplates("own", own))


def test_the_sample_holds_something_of_everything() -> None:
    view = sample_view("ja")
    empty = [name for name in CommentView.__dataclass_fields__ if not getattr(view, name)]
    assert empty == []
    kinds = set(DetailKind.__args__)  # type: ignore[attr-defined]
    assert {detail.kind for detail in view.details} == kinds
    assert {f"details/{kind}.md.j2" for kind in kinds} <= names()
