"""The example bot, run for real on its own corpus."""

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "support-bot"
GOLDEN = EXAMPLE / "golden.jsonl"
VARIANTS = {
    "baseline": EXAMPLE / "bot.yml",
    "retriever-break": EXAMPLE / "changes" / "retriever-break.yml",
    "generator-break": EXAMPLE / "changes" / "generator-break.yml",
    "rewording": EXAMPLE / "changes" / "rewording.yml",
}


def load(name: str) -> Any:
    return importlib.import_module(name)


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module", autouse=True)
def example_on_path() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLE))
        yield


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, example_on_path: None) -> dict[str, Path]:
    assert example_on_path is None
    folder = tmp_path_factory.mktemp("runs")
    paths = {name: folder / f"{name}.jsonl" for name in VARIANTS}
    for name, path in paths.items():
        assert load("record").record(VARIANTS[name], GOLDEN, path, "core") == 50
    return paths


@pytest.fixture
def document() -> Any:
    body = "# 返品\n\n## 期限\n\n返品は14日以内です。\n\n送料は500円です。\n\n## 方法\n\n箱に入れてください。"
    return load("support_bot.corpus").Document("returns-ja", "返品", "ja", "policy", body)


def chunk_texts(document: Any, mode: str, size: int, overlap: int) -> list[str]:
    chunking = load("support_bot.settings").Chunking(mode, size, overlap)
    return [chunk.text for chunk in load("support_bot.chunking").chunk_document(document, chunking)]


def test_paragraphs_are_joined_up_to_the_size_and_never_cut(document: Any) -> None:
    assert chunk_texts(document, "paragraphs", 100, 0) == [
        "返品 > 期限\n\n返品は14日以内です。\n\n送料は500円です。",
        "返品 > 方法\n\n箱に入れてください。",
    ]
    assert chunk_texts(document, "paragraphs", 5, 0) == [
        "返品 > 期限\n\n返品は14日以内です。",
        "返品 > 期限\n\n送料は500円です。",
        "返品 > 方法\n\n箱に入れてください。",
    ]


def test_character_windows_cut_sentences(document: Any) -> None:
    texts = chunk_texts(document, "characters", 20, 0)

    assert not any("返品は14日以内です。" in text for text in texts)
    assert max(map(len, texts)) <= 20


def test_overlapping_windows_repeat_the_end_of_the_one_before(document: Any) -> None:
    first, second = chunk_texts(document, "characters", 20, 8)[:2]

    assert first[-4:] in second


@pytest.mark.parametrize(
    ("question", "doc_id", "fact"),
    [
        ("領収書のPDFはどこから発行できますか？", "invoice-receipt-ja", "注文履歴"),
        ("What does payment error E-4107 mean?", "payment-error-codes-en", "billing address"),
    ],
)
def test_an_obvious_question_is_answered_from_its_document(question: str, doc_id: str, fact: str) -> None:
    settings = load("support_bot.settings").read_settings(VARIANTS["baseline"])
    reply = load("support_bot.bot").SupportBot(EXAMPLE / "corpus", settings).ask(question)

    assert reply.retrieved[0][0].doc_id == doc_id
    assert doc_id in reply.answer.citations
    assert fact in reply.answer.text


@pytest.mark.parametrize(
    ("question", "refusal"),
    [
        ("今日の天気はどうですか？", "該当する情報が見つかりません。"),
        ("What does error Q-99 mean?", "I could not find this in the documents."),
        ("?!", "I could not find this in the documents."),
    ],
)
def test_a_question_that_no_document_answers_is_refused(question: str, refusal: str) -> None:
    settings = load("support_bot.settings").read_settings(VARIANTS["baseline"])
    answer = load("support_bot.bot").SupportBot(EXAMPLE / "corpus", settings).ask(question).answer

    assert answer.text == refusal
    assert answer.citations == []


@pytest.mark.parametrize(
    ("sentence", "short"),
    [
        ("食品の場合、返金は14日以内に限ります。", "返金は所定の期間内に限ります。"),
        ("送料は1件490円です。", "送料は所定の金額です。"),
        ("E-402は通信のエラーです。", "E-402は通信のエラーです。"),
        (
            "If you cancel, we refund $5.95 within 3 to 5 business days.",
            "We refund a certain amount within a certain time.",
        ),
        ("Error E-17 has no condition.", "Error E-17 has no condition."),
    ],
)
def test_shortening_loses_conditions_and_figures_but_keeps_codes(sentence: str, short: str) -> None:
    assert load("support_bot.shorten").shorten(sentence) == short


def test_recording_twice_gives_the_same_bytes(runs: dict[str, Path], tmp_path: Path) -> None:
    again = tmp_path / "baseline.jsonl"
    load("record").record(VARIANTS["baseline"], GOLDEN, again, "core")

    assert again.read_bytes() == runs["baseline"].read_bytes()
    assert (
        again.with_suffix(".meta.json").read_bytes()
        == runs["baseline"].with_suffix(".meta.json").read_bytes()
    )


