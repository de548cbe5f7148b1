"""Which function reads which format."""

from collections.abc import Mapping
from types import MappingProxyType

from rag_gate.formats import (
    beir,
    deepeval,
    elasticsearch,
    haystack,
    langchain,
    langsmith,
    llama_index,
    open_rag_eval,
    openinference,
    otel_genai,
    promptfoo,
    ragas,
    rank_eval,
)
from rag_gate.formats.importing import Reader

READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "beir": beir.read,
        "ragas": ragas.read,
        "deepeval": deepeval.read,
        "openinference": openinference.read,
        "otel-genai": otel_genai.read,
        "langchain": langchain.read,
        "llama-index": llama_index.read,
        "haystack": haystack.read,
        "promptfoo": promptfoo.read,
        "elasticsearch": elasticsearch.read,
        "rank-eval": rank_eval.read,
        "open-rag-eval": open_rag_eval.read,
        "langsmith": langsmith.read,
    }
)
