"""See fixtures.py; mypy takes one conftest only."""

from fixtures import act, action, api, app, bare_app

__all__ = ["act", "action", "api", "app", "bare_app"]
