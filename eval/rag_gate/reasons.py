"""Why a score is null: codes that stand beside it in every file."""

#: Reasons that mean "the metric does not apply to this case" rather than "it could not be measured".
NOT_APPLICABLE = frozenset(
    {
        "unanswerable",
        "no_relevant",
        "no_gold_ids",
        "no_evidence_groups",
        "no_evidence",
        "no_expected_answer",
        "no_values",
        "no_claims",
        "no_negative_assertions",
        "no_citations_expected",
        "no_citations",
        "not_measured",
        "refusal",
    }
)
MISSING = "missing_from_run"
#: Longer answers (in characters) are not judged word by word: no bot means to give one.
MAX_ANSWER = 100_000
#: Longer retrieved texts of one case (in characters, together) are not searched for evidence.
MAX_TEXTS = 500_000
TOO_LONG = "answer_too_long"
TEXTS_TOO_LONG = "texts_too_long"


def is_open(reason: str | None) -> bool:
    """Tell whether a judge was to decide and did not: it could not tell, failed, or was not reached."""
    return reason is not None and (reason in {"undecided", "prompt_too_long"} or reason.startswith("judge_"))
