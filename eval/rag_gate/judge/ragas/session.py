"""One run of ragas: its questions go to the models, and its failures get a reason."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rag_gate.files import fingerprint
from rag_gate.judge.llm.backend import Backend, BackendError, Prompt, Usage
from rag_gate.judge.ragas.embeddings import embed
from rag_gate.judge.ragas.messages import Ask, Embed
from rag_gate.judge.ragas.process import WorkerDied, converse
from rag_gate.judge.ragas.settings import RagasSettings
from rag_gate.judge.ragas.tally import Tally

_SYSTEM = "Reply with one JSON object that follows the schema given, and with nothing else."
#: After the models' own deadline, for what ragas does with the last reply (seconds).
_GRACE_S = 15


class Session:
    """One run.

    Args:
        settings: limits.
        judge: opens the model.
        embeddings: opens the embedding model.

    Attributes:
        usage: what the requests cost.
        trouble: why ragas or a model was given up; None where neither was.
    """

    def __init__(
        self, settings: RagasSettings, judge: Callable[[], Backend], embeddings: Callable[[], Backend] | None
    ) -> None:
        self.usage = Usage()
        self.trouble: str | None = None
        self._settings = settings
        self._judge = judge()
        self._embeddings = embeddings() if embeddings else None
        self._fatal: dict[str, BackendError] = {}

    async def run(self, command: Sequence[str], job: Mapping[str, Any], tally: Tally) -> None:
        """Have everything measured; what could not be has a reason in the tally.

        Raises:
            ConfigError: if ragas is missing or broken.
        """
        limit = self._settings.start_s + self._settings.judge.deadline_s + _GRACE_S
        try:
            async with asyncio.timeout(limit):
                await converse(command, job, self._answer, tally.take, self._settings.start_s)
        except TimeoutError:
            self._give_up(tally, "judge_deadline", f"ragas did not end within {limit:g} s")
        except (WorkerDied, ValueError) as error:
            self._give_up(tally, "judge_error", str(error))
        finally:
            await self._judge.aclose()
            if self._embeddings is not None:
                await self._embeddings.aclose()
        tally.give_up("judge_error", "ragas ended without a word about this case")

    def _give_up(self, tally: Tally, reason: str, message: str) -> None:
        self.trouble = message
        tally.give_up(reason, message)

    async def _answer(self, question: Ask | Embed) -> dict[str, Any]:
        """Return a reply, or why there is none; once a model refuses everything it is not asked again."""
        error = self._fatal.get(question.type)
        if error is None:
            try:
                return {"value": await self._asked(question)}
            except BackendError as caught:
                error = caught
                self.usage += error.usage
                if error.fatal:
                    self._fatal.setdefault(question.type, error)
                    self.trouble = self.trouble or str(error)
        return {"reason": error.reason, "message": str(error)}

    async def _asked(self, question: Ask | Embed) -> Any:  # noqa: ANN401 - text or vectors
        if isinstance(question, Embed):
            if self._embeddings is None:
                raise BackendError("there is no embedding model", "judge_refused")
            vectors, reply = await embed(self._embeddings, question.texts)
            self.usage += reply.usage
            return vectors
        key = fingerprint({"form": question.name, "prompt": question.prompt})
        prompt = Prompt(_SYSTEM, question.prompt, question.form, question.name, key)
        reply = await self._judge.complete(prompt)
        self.usage += reply.usage
        return reply.text
