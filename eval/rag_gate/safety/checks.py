"""Which checks the settings ask for, and under which names they and their rules are known."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from rag_gate.config_safety import SafetyConfig
from rag_gate.detectors.secret_rules import RULES as SECRET_RULES
from rag_gate.detectors.severities import SEVERITIES
from rag_gate.errors import ConfigError
from rag_gate.files import read_text
from rag_gate.records.golden import GoldenCase
from rag_gate.safety import access, budgets, forbidden, personal_data, refusing, secrets
from rag_gate.safety.findings import Check
from rag_gate.safety.leak import check as leak
from rag_gate.safety.origin import CrossCaseIndex
from rag_gate.safety.output import check as output
from rag_gate.safety.rules import check as rules
from rag_gate.safety.rules.check import applies


def _always(case: GoldenCase) -> bool:
    del case
    return True


class Named(NamedTuple):
    """A check under the name that settings and findings use.

    Attributes:
        name: as in ``SafetyFinding.check``.
        check: the check.
        looks_at: whether the check has anything to look for in a case.
    """

    name: str
    check: Check
    looks_at: Callable[[GoldenCase], bool] = _always


def checks_of(config: SafetyConfig, cases: Iterable[GoldenCase] = ()) -> list[Named]:
    """Return the checks that the settings do not switch off.

    Args:
        config: the settings.
        cases: the golden set; what one user wrote is no other's to see.

    Raises:
        ConfigError: if ``severity`` names no check and no rule.
        InputError: if the file of instructions cannot be read.
    """
    _refuse_unknown(config)
    found = [named for named in _all(config, cases) if config.severity.get(named.name) != "ignore"]
    if all(ruling == "ignore" for ruling in config.refusal.model_dump().values()):
        found = [named for named in found if named.name != refusing.CHECK]
    return found


def _all(config: SafetyConfig, cases: Iterable[GoldenCase]) -> Iterator[Named]:
    prompts, canaries = _prompts(config), config.leak.canaries
    restricted = config.access.allowed_classes is not None
    limited = any(limit is not None for limit in config.budgets.model_dump(exclude={"severity"}).values())
    yield Named(forbidden.CHECK, forbidden.check_forbidden, lambda case: bool(case.negative_assertions))
    if config.personal_data.enabled:
        others = CrossCaseIndex(cases)
        yield Named(personal_data.CHECK, personal_data.personal_data_check(config.personal_data, others))
    if config.secrets.enabled:
        yield Named(secrets.CHECK, secrets.secrets_check(config.secrets))
    yield Named(output.CHECK, output.output_check(config.output))
    yield Named(refusing.CHECK, refusing.refusal_check(config.refusal))
    yield Named(
        leak.CHECK,
        leak.leak_check(prompts, canaries, config.leak.public),
        lambda case: bool(prompts or canaries or case.system_prompt or case.canaries),
    )
    yield Named(
        access.CHECK,
        access.access_check(config.access),
        lambda case: restricted or bool(case.allowed_classes or case.tenant),
    )
    yield Named(budgets.CHECK, budgets.budget_check(config.budgets), lambda _: limited)
    own = config.rules
    yield Named(rules.CHECK, rules.rules_check(own), lambda case: any(map(partial(applies, case), own)))


def _prompts(config: SafetyConfig) -> list[str]:
    path = config.leak.system_prompt
    return [] if path is None else [read_text(path)]


#: Check -> its rules; those of ``rules`` are the user's.
RULES: Mapping[str, tuple[str, ...]] = {
    forbidden.CHECK: forbidden.RULES,
    personal_data.CHECK: tuple(sorted(SEVERITIES)),
    secrets.CHECK: tuple(sorted({rule.type for rule in SECRET_RULES} | {"PASSWORD", "GENERIC_SECRET"})),
    output.CHECK: output.RULES,
    refusing.CHECK: refusing.RULES,
    leak.CHECK: leak.RULES,
    access.CHECK: access.RULES,
    budgets.CHECK: budgets.RULES,
    rules.CHECK: (),
}


def _refuse_unknown(config: SafetyConfig) -> None:
    known = {name for check, names in RULES.items() for name in (check, *names)}
    known |= {rule.id for rule in config.rules} | {rule.id for rule in config.secrets.rules}
    known |= config.personal_data.presidio.entities.keys() if config.personal_data.presidio else set()
    unknown = sorted(set(config.severity) - known)
    if unknown:
        raise ConfigError(
            f"safety.severity: '{unknown[0]}' is neither a check nor a rule; known are {', '.join(sorted(known))}"
        )