def test_the_bot_sees_only_the_question(tmp_path: Path, runs: dict[str, Path]) -> None:
    bare = tmp_path / "bare.jsonl"
    kept = ({key: case[key] for key in ("question_id", "question", "tier")} for case in read_lines(GOLDEN))
    bare.write_text("".join(json.dumps(case) + "\n" for case in kept), encoding="utf-8")
    load("record").record(VARIANTS["baseline"], bare, tmp_path / "run.jsonl", "core")

    assert (tmp_path / "run.jsonl").read_bytes() == runs["baseline"].read_bytes()


def test_a_recorded_case_has_chunks_scores_answer_and_citations(runs: dict[str, Path]) -> None:
    for case in read_lines(runs["baseline"]):
        assert list(case) == ["question_id", "retrieved", "answer", "citations"]
        scores = [item["score"] for item in case["retrieved"]]
        assert len(scores) <= 5
        assert scores == sorted(scores, reverse=True)
        assert all(item["id"].startswith(item["doc_id"] + "#") for item in case["retrieved"])
        assert all(f": {doc_id}]" in case["answer"] for doc_id in case["citations"])


def test_the_manifest_says_what_the_run_was_made_with(runs: dict[str, Path]) -> None:
    manifests = {
        name: json.loads(path.with_suffix(".meta.json").read_text("utf-8")) for name, path in runs.items()
    }

    assert manifests["baseline"]["chunking_id"].startswith("paragraphs-")
    assert manifests["retriever-break"]["chunking_id"].startswith("characters-")
    assert manifests["generator-break"]["generator"] == "extractive-v1 style=terse"
    assert len({manifest["corpus_id"] for manifest in manifests.values()}) == 1


def test_the_retriever_break_loses_evidence_and_keeps_documents(runs: dict[str, Path]) -> None:
    cases = [case for case in read_lines(GOLDEN) if case["tier"] == "core" and case.get("evidence")]

    def shares(name: str) -> tuple[float, float]:
        run = {case["question_id"]: case["retrieved"] for case in read_lines(runs[name])}
        pairs = [(item, run[case["question_id"]]) for case in cases for item in case["evidence"]]
        documents = sum(item["doc_id"] in {hit["doc_id"] for hit in hits} for item, hits in pairs)
        evidence = sum(any(item["text"] in hit["text"] for hit in hits) for item, hits in pairs)
        return documents / len(pairs), evidence / len(pairs)

    documents, evidence = shares("baseline")
    broken_documents, broken_evidence = shares("retriever-break")
    assert evidence - broken_evidence >= 0.25
    assert documents - broken_documents <= 0.05


def test_the_generator_break_leaves_retrieval_untouched(runs: dict[str, Path]) -> None:
    baseline, broken = (read_lines(runs[name]) for name in ("baseline", "generator-break"))

    assert [case["retrieved"] for case in broken] == [case["retrieved"] for case in baseline]
    assert sum(new["answer"] != old["answer"] for new, old in zip(broken, baseline, strict=True)) >= 25


def test_rewording_keeps_every_quote_and_citation(runs: dict[str, Path]) -> None:
    baseline, reworded = (read_lines(runs[name]) for name in ("baseline", "rewording"))

    for old, new in zip(baseline, reworded, strict=True):
        assert new["citations"] == old["citations"]
        assert new["retrieved"] == old["retrieved"]
        assert old["answer"] in new["answer"]
        assert new["answer"] != old["answer"]


@pytest.mark.parametrize("name", [name for name in VARIANTS if name != "baseline"])
def test_a_change_is_the_baseline_with_one_knob_changed(name: str) -> None:
    read = load("support_bot.settings").read_settings
    before, after = read(VARIANTS["baseline"]), read(VARIANTS[name])
    knobs = [(before.chunking.mode, after.chunking.mode), (before.chunking.size, after.chunking.size)]
    knobs += [(before.answer.style, after.answer.style), (before.k, after.k)]
    knobs += [(before.answer.min_overlap, after.answer.min_overlap)]

    assert sum(old != new for old, new in knobs) == 1


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("mode: paragraphs", "mode: pages", "chunking.mode"),
        ("style: extractive", "style: poem", "answer.style"),
        ("overlap: 0", "overlap: 150", "overlap"),
        ("k: 5", "k: 0", "at least 1"),
        ("k: 5", "depth: 5", "exactly the keys"),
    ],
)
def test_a_wrong_knob_is_refused(old: str, new: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "bot.yml"
    path.write_text(VARIANTS["baseline"].read_text("utf-8").replace(old, new), encoding="utf-8")

    with pytest.raises(ValueError, match=problem):
        load("support_bot.settings").read_settings(path)
