"""Budgets per case: length, latency, tokens."""

from collections.abc import Iterator

from rag_gate.config_safety import BudgetConfig
from rag_gate.safety.findings import Check, SafetyCase, SafetyFinding

CHECK = "budgets"
RULES = ("TOO_LONG", "TOO_SLOW", "TOO_MANY_TOKENS", "BUDGET_NOT_RECORDED")
_LONG, _SLOW, _TOKENS, _UNKNOWN = RULES


def budget_check(config: BudgetConfig) -> Check:
    """Return the check of limits; a limit for something that the run does not record is a warning."""

    def check(case: SafetyCase) -> Iterator[SafetyFinding]:
        record = case.record
        measured: tuple[tuple[str, int | None, float | None, str], ...] = (
            (_LONG, config.max_chars, len(case.answer), "characters"),
            (_SLOW, config.max_latency_ms, record.latency_ms, "ms (latency_ms)"),
            (_TOKENS, config.max_tokens, record.tokens, "tokens (usage)"),
        )
        for rule, limit, value, unit in measured:
            if limit is None:
                continue
            if value is None:
                note = f"a limit of {limit} {unit} is set, and the run does not record it"
                yield SafetyFinding(CHECK, _UNKNOWN, "warn", note)
            elif value > limit:
                yield SafetyFinding(CHECK, rule, config.severity, f"{value:g} of at most {limit} {unit}")

    return check
