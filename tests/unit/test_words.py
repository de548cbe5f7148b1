"""The comment's words: complete in each language, and used."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from comment_more import MORE
from comment_scenarios import SCENARIOS

from rag_gate.config_models import ReportConfig
from rag_gate.report.markdown import Markdown
from rag_gate.report.render import render_comment
from rag_gate.report.view import build_view
from rag_gate.report.why import derived
from rag_gate.report.words import IN_ENGLISH, words_of
from rag_gate.report.words.english import ENGLISH
from rag_gate.report.words.japanese import JAPANESE
from rag_gate.report.words.sentences import in_japanese, known
from rag_gate.wording.causes import INDEX_MISMATCH

PACKAGE = Path(__file__).parents[2] / "eval" / "rag_gate"
JA = words_of("ja")
FIELD = re.compile(r"\{(\w+)\}")
ALL = {**SCENARIOS, **MORE}


def test_both_languages_have_the_same_words_with_the_same_values() -> None:
    assert ENGLISH.keys() == JAPANESE.keys()
    for key, text in ENGLISH.items():
        for form in text.split("|"):
            assert set(FIELD.findall(form)) == set(FIELD.findall(JAPANESE[key])), key


def test_japanese_words_are_japanese_and_need_no_plural() -> None:
    same = {key for key, text in JAPANESE.items() if text == ENGLISH[key] and not FIELD.fullmatch(text)}
    assert same <= {"reason.passage_quoted", "reason.unmatched"} | {
        key for key in same if FIELD.sub("", ENGLISH[key]).strip(" :,;()→") == ""
    }
    assert not any("|" in text for text in JAPANESE.values())


def test_every_key_that_is_asked_for_exists_and_every_word_is_used() -> None:
    sources = [*PACKAGE.glob("report/*.py"), *PACKAGE.glob("templates/**/*.j2")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    asked = set(
        re.findall(r"""\b(?:words|t|_words|plain|_counter|_if_any|_joined)\(\s*"([a-z_.]+)\"""", text)
    )
    assert asked - ENGLISH.keys() == set()
    named = set(re.findall(r'"([a-z]+(?:[._][a-z_]+)*)"', text))
    families = set(re.findall(r'f"([a-z_.]+\.)\{', text))
    unused = {
        key for key in ENGLISH if key not in named and not any(key.startswith(part) for part in families)
    }
    assert unused == set()


def test_one_and_many_differ_in_english() -> None:
    assert [IN_ENGLISH("cases", n=n) for n in (0, 1, 2)] == ["0 cases", "1 case", "2 cases"]
    assert [JA("cases", n=n) for n in (1, 2)] == ["1件", "2件"]


def test_untrusted_text_is_no_finished_word() -> None:
    with pytest.raises(TypeError, match="'metric' is text that nobody has escaped"):
        IN_ENGLISH("trend.title", metric="<b>")  # type: ignore[arg-type]
    assert isinstance(IN_ENGLISH("trend.title", metric=Markdown("mrr")), Markdown)
    with pytest.raises(LookupError, match="there are no words 'absent'"):
        IN_ENGLISH("absent")


@pytest.mark.parametrize("name", [name for name in ALL if name != "nothing-measured"])
def test_the_sentence_that_is_made_anew_says_what_the_verdict_says(name: str) -> None:
    verdict = ALL[name]()[1]
    if verdict.overall != "error":
        assert derived(verdict, IN_ENGLISH) == verdict.summary


LATIN = re.compile(r"[a-z]{4,}")
#: Words of ours that stand in Japanese sentences as well: names of commands, settings and files.
NAMES = {word for text in JAPANESE.values() for word in LATIN.findall(text)} | {
    "lexical", "copy", "rate", "evidence", "retrieval", "safety", "answer", "core", "tier", "secret", "neutral", "rules",
    "ranking", "prompt", "version", "pass", "fail", "never", "golden", "missing",
}  # fmt: skip
ENGLISH_ONLY = {word for text in ENGLISH.values() for word in LATIN.findall(text)} - NAMES


@pytest.mark.parametrize("name", [name for name in ALL if name != "hostile-text"])
def test_a_japanese_comment_is_japanese_throughout(name: str) -> None:
    """Outside of code and quotes no English word of ours is left."""
    text = render_comment(build_view(*ALL[name](), ReportConfig(language="ja")))
    quoted = r"```.*?```|`[^`\n]*`|<[^>]*>|「[^」]*」|How long does a refund take|どこにもない語：[^）]*|\bq-[a-z]+"
    left = set(LATIN.findall(re.sub(quoted, " ", text, flags=re.DOTALL)))
    assert left & ENGLISH_ONLY == set()


