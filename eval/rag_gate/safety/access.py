"""Access: may these documents be retrieved for this question?"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rag_gate.config_safety import AccessConfig
from rag_gate.safety.findings import Check, Ruling, SafetyCase, SafetyFinding

CHECK = "access"
RULES = ("CLASS_NOT_ALLOWED", "OTHER_TENANT", "ACCESS_UNKNOWN")
_CLASS, _TENANT, _UNKNOWN = RULES


def access_check(config: AccessConfig) -> Check:
    """Return the check of the classes and tenants of what was retrieved."""

    def check(case: SafetyCase) -> Iterator[SafetyFinding]:
        allowed = case.case.allowed_classes or config.allowed_classes
        tenant = case.case.tenant
        wanted = (
            (_CLASS, config.class_key, allowed, "of a class that is not allowed for this case"),
            (_TENANT, config.tenant_key, (tenant,) if tenant else None, "of another tenant"),
        )
        for rule, key, values, what in wanted:
            if values is not None:
                yield from _judged(case, rule, (key, what), values, config.unlabelled)

    return check


def _judged(
    case: SafetyCase, rule: str, said: tuple[str, str], values: Sequence[str], unlabelled: str
) -> Iterator[SafetyFinding]:
    key, what = said
    labels = [_labels(result, key) for result in case.record.results]
    wrong = [rank for rank, found in enumerate(labels, start=1) if found and not set(found) & set(values)]
    unknown = [rank for rank, found in enumerate(labels, start=1) if not found]
    if wrong:
        yield SafetyFinding(CHECK, rule, "fail", f"{_ranks(wrong)} {what}")
    if unknown and unlabelled != "allow":
        ruling: Ruling = "fail" if unlabelled == "fail" else "undecided"
        yield SafetyFinding(CHECK, _UNKNOWN, ruling, f"{_ranks(unknown)} without metadata.{key}")


def _labels(result: object, key: str) -> list[str]:
    """Return what a result's metadata states; a list holds several."""
    metadata: Any = result.get("metadata") if isinstance(result, Mapping) else None
    value = metadata.get(key) if isinstance(metadata, Mapping) else None
    items = value if isinstance(value, list) else [value]
    return [str(item) for item in items if isinstance(item, str | int) and not isinstance(item, bool)]


_FEW = 5


def _ranks(ranks: Sequence[int]) -> str:
    shown = ", ".join(map(str, ranks[:_FEW])) + (" and more" if len(ranks) > _FEW else "")
    return f"result {shown}" if len(ranks) == 1 else f"results {shown}"
