"""Which formats there are: what each reads, what it gives, what a row of it looks like. Plain data."""

from typing import Literal, NamedTuple

Part = Literal["golden", "run"]
_BOTH: tuple[Part, ...] = ("golden", "run")
_RUN: tuple[Part, ...] = ("run",)
_GOLDEN: tuple[Part, ...] = ("golden",)


class Choice(NamedTuple):
    """An option that only some formats have: its name and what it chooses."""

    name: str
    help: str


class Format(NamedTuple):
    """A format of another tool.

    Attributes:
        name: as on the command line.
        reads: what the file is, for people.
        gives: a golden set, a run, or both.
        sample: one small row of it.
        choices: options beyond those that all formats have.
        names: whether a row names its parts as the user likes, so that ``--at`` may be needed.
    """

    name: str
    reads: str
    gives: tuple[Part, ...]
    sample: str
    choices: tuple[Choice, ...] = ()
    names: bool = False


_DOCUMENT = Choice("document-key", "Key of the metadata that holds a result's document id.")
_TEXT = Choice("text-key", "Key of _source that holds a result's text.")

FORMATS: tuple[Format, ...] = (
    Format(
        "beir",
        "a BEIR folder: queries.jsonl, qrels/SPLIT.tsv, corpus.jsonl",
        _GOLDEN,
        'queries.jsonl {"_id":"q1","text":"..."}, qrels/test.tsv with the header query-id corpus-id score',
        (Choice("split", "Which file of qrels/ (default: test)."),),
    ),
    Format(
        "ragas",
        "samples or results of ragas: JSONL, JSON or CSV",
        _BOTH,
        '{"user_input":"...","reference":"...","reference_context_ids":["d1"],"response":"...",'
        '"retrieved_contexts":["..."],"retrieved_context_ids":["d1"]}',
    ),
    Format(
        "deepeval",
        "goldens, test cases or a test run of deepeval: JSON, JSONL or CSV",
        _BOTH,
        '{"input":"...","actual_output":"...","expected_output":"...","context":["..."],"retrieval_context":["..."]}',
    ),
    Format(
        "openinference",
        "traces with OpenInference attributes (Phoenix): OTLP JSON or spans of the OpenTelemetry SDK",
        _RUN,
        '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"...","spanId":"...","attributes":[{"key":'
        '"openinference.span.kind","value":{"stringValue":"RETRIEVER"}}]}]}]}]}',
        (_DOCUMENT,),
    ),
    Format(
        "otel-genai",
        "traces with OpenTelemetry's GenAI attributes: OTLP JSON or spans of the OpenTelemetry SDK",
        _RUN,
        '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"...","spanId":"...","attributes":[{"key":'
        '"gen_ai.retrieval.documents","value":{"stringValue":"[{\\"id\\":\\"d1\\",\\"score\\":0.9}]"}}]}]}]}]}',
    ),
    Format(
        "langchain",
        "results of LangChain, one JSON object a question",
        _RUN,
        '{"input":"...","context":[{"id":null,"page_content":"...","metadata":{"source":"d1"}}],"answer":"..."}',
        (_DOCUMENT,),
        names=True,
    ),
    Format(
        "llama-index",
        "results of LlamaIndex, one JSON object a question",
        _RUN,
        '{"query":"...","source_nodes":[{"node":{"id_":"c1","text":"..."},"score":0.8}],"response":"..."}',
        (_DOCUMENT,),
        names=True,
    ),
    Format(
        "haystack",
        "results of a Haystack pipeline, one JSON object a question",
        _RUN,
        '{"query":"...","retriever":{"documents":[{"id":"c1","content":"...","score":0.8}]},"llm":{"replies":["..."]}}',
        (_DOCUMENT,),
        names=True,
    ),
    Format(
        "promptfoo",
        "results of promptfoo eval --output results.json",
        _BOTH,
        '{"results":{"results":[{"vars":{"question":"...","context":"..."},"response":{"output":"..."}}]}}',
        (
            Choice("provider", "Id or label of the provider whose results to take."),
            Choice("prompt", "Label or number (from 0) of the prompt whose results to take."),
        ),
        names=True,
    ),
    Format(
        "elasticsearch",
        "search responses of Elasticsearch or OpenSearch, one JSON object a question",
        _RUN,
        '{"question_id":"q1","response":{"hits":{"hits":[{"_id":"d1","_score":2.1,"_source":{"text":"..."}}]}}}',
        (_TEXT, _DOCUMENT),
    ),
    Format(
        "rank-eval",
        "request (golden set) or response (run) of _rank_eval, or judgments of OpenSearch",
        _BOTH,
        '{"requests":[{"id":"q1","request":{},"ratings":[{"_index":"docs","_id":"d1","rating":1}]}]}',
    ),
    Format(
        "open-rag-eval",
        "CSV of open-rag-eval, one row a passage",
        _RUN,
        "query_id,query,query_run,passage_id,passage,generated_answer",
        (Choice("query-run", "Which run of each query, where there are several."),),
    ),
    Format(
        "langsmith",
        "examples (golden set) or runs (run) of LangSmith: JSON or JSONL",
        _BOTH,
        '{"id":"...","inputs":{"question":"..."},"outputs":{"answer":"..."}} for an example; '
        '{"id":"...","trace_id":"...","run_type":"retriever","outputs":{"documents":[]}} for a run',
        (_DOCUMENT,),
        names=True,
    ),
)

BY_NAME = {each.name: each for each in FORMATS}
#: What ``--at`` can name.
PLACES = ("question_id", "question", "retrieved", "answer", "expected_answer", "relevant_doc_ids")
