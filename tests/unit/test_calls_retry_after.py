from datetime import UTC, datetime

import pytest

from rag_gate.calls.retry_after import retry_after

NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "-3"}, 0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, float("inf")),
        ({"retry-after": ""}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:07 GMT"}, 7),
        ({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0),
        ({"retry-after": "Mon, 30 Nov 2026 21:00:07 +0900"}, 7),
        ({"retry-after": "Mon, 99 Nov 2026 12:00:07 GMT"}, None),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "x", "retry-after": "9"}, 9),
    ],
)
def test_what_the_headers_say(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds
