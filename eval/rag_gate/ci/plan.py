"""The jobs of a matrix: which shards a workflow starts."""

from pathlib import Path
from tempfile import TemporaryDirectory

from rag_gate.ci.options import Options
from rag_gate.ci.rules import inputs_for
from rag_gate.ci.wording import RULES_FOLDER
from rag_gate.config import load_config
from rag_gate.dataset import load_golden
from rag_gate.dataset.shards import shards_for
from rag_gate.errors import ConfigError
from rag_gate.github.client import GitHub
from rag_gate.github.event import Context

_PER_SHARD = 100
#: GitHub starts at most 256 jobs for a matrix; more than this many shards never pay.
_MOST = 20
_LARGEST = 256


def shard_plan(options: Options, context: Context, github: GitHub | None) -> list[str]:
    """Return the shards of the golden set that decides, such as ``["1/2", "2/2"]``.

    Raises:
        ConfigError: if the number of shards that was asked for cannot be.
        RagGateError: if the golden set cannot be read.
    """
    if options.shard:
        return _asked(options.shard)
    with TemporaryDirectory(prefix=RULES_FOLDER) as folder:
        inputs = inputs_for(options, context, github, Path(folder))
        dataset = inputs.dataset or load_config(inputs.config).dataset
        if dataset is None:
            raise ConfigError(f"{options.config}: no golden set is named; name it under 'dataset'")
        cases = len(load_golden(dataset, options.tier or context.tier).cases)
    return shards_for(cases, _PER_SHARD, _MOST)


def _asked(text: str) -> list[str]:
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text[:4]) <= _LARGEST:
        raise ConfigError(
            f"--shard: with --mode plan, the number of shards from 1 to {_LARGEST}, found '{text[:40]}'"
        )
    return shards_for(int(text), 1, _LARGEST)
