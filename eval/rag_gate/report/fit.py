"""Make a comment fit: fewer rows, then fewer folded blocks; verdict and deciding metrics stay."""

from dataclasses import replace

from rag_gate.report.model import CommentView, DetailKind

_FEW_ROWS = 5
_FEW_LINES = 3
#: Which folded block goes first.
_DROP: tuple[DetailKind, ...] = (
    "ids", "trend", "judge", "power", "scores", "statuses", "slices", "cases", "facts", "commands",
)  # fmt: skip


def smaller_views(view: CommentView) -> list[CommentView]:
    """Return ever smaller views, cut by whole rows and whole blocks, the largest first."""
    views = [view]
    most = _longest(view)
    while most > _FEW_ROWS:
        most = max(most * 9 // 10, _FEW_ROWS)
        views.append(_capped(view, most))
    for kind in _DROP:
        views.append(_without(views[-1], kind))
    for few in range(min(most, _FEW_ROWS) - 1, -1, -1):
        views.append(_capped(views[-1], few))
    views.append(_bare(views[-1]))
    while len(views[-1].metrics.rows) > 1:
        metrics = views[-1].metrics
        views.append(replace(views[-1], metrics=metrics.capped(len(metrics.rows) * 9 // 10)))
    return views[1:]


def _bare(view: CommentView) -> CommentView:
    return replace(
        view,
        problems=view.problems.capped(_FEW_LINES),
        notices=view.notices.capped(_FEW_LINES),
        changed=view.changed.capped(_FEW_LINES),
        detectable=view.detectable.capped(0),
        worsened=(),
    )


def _longest(view: CommentView) -> int:
    lengths = [
        *(len(table.cases.rows) for table in view.tables),
        *(len(metric.cases.rows) for metric in view.worsened),
        *(len(detail.rows.rows) for detail in view.details),
    ]
    return max(lengths, default=0)


def _capped(view: CommentView, most: int) -> CommentView:
    return replace(
        view,
        tables=tuple(replace(table, cases=table.cases.capped(most)) for table in view.tables),
        worsened=tuple(replace(metric, cases=metric.cases.capped(most)) for metric in view.worsened),
        details=tuple(replace(detail, rows=detail.rows.capped(most)) for detail in view.details),
    )


def _without(view: CommentView, kind: DetailKind) -> CommentView:
    return replace(
        view,
        details=tuple(detail for detail in view.details if detail.kind != kind),
        hidden_details=(
            *view.hidden_details,
            *(detail.title for detail in view.details if detail.kind == kind),
        ),
    )