#: Modules whose sentences reach the comment.
SPEAKERS = [
    "regression/notices.py", "regression/references.py", "regression/wording.py", "regression/comparability.py",
    "regression/problems.py", "regression/frozen.py", "regression/causes.py", "regression/anchor.py", "regression/sentences.py", "judging.py",
    "rejudging.py", "pipeline.py", "judge/llm/tally.py", "ci/policy.py", "ci/new_cases.py", "ci/promotion_pull.py",
    "ci/second_stage.py", "github/trusted.py", "github/overlay.py", "github/golden_changes.py", "safety/output/check.py",
    "safety/leak/check.py", "safety/refusing.py", "safety/forbidden.py", "safety/rules/check.py",
]  # fmt: skip
#: What an f-string holds, by its expression and perhaps its module: words that fit, where a number does not.
WORDS = {
    "verb": "was", "version": "versions decide", "answers": "answers are", "have": "3 cases have", "word": "added",
    "effect": "; no mean moved", "cost": ", 0.01 USD", "steps": "", "several": "3 cases", "which": "negative assertion 1",
    "references.side": "lower", "anchor.side": "below", "_names(lost)": "", "overlay.verb": "are", "judging.why": "refused: 3",
    "_why_unscored(name, sides)": " (run error: 3)", "_what_to_complete(name, sides)": "complete the run and check again",
    "pipeline.asked": "the core tier could not tell (mrr)", "tally.asked": "3 cases", "_why_missing(name, sides)": "",
    "head": "3 new cases do not gate before the merge", "INDEX_MISMATCH": INDEX_MISMATCH,
}  # fmt: skip
#: Parts of sentences, with what stands before them.
BEFORE = {"regression/notices.py": "3 cases ", "regression/sentences.py": "mrr: "}
#: No sentences of the comment: they raise errors, or are parts of the summary, which is made anew, or of others.
OTHER = re.compile(
    r"(?:Regression|Inconclusive|Passed without|No regression|Could not be|must-pass cases fail|7 allows no failing|7 is "
    r"|7 would be beyond|7 is lower|7 fell|7 7, more than its|the base commit has no settings|the event |the first stage|the base "
    r"commit's settings|the artifact|the workflow|the settings|the baseline's stored answers could|measuring the baseline|7: keeps"
    r"|7: no such file"
    r"|7: is outside|the base commit's golden|report|7 7 -> 7 7$|: each step was inside the tolerance$|7: no case has a score$"
    r"|the core tier could not tell \(7\)$|7 new case does not gate before the merge$)"
)


def sentences_of(path: Path) -> Iterator[str]:
    """Yield the texts of a module that look like sentences, with something in each place."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inner = {
        id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)
    } - {id(node) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)}
    documented = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if id(node) in inner | documented:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        elif isinstance(node, ast.JoinedStr):
            text = "".join(part_of(part, path.stem) for part in node.values)
        else:
            continue
        if len(text.split()) > 4 and r"\b" not in text:
            yield text


def part_of(part: ast.expr, module: str) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value)
    assert isinstance(part, ast.FormattedValue)
    value = part.value
    if isinstance(value, ast.IfExp) and isinstance(value.body, ast.Constant):
        return str(value.body.value)
    written = ast.unparse(value)
    return WORDS.get(f"{module}.{written}", WORDS.get(written, "7"))


@pytest.mark.parametrize("module", SPEAKERS)
def test_every_sentence_that_reaches_the_comment_can_be_said_in_japanese(module: str) -> None:
    found = list(sentences_of(PACKAGE / module))
    said = [known(text) or known(f"{BEFORE.get(module, '')}{text}") for text in found]
    unknown = [
        text for text, words in zip(found, said, strict=True) if words is None and not OTHER.match(text)
    ]
    assert unknown == []
    assert found


def test_the_head_of_a_japanese_column_is_not_torn_apart() -> None:
    joined = "\u2060".join("変化")
    assert JA("column.change").startswith(f"{joined}（9\u20600")
    assert JA("column.change").replace("\u2060", "") == "変化（90%信頼区間）"


def test_a_sentence_is_said_with_its_values() -> None:
    assert in_japanese("3 cases are missing from the run") == "3件が実行結果に含まれていません"
    assert in_japanese("mrr: 1 case without a score: q|1") == "mrr：1件にスコアがありません（q|1）"
    assert (
        in_japanese("2 cases were added and cannot be compared: a, b and 7 more")
        == "追加された2件は比較できません：a, b、ほか7件"
    )
    assert in_japanese("style shift: support not comparable (copied share 0.90 -> 0.40)") == (
        "文体の変化：support は比較できません（引き写しの割合 0.90 → 0.40）"
    )


def test_reasons_inside_a_sentence_have_words_too() -> None:
    said = in_japanese(
        "relevance was to be judged in 3 cases, and none got a verdict (judge_refused: 1, own_code: 2)"
    )
    assert said.endswith("1件も判定が得られませんでした（判定サービスが要求を拒否した：1件、own_code: 2）")


def test_what_is_not_known_stays_as_it_is() -> None:
    assert in_japanese("rag-gate.yml: gate: unknown key 'alhpa'") == "rag-gate.yml: gate: unknown key 'alhpa'"
    assert in_japanese("{0} {x}") == "{0} {x}"
