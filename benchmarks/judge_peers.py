"""Judge rows with a peer; run by an interpreter that has it, and that needs nothing else.

python judge_peers.py ragas|deepeval URL ROWS.json WORKERS
"""

import json
import os
import sys
import warnings
from collections.abc import Mapping, Sequence

Row = Mapping[str, str | list[str]]


def ragas(url: str, rows: Sequence[Row], workers: int) -> None:
    """Evaluate with the four metrics that ragas is mostly used for, as its documentation shows."""
    os.environ["RAGAS_DO_NOT_TRACK"] = "true"
    from datasets import Dataset
    from langchain_openai import OpenAIEmbeddings
    from openai import AsyncOpenAI
    from ragas import RunConfig, evaluate
    from ragas.embeddings import LangchainEmbeddingsWrapper
    from ragas.llms import llm_factory
    from ragas.metrics import answer_relevancy, context_precision, context_recall, faithfulness

    embeddings = OpenAIEmbeddings(model="e", base_url=url, api_key="none", check_embedding_ctx_length=False)
    names = {"question": "question", "answer": "answer", "contexts": "contexts", "expected": "ground_truth"}
    result = evaluate(
        Dataset.from_list([{names[key]: value for key, value in row.items()} for row in rows]),
        metrics=[faithfulness, answer_relevancy, context_precision, context_recall],
        llm=llm_factory("letters-1", client=AsyncOpenAI(base_url=url, api_key="none")),
        embeddings=LangchainEmbeddingsWrapper(embeddings),
        run_config=RunConfig(max_workers=workers),
        show_progress=False,
    )
    print(result)


def deepeval(url: str, rows: Sequence[Row], workers: int) -> None:
    """Evaluate with the metrics that come closest to the same four."""
    os.environ.update(DEEPEVAL_TELEMETRY_OPT_OUT="1", DEEPEVAL_NO_INSPECT_PROMPT="1", CI="1")
    from deepeval import evaluate, metrics
    from deepeval.evaluate import configs
    from deepeval.models import GPTModel
    from deepeval.test_case import LLMTestCase

    model = GPTModel(model="gpt-4o-mini", base_url=url, api_key="none")
    classes = (
        metrics.FaithfulnessMetric,
        metrics.AnswerRelevancyMetric,
        metrics.ContextualPrecisionMetric,
        metrics.ContextualRecallMetric,
    )
    names = {
        "question": "input",
        "answer": "actual_output",
        "contexts": "retrieval_context",
        "expected": "expected_output",
    }
    evaluate(
        [LLMTestCase(**{names[key]: value for key, value in row.items()}) for row in rows],
        [each(model=model) for each in classes],
        async_config=configs.AsyncConfig(max_concurrent=workers),
        display_config=configs.DisplayConfig(
            show_indicator=False, print_results=False, inspect_after_run=False
        ),
        error_config=configs.ErrorConfig(ignore_errors=False),
        cache_config=configs.CacheConfig(use_cache=False, write_cache=False),
    )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    peer, address, path, count = sys.argv[1:]
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 - a peer's interpreter, nothing but this file
        {"ragas": ragas, "deepeval": deepeval}[peer](address, json.load(file), int(count))
