"""How long a service asks to wait (RFC 9110, section 10.2.3, and OpenAI's header in milliseconds)."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds to wait, None where the headers do not say.

    Args:
        headers: of the reply, with lower-case names.
        now: what dates are compared with; by default the time now.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    stated = headers.get("retry-after")
    seconds = _number(stated)
    return seconds if seconds is not None else _until(stated, now or datetime.now(UTC))


def _number(stated: str | None) -> float | None:
    try:
        value = float(stated or "")
    except ValueError:
        return None
    return max(0.0, value) if not math.isnan(value) else None


def _until(stated: str | None, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(stated or "")
    except ValueError:
        return None
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (zoned - now).total_seconds())
