"""The real process of ragas with metrics of ours in the place of ragas' own, and a model in the place of a service."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rag_gate.judge.cache import EntryCache
from rag_gate.judge.engine import CaseJudgment, JudgeRequest
from rag_gate.judge.llm.backend import Backend, BackendError, Failure, Prompt, Reply, Usage
from rag_gate.judge.llm.clients.settings import BackendSettings
from rag_gate.judge.ragas.engine import RagasEngine
from rag_gate.judge.ragas.isolation import command_of
from rag_gate.judge.ragas.settings import RagasSettings

#: Takes the place of the module that imports ragas; what a metric does, the answer says.
STAND_IN = """
import asyncio, importlib.metadata, json, os, subprocess, sys, time, types

class Metric:
    def __init__(self, name, channel, prompts):
        self.name, self.channel, self.prompts = name, channel, prompts

    async def single_turn_ascore(self, sample):
        answer = sample["response"]
        if answer == "environ":
            await self.channel.ask("Environ", {}, json.dumps({**os.environ, "cwd": os.getcwd()}))
        if answer == "dies":
            print("Traceback (most recent call last):\\nMemoryError: gone", file=sys.stderr, flush=True)
            os._exit(7)
        if answer == "babbles":
            os.write(int(os.environ.get("OUT", self.channel._out.fileno())), b"{}\\n")
        if answer == "blocks":
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            await self.channel.ask("Pid", {}, str(child.pid))
            time.sleep(600)
        if answer == "prints":
            print("100%|####| ragas")
        if answer == "raises":
            raise ZeroDivisionError("ragas has a bug")
        if answer == "nan":
            return float("nan")
        if answer == "two":
            return 2.0
        if answer == "near one":
            return 0.99999999995
        if answer == "far":
            return -0.25
        if self.name == "answer_relevancy":
            vectors = await self.channel.embed([sample["user_input"], answer])
            return vectors[0][0]
        prompt = f"{self.name}|{self.prompts}|{sample}"
        return json.loads(await self.channel.ask("Score", {"type": "object"}, prompt))["score"]

fake = types.ModuleType("fake")
fake.metrics_of = lambda names, channel, prompts: {name: Metric(name, channel, prompts) for name in names}
fake.samples_of = lambda rows: rows
sys.modules["rag_gate.judge.ragas.worker_metrics"] = fake
importlib.metadata.version = lambda name: VERSION
"""


class FakeModel:
    """Scores 0.5, or fails; remembers what it was asked."""

    def __init__(self, failure: Failure | None = None, name: str = "judge-1", *, fatal: bool = False) -> None:
        self.identity: Mapping[str, Any] = {"provider": "fake", "model": name}
        self.prompts: list[Prompt] = []
        self.failure = failure
        self.fatal = fatal
        self.closed = 0

    async def complete(self, prompt: Prompt) -> Reply:
        self.prompts.append(prompt)
        if self.failure is not None:
            said = "the service answers 401"
            raise BackendError(said, self.failure, fatal=self.fatal, usage=Usage(requests=1))
        text = "[[0.25, 1], [0.5, 1]]" if prompt.schema_name == "embeddings" else '{"score": 0.5}'
        return Reply(text, Usage(1, 100, 10), "judge-1-2026")

    async def aclose(self) -> None:
        self.closed += 1


class FakeRagas(RagasEngine):
    """The engine, with the stand-in for ragas."""

    def __init__(
        self,
        model: FakeModel | None = None,
        cache: EntryCache | None = None,
        version: str = "0.4.3",
        settings: RagasSettings | None = None,
    ) -> None:
        self.model = model or FakeModel()
        self.embedder = FakeModel()
        judge: Backend = self.model
        embeddings: Backend = self.embedder
        super().__init__(settings or settings_of(), lambda: judge, lambda: embeddings, cache)
        *start, code, path = command_of(None)
        self.command = [*start, f"VERSION = {version!r}\n{STAND_IN}\n{code}", path]

    def all(self, *requests: JudgeRequest) -> list[CaseJudgment]:
        return list(self.judge_many(requests))


def settings_of(metrics: tuple[str, ...] = ("faithfulness",), **changes: Any) -> RagasSettings:
    judge = BackendSettings("openai", "judge-1", deadline_s=changes.pop("deadline_s", 30))
    return RagasSettings(judge, embeddings=judge, metrics=metrics, **changes)


def asked(answer: str = "返金は5営業日以内です。", question_id: str = "q", **changes: Any) -> JudgeRequest:
    given: dict[str, Any] = {
        "question_id": question_id,
        "question": "返金は何日ですか。",
        "answer": answer,
        "contexts": ("返金は5営業日以内に処理されます。",),
        "expected": ("5営業日以内",),
    }
    return JudgeRequest(**(given | changes))


PYTHON = Path(sys.executable)
