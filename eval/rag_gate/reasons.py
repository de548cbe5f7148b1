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
