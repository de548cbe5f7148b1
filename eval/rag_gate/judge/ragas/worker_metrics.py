"""The metrics of ragas, wired to the channel. Imports ragas, so only the worker may import this."""

from collections.abc import Mapping, Sequence
from typing import Any

from datasets import Dataset
from pydantic import BaseModel, ValidationError
from ragas.dataset_schema import EvaluationDataset
from ragas.llms.base import InstructorBaseRagasLLM
from ragas.metrics._answer_relevance import AnswerRelevancy, ResponseRelevanceInput
from ragas.metrics._context_precision import ContextPrecision
from ragas.metrics._context_recall import ContextRecall
from ragas.metrics._faithfulness import Faithfulness

from rag_gate.judge.ragas.worker_channel import Channel, Unanswered

#: How often one prompt is put before a reply that does not fit its form is given up.
_ATTEMPTS = 2


class ParentModel(InstructorBaseRagasLLM):  # type: ignore[misc] # ragas publishes no types
    """A model behind the parent process."""

    is_async = True

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def generate(self, prompt: str, response_model: type[BaseModel]) -> BaseModel:
        """Refuse: it would block every other question."""
        raise NotImplementedError

    async def agenerate(self, prompt: str, response_model: type[BaseModel]) -> BaseModel:
        """Return the model's reply in the form that ragas wants.

        Raises:
            Unanswered: if there is none of that form.
        """
        schema = _closed(response_model.model_json_schema())
        for _ in range(_ATTEMPTS):
            text = await self._channel.ask(response_model.__name__, schema, prompt)
            try:
                return response_model.model_validate_json(text)
            except ValidationError:
                continue
        said = f"the reply is not of the form {response_model.__name__} ({_ATTEMPTS} attempts)"
        raise Unanswered("judge_bad_reply", said)


class ParentEmbeddings:
    """Vectors from the parent process, fetched before ragas asks for them without waiting."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._vectors: dict[str, list[float]] = {}

    async def fetch(self, texts: Sequence[str]) -> None:
        """Have the vectors of these texts ready."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, await self._channel.embed(new), strict=True))

    def embed_query(self, text: str) -> list[float]:
        """Return a vector."""
        return self._vectors[text]

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Return vectors."""
        return [self._vectors[text] for text in texts]


class CheckedFaithfulness(Faithfulness):  # type: ignore[misc]
    """Faithfulness that does not take another number of verdicts than of statements."""

    async def _create_verdicts(self, row: Any, statements: list[str], callbacks: Any) -> Any:  # noqa: ANN401
        verdicts = await super()._create_verdicts(row, statements, callbacks)
        if len(verdicts.statements) != len(statements):
            said = f"{len(verdicts.statements)} verdicts for {len(statements)} statements"
            raise Unanswered("judge_bad_reply", said)
        return verdicts


class PreparedRelevancy(AnswerRelevancy):  # type: ignore[misc]
    """Answer relevancy that fetches its vectors without blocking the others."""

    async def _ascore(self, row: dict[str, Any], callbacks: Any) -> float:  # noqa: ANN401
        replies = await self.question_generation.generate_multiple(
            data=ResponseRelevanceInput(response=row["response"]),
            llm=self.llm,
            callbacks=callbacks,
            n=self.strictness,
        )
        if not any(reply.question.strip() for reply in replies):
            raise Unanswered("judge_bad_reply", "the model made no question of the answer")
        await self.embeddings.fetch([row["user_input"], *(reply.question for reply in replies)])
        return float(self._calculate_score(replies, row))


def metrics_of(names: Sequence[str], channel: Channel, prompts: str | None) -> Mapping[str, Any]:
    """Return the metrics of these names.

    Args:
        names: as ragas calls them.
        channel: answers their questions.
        prompts: folder with adapted prompts, saved by ragas with language ``japanese``; None for its own.
    """
    model = ParentModel(channel)
    metrics = {
        "faithfulness": CheckedFaithfulness,
        "answer_relevancy": PreparedRelevancy,
        "context_precision": ContextPrecision,
        "context_recall": ContextRecall,
    }
    built = {name: metrics[name](llm=model) for name in names}
    if "answer_relevancy" in built:
        built["answer_relevancy"].embeddings = ParentEmbeddings(channel)
        built["answer_relevancy"].strictness = 1  # at temperature 0 more questions would be the same
    if prompts is not None:
        for metric in built.values():
            metric.set_prompts(**metric.load_prompts(prompts, language="japanese"))
    return built


def samples_of(rows: list[dict[str, Any]]) -> Sequence[Any]:
    """Return the rows as ragas takes them, through ``datasets.Dataset``."""
    samples: Sequence[Any] = EvaluationDataset.from_hf_dataset(Dataset.from_list(rows)).samples
    return samples


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema as strict services want it: every key demanded, no others allowed."""
    closed = {key: _closed_value(value) for key, value in schema.items() if key != "default"}
    if "properties" in closed:
        closed |= {"additionalProperties": False, "required": list(closed["properties"])}
    return closed


def _closed_value(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, dict):
        return _closed(value)
    return [_closed_value(item) for item in value] if isinstance(value, list) else value
