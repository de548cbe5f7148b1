"""Presidio's recognisers as an addition to ours: no language model, no download.

Presidio does not see a value that Japanese stands right beside, since its patterns end at word edges; so
it is asked about a copy in which Japanese is blank.
"""

import logging
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rag_gate.config_privacy import PresidioConfig
from rag_gate.detectors.model import Hit, Spans
from rag_gate.detectors.personal import Found, to_original
from rag_gate.errors import ConfigError, MissingExtraError
from rag_gate.folding import fold

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine

_OUR_NAMES = {
    "PHONE_NUMBER": "PHONE",
    "IBAN_CODE": "IBAN",
    "IP_ADDRESS": "IP",
    "US_BANK_NUMBER": "US_BANK_ACCOUNT",
}
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
#: Presidio asks the network for the list of public suffixes to check these; our own detectors find them.
_ASKS_THE_NETWORK = frozenset({"EMAIL_ADDRESS", "URL"})
Finder = Callable[[str, Sequence[Found]], list[Found]]


def presidio_finder(config: PresidioConfig) -> Finder:
    """Return what asks Presidio for the entities of the settings; what we found already is left out.

    Raises:
        MissingExtraError: if Presidio is not installed.
        ConfigError: if an entity has no recogniser that works without a model.
    """
    wanted = sorted(config.entities)
    online = sorted(_ASKS_THE_NETWORK & set(wanted))
    if online:
        raise ConfigError(
            f"safety.personal_data.presidio.entities: {online[0]} makes Presidio ask the network; remove it, "
            "addresses are found without Presidio"
        )
    analyzer = _analyzer(config)
    unknown = sorted(set(wanted) - set(analyzer.get_supported_entities(config.language)))
    if unknown:
        raise ConfigError(
            f"safety.personal_data.presidio.entities: '{unknown[0]}' has no recogniser without a language model"
        )

    def find(text: str, known: Sequence[Found]) -> list[Found]:
        folded = fold(text, case=False, verbatim=True)
        plain = _NOT_ASCII.sub(" ", folded.text)
        hits = [
            Hit(_OUR_NAMES.get(item.entity_type, item.entity_type), item.start, item.end, frozenset({plain[item.start : item.end].casefold()}))
            for item in analyzer.analyze(plain, language=config.language, entities=wanted)
            if item.score >= config.entities[item.entity_type]
        ]  # fmt: skip
        taken = Spans()
        for found in known:
            taken.take(found.start, found.end)
        return [found for found in to_original(folded, hits) if taken.take(found.start, found.end)]

    return find


def _analyzer(config: PresidioConfig) -> "AnalyzerEngine":
    try:
        from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
        from presidio_analyzer.nlp_engine import NlpEngineProvider
    except ModuleNotFoundError:
        raise MissingExtraError("safety.personal_data.presidio", "rag-gate[presidio]") from None
    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
    models = [{"lang_code": config.language, "model_name": "no_op"}]
    engine = NlpEngineProvider(
        nlp_configuration={"nlp_engine_name": "no_op", "models": models}
    ).create_engine()
    registry = RecognizerRegistry(supported_languages=[config.language])
    registry.load_predefined_recognizers(languages=[config.language], nlp_engine=engine)
    return AnalyzerEngine(registry=registry, nlp_engine=engine, supported_languages=[config.language])
