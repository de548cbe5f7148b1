"""Put together what decides: settings, labels and baseline of the base commit, with the pull request's run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from rag_gate.config import load_config
from rag_gate.config_models import Config, is_hub_name
from rag_gate.dataset import GoldenSet, load_golden
from rag_gate.dataset.kept_run import kept_path
from rag_gate.errors import ConfigError, NotJudgedError
from rag_gate.files import canonical_json, parse_json, read_bytes, write_text
from rag_gate.github.golden_changes import GoldenChanges, golden_changes, write_golden, write_inline_run
from rag_gate.github.overlay import Changed, Overlay, about_changed, rule_paths
from rag_gate.history import history_path
from rag_gate.records.golden import GoldenCase
from rag_gate.yaml_reader import read_yaml


@dataclass(frozen=True)
class Inputs:
    """What a verdict is made from.

    Attributes:
        config: the settings file that decides.
        dataset: golden set that decides; None = the one in the settings.
        run: the pull request's run; None = the rows of the golden set hold it.
        baseline: what is compared with; None = the one in the settings.
        output: folder of the written files.
        changed: files that decide, where the pull request has others.
        golden: what it does to the golden set.
        added: its new cases, which are shown and do not gate.
        base: the commit that decides; None = the checkout decides.
        proposed_baseline: path of the pull request's own baseline in the repository, where it has another one.
        notices: what a reader should know about all that.
        is_first: the base commit has no settings: the pull request brings the gate.
    """

    config: Path
    output: Path
    dataset: str | None = None
    run: str | None = None
    baseline: Path | None = None
    changed: Changed = field(default_factory=dict)
    golden: GoldenChanges = field(default_factory=GoldenChanges)
    added: Mapping[str, GoldenCase] = field(default_factory=dict)
    base: str | None = None
    proposed_baseline: str | None = None
    notices: tuple[str, ...] = ()
    is_first: bool = False


@dataclass(frozen=True)
class Given:
    """What the workflow says.

    Attributes:
        config: the settings file.
        run: a run beside the settings, None = the one in them.
        baseline: a baseline beside the settings, None = the one in them.
        output: folder to write to, None = the one in the settings.
        max_cost_usd: limit of the judge's cost, None = the one in the settings.
    """

    config: Path
    run: str | None = None
    baseline: Path | None = None
    output: Path | None = None
    max_cost_usd: float | None = None


def own_inputs(given: Given, *notices: str, is_first: bool = False) -> Inputs:
    """Return the checkout's own files as what decides: it is reviewed already, or there is nothing else."""
    config = load_config(given.config)
    return Inputs(
        config=given.config,
        output=given.output or config.output,
        run=given.run,
        baseline=given.baseline,
        notices=notices,
        is_first=is_first,
    )


def trusted_inputs(given: Given, overlay: Overlay) -> Inputs:
    """Return the base commit's files as what decides about the run in the work tree.

    Raises:
        RagGateError: if a file of the base, or the pull request's version of one, cannot be used.
    """
    rules = trusted_rules(given, overlay)
    name = overlay.inside(given.config) or ""
    if rules is None:
        return own_inputs(
            given,
            f"the base commit has no {name}: this pull request brings the gate, so its own files decide this once",
            is_first=True,
        )
    config = rules.config
    own = load_config(overlay.here(name)) if overlay.here(name).is_file() else None
    removed = [] if own is not None else [f"this pull request removes {name}; the base commit's decides"]
    golden = _golden(given, config, own or config, overlay)
    return Inputs(
        config=rules.path,
        output=given.output or overlay.here(overlay.inside(config.output) or str(config.output)),
        dataset=golden.dataset,
        run=golden.run,
        baseline=rules.baseline,
        changed=overlay.changed,
        golden=golden.changes,
        added=golden.added,
        base=overlay.base.commit,
        proposed_baseline=_proposed(rules.baseline, overlay),
        notices=(*removed, *rules.notices, *about_changed(overlay.changed), *golden.changes.sentences()),
    )


class Rules(NamedTuple):
    """Settings and baseline of the base commit; the settings' labels stand beside them."""

    path: Path
    config: Config
    baseline: Path | None
    notices: tuple[str, ...]


def trusted_rules(given: Given, overlay: Overlay) -> Rules | None:
    """Take out of the base commit all that decides; None where it has no settings.

    Raises:
        RagGateError: if one of the files cannot be used.
    """
    name = overlay.inside(given.config)
    if name is None:
        raise ConfigError(
            f"{given.config}: is outside the repository, so no commit can vouch for it; move it inside"
        )
    path = overlay.take(name)
    if path is None:
        return None
    _take_first(path, overlay)
    config = load_config(path)
    for rule in rule_paths(config):
        _take(overlay, rule)
    baseline = _baseline(given, config, overlay)
    notices = []
    if baseline is None and (given.baseline or config.baseline) is not None:
        notices.append(
            "the base commit has no baseline yet, so nothing is compared; promote one on its branch"
        )
    _write_settings(path, config, given.max_cost_usd, keep_baseline=baseline is not None)
    return Rules(path, config, baseline, tuple(notices))


