"""Answers the questions of judges by comparing letters: nobody's verdict, but one of the right form at no cost."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

_INPUT = "Now perform the same with the following input"
_ENOUGH = 0.55
#: What ragas asks for. Where it asks by itself, the schema stands in the prompt; its translations name none.
_RAGAS_FORMS = (
    "StatementGeneratorOutput",
    "NLIStatementOutput",
    "ContextRecallClassifications",
    "Verification",
    "ResponseRelevanceOutput",
)


def form_of(body: Mapping[str, Any], prompt: str) -> str:
    """Return the name of the form that a request asks for."""
    schema = body.get("response_format", {}).get("json_schema")
    if schema is not None:
        return str(schema["name"])
    return next((name for name in _RAGAS_FORMS if f'"title": "{name}"' in prompt), "Translated")


def reply_to(body: Mapping[str, Any], form: str, prompt: str) -> dict[str, Any]:
    """Return what a judge says."""
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    if "nonce" in schema.get("properties", {}):
        return _judgment(schema["properties"], prompt)
    if form in _RAGAS_FORMS or form == "Translated":
        _, _, after = prompt.rpartition(_INPUT)
        return _of_ragas(form, _first_object(after))
    return dict(_filled(schema, schema))


def _first_object(text: str) -> dict[str, Any]:
    found, _ = json.JSONDecoder().raw_decode(text[text.index("{") :])
    return dict(found)


def _judgment(parts: Mapping[str, Any], prompt: str) -> dict[str, Any]:
    """Answer a prompt of rag-gate."""
    given = _first_object(prompt)
    whole = {
        "nonce": parts["nonce"]["enum"][0],
        "claims": [_claim(text, given.get("documents", {})) for text in _sentences(given["answer"])],
        "relevance": {"missing": [], "superfluous": [], "addresses": True},
        "correctness": "correct"
        if any(_says(given["answer"], text) for text in given.get("expected", ()))
        else "incorrect",
    }
    return {name: whole[name] for name in parts}


def _claim(text: str, documents: Mapping[str, str]) -> dict[str, Any]:
    for number, document in documents.items():
        if _says(document, text):
            return {"text": text, "evidence": document, "document": int(number), "supported": True}
    return {"text": text, "evidence": None, "document": None, "supported": False}


def _says(context: str, text: str) -> bool:
    numbers = set(re.findall(r"\d+", text)) <= set(re.findall(r"\d+", context))
    return numbers and bool(stands_in(text, context))


def _of_ragas(form: str, given: dict[str, Any]) -> dict[str, Any]:
    if form == "StatementGeneratorOutput":
        return {"statements": _sentences(given["answer"])}
    if form == "NLIStatementOutput":
        rows = [(text, stands_in(text, given["context"])) for text in given["statements"]]
        return {"statements": [{"statement": text, "reason": "", "verdict": found} for text, found in rows]}
    if form == "ContextRecallClassifications":
        rows = [(text, stands_in(text, given["context"])) for text in _sentences(given["answer"])]
        found = [{"statement": text, "reason": "", "attributed": found} for text, found in rows]
        return {"classifications": found}
    if form == "Verification":
        return {"reason": "", "verdict": stands_in(given["answer"], given["context"])}
    if form == "ResponseRelevanceOutput":
        return {"question": f"{given['response']}?", "noncommittal": 0}
    return {"statements": [f"訳:{text}" for text in given["statements"]]}


def _filled(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON
    """Return the smallest value of a schema that has one of everything."""
    if "$ref" in schema:
        return _filled(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    if "anyOf" in schema:
        return _filled(schema["anyOf"][0], root)
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    if "properties" in schema:
        return {name: _filled(part, root) for name, part in schema["properties"].items()}
    if schema.get("type") == "array":
        return [_filled(schema["items"], root)]
    return {"string": "-", "integer": 1, "number": 1.0, "boolean": True}.get(schema.get("type", ""))


def _sentences(text: str) -> list[str]:
    return [part for part in re.split(r"(?<=[。.!?])", text) if part.strip()]


def pairs(text: str) -> Counter[str]:
    """Return the pairs of neighbouring letters."""
    bare = re.sub(r"\W", "", text.lower())
    return Counter(bare[place : place + 2] for place in range(len(bare) - 1))


def stands_in(text: str, context: str) -> int:
    """Return 1 if most pairs of letters stand in the context, else 0."""
    wanted, there = set(pairs(text)), set(pairs(context))
    return int(bool(wanted) and len(wanted & there) / len(wanted) >= _ENOUGH)
