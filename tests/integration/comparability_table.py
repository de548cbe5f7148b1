"""What a change between baseline and run leads to. The tests apply each; the reference shows the table."""

from typing import NamedTuple


class Outcome(NamedTuple):
    """One change.

    Attributes:
        change: what differs from the baseline's run.
        code: exit code of the gate, for a run whose answers are as good as the baseline's.
        said: what stands in the log or in the comment.
    """

    change: str
    code: int
    said: str

    @property
    def effect(self) -> str:
        """What happens, in words."""
        if self.code == 3:
            return "not judged"
        if self.code == 1:
            return "regression"
        if "→" in self.said:
            return "compared, and shown in the comment"
        if "cannot be compared" in self.said:
            return "compared without that case, which a notice names"
        return "compared" if self.said.startswith("No regression") else "compared, with a notice"


OUTCOMES: dict[str, Outcome] = {
    "nothing": Outcome("nothing", 0, "No regression in 3 gating metrics"),
    "judge": Outcome("version of the judge", 3, "stage 'judge' was measured otherwise in the baseline"),
    "judge-rejudged": Outcome(
        "version of the judge, with `--rejudge`", 0, "the baseline's stored answers were measured again"
    ),
    "k-values": Outcome("`k_values`; every gating metric is still measured", 0, "No regression"),
    "k-not-measured": Outcome("`k_values`, without the k of a gating metric", 3, "k = 5 was not evaluated"),
    "k-of-the-run": Outcome("`k` of the manifest (results that the bot asked for)", 0, "k `5` → `8`"),
    "unit": Outcome("`retrieval.unit`", 3, "unit: document -> chunk"),
    "success-rule": Outcome(
        "`retrieval.success`",
        3,
        "success: evidence required, k 5, rule all -> evidence required, k 5, rule any",
    ),
    "success-rejudged": Outcome(
        "`retrieval.success`, with `--rejudge`", 0, "the baseline's stored answers were measured again"
    ),
    "chunking-of-documents": Outcome(
        "`chunking_id`, gold ids name documents", 0, "chunking\\_id `paragraphs-400` → `characters-300`"
    ),
    "chunking-of-chunks": Outcome(
        "`chunking_id`, gold ids name chunks", 3, "gold ids name chunks, and these are other chunks"
    ),
    "corpus-of-documents": Outcome(
        "`corpus_id`, gold ids name documents", 0, "the corpus is another one (2026-05 -> 2026-06)"
    ),
    "corpus-of-chunks": Outcome("`corpus_id`, gold ids name chunks", 3, "corpus_id 2026-05 -> 2026-06"),
    "chunking-unstated": Outcome(
        "`chunking_id` is not stated by both, gold ids name chunks", 0, "No regression"
    ),
    "embedding": Outcome("both embedding models", 0, "index\\_embedding\\_model `e5-small` → `e5-large`"),
    "embedding-of-queries": Outcome(
        "the embedding model of the queries only", 0, "re-index, or retrieval finds"
    ),
    "prompt": Outcome("`prompt_version`", 0, "prompt\\_version `answer-7` → `answer-8`"),
    "model": Outcome("`model`", 0, "model `small-1` → `small-2`"),
    "question": Outcome("a question's text", 0, "1 case was edited and cannot be compared: q07"),
    "gold": Outcome("a case's gold ids", 0, "1 case was edited and cannot be compared: q07"),
    "added": Outcome("a new case", 0, "1 case was added and cannot be compared: q99"),
    "removed": Outcome("a case that passed is removed", 0, "1 case was removed and cannot be compared: q07"),
    "removed-failing": Outcome(
        "a case that failed is removed", 3, "removing cases that failed hides them: q00; put them back"
    ),
    "removed-acknowledged": Outcome(
        "a case that failed is removed and named under `gate.removed_ok`",
        0,
        "1 case was removed and cannot be compared: q00",
    ),
    "removed-extended": Outcome(
        "an extended case that failed in retrieval is removed, the run is of tier core and holds extended results",
        3,
        "removing cases that failed hides them: q01; put them back",
    ),
    "removed-other-tier": Outcome(
        "an extended case that failed is removed, the run holds core results only", 0, "No regression"
    ),
    "half-the-set": Outcome(
        "more than 40 % of the cases are edited",
        3,
        "cases are still in the golden set unchanged, less than 60 %",
    ),
    "frozen-equal": Outcome(
        "`gate.frozen_retrieval`, the same results in the same order", 0, "No regression"
    ),
    "frozen-order": Outcome(
        "`gate.frozen_retrieval`, other results or another order",
        3,
        "the results of 2 cases are not the baseline's: q07, q08",
    ),
    "frozen-unknown": Outcome(
        "`gate.frozen_retrieval`, a baseline without fingerprints of the results",
        3,
        "the baseline does not say what was retrieved",
    ),
    "tolerance-loose": Outcome(
        "a tolerance of 0.5, and recall@5 fell by 0.200 in the stored results", 0, "No regression"
    ),
    "tolerance-tight": Outcome(
        "a tolerance of 0.03, and recall@5 fell by 0.200 in the same stored results",
        1,
        "Regression: recall@5 fell by 0.200",
    ),
}


def table() -> str:
    """Return the outcomes as the table of the reference."""
    rows = [f"| {row.change} | {row.code} | {row.effect} | {row.said} |" for row in OUTCOMES.values()]
    heads = "| What differs | Exit code | Effect | What is said (a part of it) |"
    return "\n".join((heads, "| --- | --- | --- | --- |", *rows))