def _take_first(config: Path, overlay: Overlay) -> None:
    """Take what must be there when the settings are read: the business rules, which become part of them, and the set."""
    raw = read_yaml(config)
    safety = raw.get("safety")
    rules = safety.get("rules") if isinstance(safety, Mapping) else None
    if isinstance(rules, str):
        _take(overlay, config.parent / rules)
    _take_dataset(config.parent, raw.get("dataset"), overlay)


def _take_dataset(folder: Path, dataset: object, overlay: Overlay) -> None:
    """Take the golden set: ``data/golden`` is a path where there is a folder ``data``."""
    name = overlay.inside(folder / dataset) if isinstance(dataset, str) else None
    if name is None or (overlay.take(name) is not None):
        return
    if overlay.here(name).parent.is_dir():
        (overlay.folder / name).parent.mkdir(parents=True, exist_ok=True)


def _take(overlay: Overlay, path: Path) -> Path | None:
    """Take a file of the settings; one outside the repository is the workflow's own business."""
    name = overlay.inside(path)
    return path if name is None else overlay.take(name)


def _baseline(given: Given, config: Config, overlay: Overlay) -> Path | None:
    """Take the baseline with its history and the copy of its run; None where the base has none."""
    wanted = given.baseline or config.baseline
    path = _take(overlay, wanted) if wanted is not None else None
    if path is None or overlay.inside(path) is None:
        return path
    _take(overlay, history_path(path))
    document = parse_json(read_bytes(path), str(path))
    kept = document.get("kept_run") if isinstance(document, dict) else None
    if isinstance(kept, str) and kept.isalnum():
        _take(overlay, kept_path(path, kept))
    return path


def _proposed(baseline: Path | None, overlay: Overlay) -> str | None:
    name = overlay.inside(baseline) if baseline is not None else None
    return name if name in overlay.changed else None


def _write_settings(path: Path, config: Config, max_cost_usd: float | None, *, keep_baseline: bool) -> None:
    """Write the settings as they apply; JSON is YAML as well."""
    raw: dict[str, Any] = read_yaml(path)
    if not keep_baseline:
        raw.pop("baseline", None)
    if max_cost_usd is not None and config.judge.engine not in {"lexical", "none"}:
        raw["judge"] = {**raw.get("judge", {}), "max_cost_usd": max_cost_usd}
    write_text(path, canonical_json(raw))


class _Golden(NamedTuple):
    dataset: str | None = None
    run: str | None = None
    changes: GoldenChanges = GoldenChanges()
    added: Mapping[str, GoldenCase] = MappingProxyType({})


def _golden(given: Given, config: Config, own: Config, overlay: Overlay) -> _Golden:
    """Return golden set, run, and what the pull request does to the golden set."""
    run = given.run or _here(config.run, overlay)
    if config.dataset is None or is_hub_name(config.dataset, overlay.folder):
        return _Golden(run=run)
    if not Path(config.dataset).exists():
        name = overlay.inside(Path(config.dataset))
        raise NotJudgedError(
            f"the base commit's settings name {name}, and the base commit has no such file; correct it there"
        )
    base = load_golden(config.dataset, "extended")
    head = _head_golden(own, overlay, base)
    changes = golden_changes(base, head, config.gate.removed_ok)
    dataset = None
    if base.run_rows or changes.acknowledged:
        kept = {key: case for key, case in base.cases.items() if key not in changes.acknowledged}
        dataset = write_golden(overlay.folder / ".rag-gate" / "golden.jsonl", kept)
    if run is None:
        run = write_inline_run(overlay.folder / ".rag-gate" / "run.jsonl", head)
    return _Golden(dataset, run, changes, {key: head.cases[key] for key in changes.added})


def _head_golden(own: Config, overlay: Overlay, base: GoldenSet) -> GoldenSet:
    """Return the pull request's golden set; one that it took away holds no case."""
    if own.dataset is None:
        return base
    name = overlay.inside(Path(own.dataset))
    path = str(overlay.here(name)) if name is not None else own.dataset
    if is_hub_name(own.dataset, overlay.root):
        return base
    return load_golden(path, "extended")


def _here(path: Path | None, overlay: Overlay) -> str | None:
    if path is None:
        return None
    name = overlay.inside(path)
    return str(overlay.here(name) if name is not None else path)
