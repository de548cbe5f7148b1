"""Found values are replaced by their types, wherever they stand."""

import os
import time
from pathlib import Path

import click
import pytest
from material import lines

from rag_gate.cli_support import GateCommand, say
from rag_gate.config_privacy import PersonalDataConfig, SecretsConfig
from rag_gate.dataset import load_golden
from rag_gate.detectors.personal import Found
from rag_gate.detectors.scanner import Scanner
from rag_gate.errors import InputError, NotJudgedError
from rag_gate.judge.offline import LexicalEngine
from rag_gate.judge.stage import evaluate_judge
from rag_gate.masking import Masker, current_masker, start_masking
from rag_gate.records.partial import Shard
from rag_gate.report.hiding import refuse_values
from rag_gate.report.masked import without_values

MAIL = "maria@contoso.com"


@pytest.fixture(autouse=True)
def fresh_masker() -> None:
    start_masking(PersonalDataConfig(), SecretsConfig())


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (f"🙂 {MAIL}です", "🙂 [EMAIL]です"),
        ("電話は０３−５５５０−０１７７。", "電話は[PHONE]。"),
        ("No values, 2024-03-15, 1,000円", "No values, 2024-03-15, 1,000円"),
        ("?to=maria%40contoso.com", "?to=[EMAIL]"),
        ("password is hunter2-Blue!Fox.", "password is [PASSWORD]."),
    ],
)
def test_a_value_becomes_its_type(text: str, masked: str) -> None:
    assert Masker().mask(text) == masked
    assert Masker().mask(masked) == masked


def test_a_known_value_is_masked_where_no_label_says_what_it_is() -> None:
    masker = Masker()
    masker.learn("口座番号は7654321、名義は田中太郎です。")
    assert masker.mask("7654321 の田中太郎") == "[JP_BANK_ACCOUNT] の[PERSON]"
    assert masker.mask("76543210") == "76543210"


def test_allowed_values_stay() -> None:
    start_masking(PersonalDataConfig.model_validate({"allow": {"emails": [MAIL]}}), SecretsConfig())
    assert current_masker().mask(f"{MAIL}, x@contoso.com") == f"{MAIL}, [EMAIL]"


def test_what_only_a_rule_of_the_user_knows_is_masked_in_every_text() -> None:
    """Also in a text in which no detector of ours could find anything."""
    rules = SecretsConfig.model_validate({"rules": [{"id": "STAFF", "regex": "EMP-[A-Z]{3}"}]})
    start_masking(PersonalDataConfig(), rules)
    assert current_masker().mask("ask EMP-ABC") == "ask [STAFF]"
    assert current_masker().fresh().for_one_text().mask_tree(["ＥＭＰ-ABC"]) == ["[STAFF]"]
    with pytest.raises(NotJudgedError, match="STAFF"):
        refuse_values(["ask EMP-ABC"], current_masker(), "the page")


def test_names_from_the_settings_are_written_as_they_are_but_for_values_beside_them() -> None:
    masker = Masker()
    masker.look.spare(["090-1234-5678"])
    assert masker.for_one_text().mask("090-1234-5678") == "090-1234-5678"
    assert masker.mask("to 090-1234-5678") == "to [PHONE]"


def test_keys_and_numbers_of_a_tree_stay() -> None:
    assert Masker().mask_tree({"a@contoso.com": [MAIL, 1.5, None]}) == {
        "a@contoso.com": ["[EMAIL]", 1.5, None]
    }


ROWS = [
    {"question_id": "a", "question": "口座は？", "expected_answer": "秘密", "gold_ids": ["d"]},
    {"question_id": "b", "question": "7654321 は何？", "expected_answer": "秘密", "gold_ids": ["d"]},
]
RUN = [
    {"question_id": "a", "retrieved": [{"id": "d", "text": f"連絡先は{MAIL}です。"}], "answer": "口座番号は7654321です。"},
    {"question_id": "b", "retrieved": [{"id": "d", "text": f"連絡先は{MAIL}です。"}], "answer": f"連絡先は{MAIL}です。"},
]  # fmt: skip


@pytest.mark.parametrize("total", [1, 2])
def test_no_row_of_any_shard_holds_a_value_of_any_case(tmp_path: Path, total: int) -> None:
    golden = load_golden(lines(tmp_path / "gold.jsonl", ROWS), "core")
    run = lines(tmp_path / "run.jsonl", RUN)
    written = ""
    for index in range(1, total + 1):
        path = tmp_path / f"judge-{index}.json"
        evaluate_judge(golden, run, LexicalEngine(), path, Shard(index=index, total=total))
        written += path.read_text(encoding="utf-8")
    assert MAIL not in written
    assert "7654321" not in written
    assert "[EMAIL]" in written
    assert written.count("[JP_BANK_ACCOUNT]") >= 2


def test_messages_are_masked_before_they_are_cut(capsys: pytest.CaptureFixture[str]) -> None:
    say(["x" * 990 + f" {MAIL}"])
    assert "maria" not in capsys.readouterr().err


def test_errors_and_crashes_quote_no_value(capsys: pytest.CaptureFixture[str]) -> None:
    @click.command(cls=GateCommand)
    @click.option("--crash", is_flag=True)
    def command(*, crash: bool) -> None:
        if crash:
            try:
                os.environ[MAIL]
            except KeyError as error:
                raise RuntimeError(f"no {MAIL}, ::error::x\n-- {MAIL}") from error
        raise InputError(f"f.jsonl:1: found '{MAIL}'")

    for arguments, code in ([], 2), (["--crash"], 3):
        with pytest.raises(SystemExit) as ended:
            command.main(arguments)
        assert ended.value.code == code
        err = capsys.readouterr().err
        assert "maria" not in err
        assert "[EMAIL]" in err
        assert "\n::" not in err


@pytest.mark.parametrize(
    "comment",
    [
        "| a | maria@\u200bcontoso\\.com |",
        "| a | maria&#64;contoso.com |",
        "maria\\_x@\u200bcontoso.com",
        "tel 03\\-5550\\-0177",
    ],
)
def test_a_value_that_a_reader_could_read_in_the_comment_is_masked(comment: str) -> None:
    written = without_values(comment, Masker())
    assert "contoso" not in written
    assert "5550" not in written
    assert "\\[EMAIL\\]" in written or "\\[PHONE\\]" in written


def test_numbers_of_neighbouring_cells_are_no_number_together() -> None:
    table = "| 090 | 1234 | 5678 |\n| 0.912 | 0.934 | +0.022 |"
    assert without_values(table, Masker()) == table


def test_a_comment_in_which_a_value_cannot_be_masked_is_withheld() -> None:
    class Stubborn(Scanner):
        def to_hide(self, text: str) -> list[Found]:
            return [Found("EMAIL", 0, 1, frozenset({"a"}))] if text.strip() else []

    with pytest.raises(NotJudgedError, match="withheld"):
        without_values("text", Masker(Stubborn))


def test_how_many_values_are_known_makes_no_difference_to_the_work() -> None:
    masker = Masker()
    for number in range(20_000):
        masker.hide("CANARY", f"kenta{number}-of-contoso")
    start = time.process_time()
    masked = [masker.mask(f"see KENTA{number}-of-contoso, no other") for number in range(0, 20_000, 100)]
    assert set(masked) == {"see [CANARY], no other"}
    assert time.process_time() - start < 5
