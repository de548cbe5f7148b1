"""Whether the judge of the settings needs a key that is not there."""

from collections.abc import Iterator, Mapping

from rag_gate.config_judge import JudgeConfig
from rag_gate.judge.llm.build import backend_settings, chosen_models
from rag_gate.judge.llm.clients.endpoint import USUAL_VARIABLE
from rag_gate.judge.llm.clients.settings import BackendSettings
from rag_gate.judge.ragas.build import ragas_settings

_ENGINES = frozenset({"llm", "ragas"})


def missing_key(judge: JudgeConfig, environ: Mapping[str, str]) -> str | None:
    """Return the name of a variable that the judge needs and that is not set; None where nothing is missing.

    Which service a model belongs to is what the map of models says.

    Raises:
        ConfigError: if a model may not judge.
        InputError: if the user's map of models cannot be read.
    """
    if judge.engine not in _ENGINES:
        return None
    names = (_variable(service) for service in _services(judge))
    return next((name for name in names if name and not environ.get(name, "").strip()), None)


def _services(judge: JudgeConfig) -> Iterator[BackendSettings]:
    """Yield all services that may be asked."""
    strong, cheap = chosen_models(judge)
    if judge.engine == "ragas":
        settings = ragas_settings(judge, strong)
        yield settings.judge
        if settings.embeddings is not None:
            yield settings.embeddings
        return
    for chosen in (strong, cheap):
        if chosen is not None:
            yield backend_settings(chosen, judge)


def _variable(service: BackendSettings) -> str | None:
    """Return the variable with a service's key.

    Where none is named, no usual key is sent to an address of the user's own: a service on this machine needs none, and
    of any other the judge says that it must be named.
    """
    usual = USUAL_VARIABLE.get(service.provider)
    if usual is None:
        return None  # a program, or a recording
    if service.api_key_env is not None:
        return service.api_key_env or None
    return usual if service.base_url is None else None
