"""The process in which ragas runs: it asks its parent for every reply, and tells it every score.

Nothing here may need more than the standard library and ragas: another interpreter than the parent's may run it.
"""

import asyncio
import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from rag_gate.judge.ragas.worker_channel import Channel, Unanswered

VERSION = "0.4.3"
_INSTALL = 'pip install "rag-gate[ragas]"'


def main() -> None:
    """Do the job that the first line of standard input describes, and leave."""
    # ragas prints: what it says to standard output must not stand between our lines.
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    channel = Channel(out)
    job = channel.first_line()
    problem = _problem()
    if problem:
        channel.send({"type": "failed", **problem})
    else:
        asyncio.run(_work(job, channel))
    # Without the usual end: a thread still reads, and ragas has threads that take their time.
    os._exit(0)


def _problem() -> dict[str, Any] | None:
    """Return why ragas cannot be used here, None if it can."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        found = version("ragas")
        if found != VERSION:
            return {
                "missing": False,
                "message": f"ragas {found} is installed, {VERSION} is needed; {_INSTALL}",
            }
        import_module("rag_gate.judge.ragas.worker_metrics")
    except PackageNotFoundError:
        return {"missing": True, "message": "ragas is not installed"}
    except Exception as error:  # noqa: BLE001 - whatever a broken installation raises
        said = f"ragas cannot be imported ({type(error).__name__}: {error}); {_INSTALL}"
        return {"missing": False, "message": said}
    return None


async def _work(job: Mapping[str, Any], channel: Channel) -> None:
    from rag_gate.judge.ragas.worker_metrics import metrics_of, samples_of

    channel.listen(asyncio.get_running_loop())
    plain = metrics_of(job["metrics"], channel, None)
    adapted = (
        metrics_of(job["metrics"], channel, job["japanese_prompts"]) if job["japanese_prompts"] else plain
    )
    samples = samples_of([row["sample"] for row in job["rows"]])
    slots = asyncio.Semaphore(job["parallel"])

    async def measure(index: int, name: str) -> None:
        metric = (adapted if job["rows"][index]["japanese"] else plain)[name]
        async with slots:
            channel.send({"row": index, "metric": name, **await _outcome(metric, samples[index])})

    channel.send({"type": "ready", "version": VERSION})
    await asyncio.gather(
        *(measure(index, name) for index, row in enumerate(job["rows"]) for name in row["metrics"])
    )
    channel.send({"type": "done"})


async def _outcome(metric: Any, sample: Any) -> dict[str, Any]:  # noqa: ANN401 - ragas publishes no types
    try:
        score = float(await metric.single_turn_ascore(sample))
    except Unanswered as error:
        return {"type": "unscored", "reason": error.reason, "message": str(error)}
    except Exception as error:  # noqa: BLE001 - one case must not end the others
        said = f"ragas failed: {type(error).__name__}: {error}"
        return {"type": "unscored", "reason": "judge_error", "message": said[:500]}
    if score != score:  # noqa: PLR0124 - NaN: ragas found nothing to count in the replies
        said = "ragas found nothing to count in the model's replies (NaN)"
        return {"type": "unscored", "reason": "judge_bad_reply", "message": said}
    return {"type": "score", "value": score}


if __name__ == "__main__":
    main()
