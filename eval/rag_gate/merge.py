"""Join the evaluators' files (and shards of them) into results; prove that nothing is missing."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from rag_gate.classify import classify
from rag_gate.errors import NotJudgedError
from rag_gate.files import canonical_json, json_lines, write_text
from rag_gate.judging import joined_judging
from rag_gate.measures import STAGES
from rag_gate.partials import Tally, read_partial
from rag_gate.records.partial import CaseScore, Partial, StageName
from rag_gate.records.results import AnswerRule, Results

Named = tuple[str, Partial]
#: What every shard counts over the whole run.
_OF_THE_RUN = frozenset({"unknown", "recorded_aside"})


def merge_files(
    paths: Sequence[Path],
    output: Path,
    stages: Collection[StageName] = STAGES,
    answer_rule: AnswerRule = "auto",
) -> Results:
    """Read partials, merge them and write the results file.

    Raises:
        InputError: if a file is not a partial.
        NotJudgedError: if the files do not belong together or something is missing.
    """
    results = merge([(str(path), read_partial(path)) for path in paths], stages, answer_rule)
    write_results(output, results)
    return results


def write_results(path: Path, results: Results) -> None:
    """Write results atomically: one line of header, then one line per case."""
    document = results.model_dump(mode="json", exclude_none=False)
    lists = {name: document.pop(name) for name in ("cases", "extended_retrieval")}
    parts = [f',"{name}":{json_lines(rows)}' for name, rows in lists.items() if rows or name == "cases"]
    write_text(path, f"{canonical_json(document)[:-1]}{''.join(parts)}}}\n")


def merge(
    partials: Sequence[Named], stages: Collection[StageName], answer_rule: AnswerRule = "auto"
) -> Results:
    """Join partials of all stages.

    Args:
        partials: (name for messages, partial).
        stages: the stages that must be there.
        answer_rule: what makes an answer right.

    Raises:
        NotJudgedError: different dataset or run, unknown, duplicate or missing shard, missing stage.
    """
    by_stage = _group(partials)
    _require_stages(by_stage, stages)
    _same_input(partials)
    joined = {stage: _join_shards(stage, by_stage[stage]) for stage in STAGES if stage in by_stage}
    extended = _join_extended(by_stage.get("retrieval", []), joined)
    first = partials[0][1]
    cases = classify(joined, answer_rule)
    metrics = {
        name: tally.summary(missing_counts_zero=stage == "retrieval")
        for stage, rows in joined.items()
        for name, tally in sorted(
            _tallies([*rows.values(), *(extended if stage == "retrieval" else [])]).items()
        )
    }
    return Results(
        dataset=first.dataset,
        run=first.run,
        stages={stage: by_stage[stage][0][1].evaluator for stage in joined},
        answer_ok_rule=answer_rule,
        counts=_counts(next(iter(by_stage.values()))),
        judging=joined_judging(part.judging for _, part in partials),
        scores={name: summary.mean for name, summary in metrics.items()},
        metrics=metrics,
        statuses=dict(sorted(Counter(case.status for case in cases).items())),
        cases=cases,
        extended_retrieval=extended,
    )


def _group(partials: Sequence[Named]) -> dict[StageName, list[Named]]:
    groups: dict[StageName, list[Named]] = {}
    for name, partial in partials:
        groups.setdefault(partial.kind, []).append((name, partial))
    return groups


def _require_stages(found: Mapping[StageName, object], wanted: Collection[StageName]) -> None:
    absent = [stage for stage in STAGES if stage in wanted and stage not in found]
    if absent:
        have = ", ".join(found) or "none"
        are, its, it_is = (
            ("is", "its file", "it is") if len(absent) == 1 else ("are", "their files", "they are")
        )
        raise NotJudgedError(
            f"merge: stage {' and '.join(absent)} {are} missing (given: {have}); add {its}, "
            f"or say --stages {','.join(found) or 'retrieval'} if {it_is} not to be measured"
        )


def _same_input(partials: Sequence[Named]) -> None:
    first_name, first = partials[0]
    for name, partial in partials[1:]:
        if partial.dataset != first.dataset:
            raise NotJudgedError(
                f"merge: {first_name} and {name} measured different golden sets (fingerprints "
                f"{first.dataset.fingerprint[:12]} and {partial.dataset.fingerprint[:12]}, tiers "
                f"{first.dataset.tier} and {partial.dataset.tier}); run both stages on the same set"
            )
        if partial.run != first.run:
            raise NotJudgedError(
                f"merge: {first_name} and {name} measured different runs (fingerprints "
                f"{first.run.fingerprint[:12]} and {partial.run.fingerprint[:12]}); run both on the same run"
            )


def _join_shards(stage: StageName, parts: Sequence[Named]) -> dict[str, CaseScore]:
    first_name, first = parts[0]
    total = first.shard.total
    taken: dict[int, str] = {}
    for name, part in parts:
        if part.evaluator != first.evaluator:
            raise NotJudgedError(
                f"merge: {first_name} and {name} were measured with different settings of stage '{stage}'; "
                "run all shards with the same settings"
            )
        if part.shard.total != total:
            raise NotJudgedError(f"merge: {name} is of {part.shard.total} shards, {first_name} of {total}")
        if part.shard.index > total:
            raise NotJudgedError(
                f"merge: {name} is shard {part.shard.index} of {total}; there is no such shard"
            )
        if part.shard.index in taken:
            raise NotJudgedError(
                f"merge: shard {part.shard.index}/{total} of stage '{stage}' is given twice "
                f"({taken[part.shard.index]} and {name}); give each once"
            )
        taken[part.shard.index] = name
    absent = sorted(set(range(1, total + 1)) - taken.keys())
    if absent:
        named = ", ".join(f"{index}/{total}" for index in absent)
        raise NotJudgedError(f"merge: shard {named} of stage '{stage}' is missing; was that job cancelled?")
    return _all_cases(stage, parts)


def _all_cases(stage: StageName, parts: Sequence[Named]) -> dict[str, CaseScore]:
    rows: dict[str, CaseScore] = {}
    for name, part in parts:
        for case in part.cases:
            if case.question_id in rows:
                raise NotJudgedError(
                    f"merge: {name}: case '{case.question_id}' was measured twice in stage '{stage}'"
                )
            rows[case.question_id] = case
    expected = parts[0][1].dataset.n_cases
    if len(rows) != expected:
        raise NotJudgedError(f"merge: stage '{stage}' holds {len(rows)} of {expected} cases; run it again")
    return dict(sorted(rows.items()))


def _join_extended(
    parts: Sequence[Named], joined: Mapping[StageName, Mapping[str, CaseScore]]
) -> list[CaseScore]:
    """Return the cases that retrieval was measured on beside the core tier, over all its shards."""
    rows: dict[str, CaseScore] = {}
    for name, part in parts:
        if part.extended_total != parts[0][1].extended_total:
            raise NotJudgedError(f"merge: {name} measured other extended cases than {parts[0][0]}")
        for row in part.extended_retrieval:
            if row.question_id in rows or row.question_id in joined["retrieval"]:
                raise NotJudgedError(
                    f"merge: {name}: case '{row.question_id}' was measured twice in stage 'retrieval'"
                )
            rows[row.question_id] = row
    if parts and len(rows) != parts[0][1].extended_total:
        raise NotJudgedError(
            f"merge: stage 'retrieval' holds {len(rows)} of {parts[0][1].extended_total} extended cases; run it again"
        )
    return [rows[key] for key in sorted(rows)]


def _tallies(rows: Iterable[CaseScore]) -> dict[str, Tally]:
    tallies: dict[str, Tally] = {}
    for case in rows:
        for name, value in case.scores.items():
            tally = tallies.setdefault(name, Tally())
            if value is None:
                tally.reasons[case.reasons.get(name, "unknown")] += 1
            else:
                tally.values.append(value)
    return tallies


def _counts(parts: Iterable[Named]) -> dict[str, int]:
    totals: Counter[str] = Counter()
    whole: dict[str, int] = {"unknown": 0}
    for _, part in parts:
        totals.update({key: value for key, value in part.counts.items() if key not in _OF_THE_RUN})
        for key in _OF_THE_RUN & part.counts.keys():
            whole[key] = max(whole.get(key, 0), part.counts[key])
    return {**totals, **whole}
