"""Models to judge with in tests: scripted, honest, obedient."""

import asyncio
import itertools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rag_gate.judge.cache import ReplyCache, cache_key
from rag_gate.judge.engine import CaseJudgment, JudgeRequest
from rag_gate.judge.llm.asking import ModelJudge
from rag_gate.judge.llm.backend import BackendError, Prompt, Reply, Usage
from rag_gate.judge.llm.budget import Budget
from rag_gate.judge.llm.engine import LlmEngine
from rag_gate.judge.llm.fences import folded
from rag_gate.judge.llm.models import ModelEntry, Price
from rag_gate.judge.llm.rounds import Rounds
from rag_gate.judge.sentences import split_sentences

Answering = Callable[[dict[str, Any], Prompt], dict[str, Any] | str]
ENTRY = ModelEntry(prompt="v1", price=Price(input=1.0, output=10.0))
DOCUMENT = "Refunds are processed within 3-5 business days. Weekends do not count."
EXPECTED = "Within 3-5 business days."


def data_of(prompt: Prompt) -> dict[str, Any]:
    """Return what stands inside the fence."""
    inside = prompt.user.split("\n", 1)[1].split("\n</data ", 1)[0]
    data = json.loads(inside)
    assert isinstance(data, dict)
    return data


def nonce_of(prompt: Prompt) -> str:
    nonce = prompt.schema["properties"]["nonce"]["enum"][0]
    assert isinstance(nonce, str)
    return nonce


def honest(data: Mapping[str, Any], prompt: Prompt) -> dict[str, Any]:
    """Judge as well as one can without understanding: a sentence is supported where it stands in a document."""
    found: dict[str, Any] = {}
    answer = data["answer"]
    for part in prompt.schema["properties"]:
        if part == "claims":
            found[part] = [_claim(span.text, data["documents"]) for span in split_sentences(answer)]
        elif part == "relevance":
            found[part] = {"missing": [], "superfluous": [], "addresses": bool(answer.strip())}
        elif part == "correctness":
            said = any(
                folded(text).strip(".。").lower() in folded(answer).lower() for text in data["expected"]
            )
            found[part] = "correct" if said else "incorrect"
    return found


def _claim(text: str, documents: Mapping[str, str]) -> dict[str, Any]:
    for number, document in documents.items():
        if folded(text) in folded(document):
            return {"text": text, "evidence": text, "document": int(number), "supported": True}
    return {"text": text, "evidence": None, "document": None, "supported": False}


def passing(data: Mapping[str, Any], prompt: Prompt) -> dict[str, Any]:
    """Pass everything, with a quotation that is really there."""
    first = next(iter(data.get("documents", {"1": ""}).items()))
    claims = [
        {"text": span.text, "evidence": first[1], "document": int(first[0]), "supported": True}
        for span in split_sentences(data["answer"])
    ]
    whole = {
        "claims": claims or [{"text": "ok", "evidence": first[1], "document": 1, "supported": True}],
        "relevance": {"missing": [], "superfluous": [], "addresses": True},
        "correctness": "correct",
    }
    return {part: whole[part] for part in whole if part in prompt.schema["properties"]}


class FakeBackend:
    """Answers by a function; counts, and notes how many prompts were asked at a time."""

    def __init__(
        self, answer: Answering = honest, model: str = "fake-2026-01-01", delays: Sequence[float] = (0.0,)
    ) -> None:
        self.identity: Mapping[str, Any] = {"provider": "fake", "model": model}
        self.prompts: list[Prompt] = []
        self.peak = 0
        self.closed = False
        self._answer = answer
        self._delays = itertools.cycle(delays)
        self._in_flight = 0

    async def complete(self, prompt: Prompt) -> Reply:
        self.prompts.append(prompt)
        self._in_flight += 1
        self.peak = max(self.peak, self._in_flight)
        try:
            await asyncio.sleep(next(self._delays))
            said = self._answer(data_of(prompt), prompt)
        finally:
            self._in_flight -= 1
        text = said if isinstance(said, str) else json.dumps({"nonce": nonce_of(prompt), **said})
        return Reply(text, Usage(1, 100, 10), str(self.identity["model"]))

    async def aclose(self) -> None:
        self.closed = True


def judge_of(
    backend: FakeBackend, budget: Budget | None = None, cache: Path | None = None, entry: ModelEntry = ENTRY
) -> ModelJudge:
    return ModelJudge(
        name=str(backend.identity["model"]),
        entry=entry,
        backend=backend,
        budget=budget or Budget(),
        cache=ReplyCache(cache) if cache else None,
        key_of=lambda prompt, repeat: cache_key(backend.identity, prompt, repeat=repeat),
    )


def engine_of(backend: FakeBackend, *, with_canary: bool = False, **more: Any) -> LlmEngine:
    return LlmEngine(Rounds(judge_of(backend), **more), {}, with_canary=with_canary)


def request(answer: str, **changed: Any) -> JudgeRequest:
    usual: dict[str, Any] = {
        "question_id": "q",
        "question": "How long does a refund take?",
        "contexts": (DOCUMENT,),
        "expected": (EXPECTED,),
    }
    return JudgeRequest(answer=answer, **{**usual, **changed})


def judged(answering: Answering, *requests: JudgeRequest, **more: Any) -> list[CaseJudgment]:
    return list(engine_of(FakeBackend(answering), **more).judge_many(requests))


def failing_with(error: Callable[[], BackendError]) -> Answering:
    def answer(data: Mapping[str, Any], prompt: Prompt) -> str:
        del data, prompt
        raise error()

    return answer


def scripted(replies: Iterable[Answering]) -> Answering:
    """Answer with one function after the other."""
    left = iter(replies)

    def answer(data: dict[str, Any], prompt: Prompt) -> dict[str, Any] | str:
        return next(left)(data, prompt)

    return answer
