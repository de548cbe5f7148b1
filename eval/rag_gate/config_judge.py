"""The part ``judge`` of rag-gate.yml. Every option is documented where it is declared."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from rag_gate.config_base import Flag, NoFlag, PositiveInt, Settings
from rag_gate.late import Late

_VARIABLE = Late(r"[A-Za-z_][A-Za-z0-9_]{0,99}")


def _variable(name: str) -> str:
    if name and not _VARIABLE.fullmatch(name):
        raise ValueError(
            "must be the name of an environment variable such as JUDGE_KEY, and not the key itself"
        )
    return name


def _some(names: tuple[str, ...]) -> tuple[str, ...]:
    if not names or len(names) > len(set(names)):
        raise ValueError("must name at least one metric, and none twice")
    return names


Provider = Literal["openai", "anthropic", "command", "replay"]
RagasMetric = Literal["faithfulness", "answer_relevancy", "context_precision", "context_recall"]
_Variable = Annotated[str, AfterValidator(_variable)]
_Seconds = Annotated[float, Field(gt=0, le=604_800), NoFlag]
_Name = Annotated[str, Field(min_length=1, max_length=200)]
_RAGAS_METRICS: tuple[RagasMetric, ...] = ("faithfulness", "context_precision", "context_recall")
_HTTP = ("openai", "anthropic")


class CheapModel(Settings):
    """The cheap model of a cascade: asked first, and what it passes is not asked again.

    Attributes:
        model: its name, a version that the map of models holds.
        provider: as ``judge.provider``.
        base_url: as ``judge.base_url``; by default the strong model's where both have the same provider.
        api_key_env: as ``judge.api_key_env``, likewise.
    """

    model: _Name
    provider: Literal["openai", "anthropic"] | None = None
    base_url: str | None = Field(default=None, repr=False)
    api_key_env: _Variable | None = None


class CacheConfig(Settings):
    """Where verdicts are kept between runs.

    Attributes:
        enabled: false asks everything anew and keeps nothing.
        path: folder; by default ``$RAG_GATE_CACHE_DIR``, else ``rag-gate/judge`` in the user's cache folder.
        ttl_days: older verdicts are asked for again.
        max_mb: size of the folder; the oldest verdicts go first.
    """

    enabled: Flag = True
    path: Path | None = None
    ttl_days: Annotated[float, Field(gt=0, le=36_500), NoFlag] = 30
    max_mb: Annotated[float, Field(gt=0, le=1_000_000), NoFlag] = 100


class RagasConfig(Settings):
    """How ragas is run, for ``engine: ragas``.

    Attributes:
        metrics: some of faithfulness, answer_relevancy, context_precision, context_recall; answer_relevancy needs
            ``embedding_model``.
        embedding_model: a model behind OpenAI's wire format.
        embedding_base_url: its address; by default the judge's.
        embedding_api_key_env: environment variable with its key; by default the judge's.
        japanese_prompts: folder of prompts that ragas adapted to Japanese and saved, for the Japanese cases.
        python: interpreter that has ragas; by default the one that runs rag-gate.
    """

    metrics: Annotated[tuple[RagasMetric, ...], AfterValidator(_some)] = _RAGAS_METRICS
    embedding_model: str | None = None
    embedding_base_url: str | None = Field(default=None, repr=False)
    embedding_api_key_env: _Variable | None = None
    japanese_prompts: Path | None = None
    python: Path | None = None


class JudgeConfig(Settings):
    """Stage 2.

    Attributes:
        engine: ``lexical`` (offline, deterministic), ``llm`` (a language model), ``ragas``, or ``none`` (the stage is
            left out). Where a model is named, ``llm`` is the default.
        model: the judge, a version that the map of models holds, such as gpt-4o-2024-11-20.
        models: file with models of your own, in the form of the shipped ``config/models.yml``.
        prompt: version of the prompts; refused where the model is mapped to another one. By default the mapped one.
        provider: ``openai`` and ``anthropic`` are wire formats that many services speak; ``command`` runs a program
            for each prompt; ``replay`` reads recorded replies. By default what the map of models says.
        base_url: address of the service, never printed; by default the provider's own.
        api_key_env: name of the environment variable with the key; by default the provider's usual one, which is only
            sent to the provider's own address; ``""`` where no key is needed.
        command: program and arguments for ``provider: command``; no shell is involved.
        recording: file of recorded replies: read with ``provider: replay``, else each reply is appended to it.
        mode: ``single`` asks everything about a case in one request, ``split`` each metric in its own.
        cascade: a cheap model that is asked first; only cases that it fails or is unsure about are decided by the
            judge. Null = no cascade.
        repeats: how often each case is judged; the (lower) median of each metric counts, and the spread is reported.
        confirm: a case that is judged wrong or unfaithful is judged twice more on the same stored answer, and two of
            the three verdicts decide.
        canary: also judge a wrong answer that asks to be passed; if it is passed, the run has no verdict.
        concurrency: requests in flight at a time, at most.
        requests_per_minute: in any 60 seconds, at most; null = no limit.
        tokens_per_minute: of prompts and replies together; null = no limit.
        timeout_s: limit of one request, in seconds.
        deadline_s: limit of the whole stage, in seconds.
        max_attempts: requests for one reply, at most; only errors that may pass are asked again.
        max_calls: prompts put to models, at most; what is left then is unscored, and the run has no verdict. Each
            shard has this limit for itself.
        max_cost_usd: USD, at most, likewise. Room for the worst case is kept free before each request, and what a
            service does not tell counts as that.
        cache: where verdicts are kept between runs, see below.
        ragas: for ``engine: ragas``, see below.
        calibration: for ``engine: lexical``, the file of ``rag-gate calibrate judge``; results then say on how many
            labels the judge is calibrated.
    """

    engine: Literal["lexical", "llm", "ragas", "none"] = "lexical"
    model: _Name | None = None
    models: Path | None = None
    prompt: str | None = None
    provider: Provider | None = None
    base_url: str | None = Field(default=None, repr=False)
    api_key_env: _Variable | None = None
    command: tuple[str, ...] = ()
    recording: Path | None = None
    mode: Literal["single", "split"] = "single"
    cascade: CheapModel | None = None
    repeats: Annotated[int, Field(ge=1, le=9, strict=True)] = 1
    confirm: Flag = False
    canary: Flag = True
    concurrency: Annotated[int, Field(ge=1, le=256, strict=True)] = 16
    requests_per_minute: PositiveInt | None = None
    tokens_per_minute: PositiveInt | None = None
    timeout_s: _Seconds = 60
    deadline_s: _Seconds = 600
    max_attempts: Annotated[int, Field(ge=1, le=10, strict=True)] = 4
    max_calls: Annotated[int, Field(ge=0, strict=True)] | None = None
    max_cost_usd: Annotated[float, Field(ge=0), NoFlag] | None = None
    cache: CacheConfig = CacheConfig()
    ragas: RagasConfig = RagasConfig()
    calibration: Path | None = None

    @model_validator(mode="before")
    @classmethod
    def _model_means_llm(cls, value: Any) -> Any:  # noqa: ANN401 - checked by the fields' own types
        if isinstance(value, dict) and value.get("model") is not None and "engine" not in value:
            return {**value, "engine": "llm"}
        return value

    @model_validator(mode="after")
    def _fits_together(self) -> "JudgeConfig":
        needs_model = self.engine in {"llm", "ragas"}
        if needs_model and self.model is None:
            raise ValueError(f"engine {self.engine} needs 'model', such as gpt-4o-2024-11-20")
        if not needs_model and self.model is not None:
            raise ValueError(f"engine {self.engine} takes no 'model'; say engine: llm, or remove it")
        if self.engine == "ragas" and (self.max_calls is not None or self.max_cost_usd is not None):
            raise ValueError(
                "ragas cannot be held to max_calls or max_cost_usd; remove them, or use engine llm"
            )
        if self.cascade is not None and self.engine != "llm":
            raise ValueError("'cascade' is for engine llm; remove it")
        if bool(self.command) != (self.provider == "command"):
            raise ValueError("'command' and 'provider: command' go together; give both or none")
        if self.provider == "replay" and self.recording is None:
            raise ValueError("provider replay needs 'recording', a file of recorded replies")
        if self.base_url is not None and self.provider not in (*_HTTP, None):
            raise ValueError(f"provider {self.provider} has no address; remove 'base_url'")
        if self.confirm and self.repeats > 1:
            raise ValueError(
                "'confirm' judges failing cases again, 'repeats' all of them; give one of the two"
            )
        if self.cascade is not None and self.cascade.model == self.model:
            raise ValueError("the cheap model of 'cascade' is the judge itself; name another one")
        return self

    @model_validator(mode="after")
    def _calibration_is_of_the_offline_judge(self) -> "JudgeConfig":
        if self.calibration is not None and self.engine != "lexical":
            raise ValueError("'calibration' is for engine lexical; remove it")
        return self

    def below(self, base: Path) -> "JudgeConfig":
        """Return the settings with relative paths made relative to a folder."""
        ragas = {
            key: base / path for key in ("japanese_prompts", "python") if (path := getattr(self.ragas, key))
        }
        cache = {"path": base / self.cache.path} if self.cache.path else {}
        own = {
            key: base / path for key in ("models", "recording", "calibration") if (path := getattr(self, key))
        }
        return self.model_copy(
            update={
                **own,
                "cache": self.cache.model_copy(update=cache),
                "ragas": self.ragas.model_copy(update=ragas),
            }
        )
