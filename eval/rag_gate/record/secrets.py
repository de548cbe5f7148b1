"""What must stand in no file of ours: credentials of the environment."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rag_gate.calls.quoting import Quoter
from rag_gate.errors import ConfigError

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
#: May be a credential by its name: hidden in messages.
_SECRET_NAME = re.compile(r"AUTH|COOKIE|KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
#: Is one: its value stands in no record (TOKENIZER_MODEL and KEY_VAULT_NAME are none).
_CREDENTIAL_NAME = re.compile(
    r"(?:^|_)(?:API)?(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|COOKIE)(?:_?[0-9]+)?\Z", re.IGNORECASE
)
#: Shorter values stand in texts by chance.
_SHORTEST = 8


class Secrets:
    """Fills in environment variables, and finds their values where they must not be.

    Args:
        environ: environment variables.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._hidden = {value for name, value in environ.items() if _SECRET_NAME.search(name)}
        self._kept = {
            value: name
            for name, value in environ.items()
            if len(value) >= _SHORTEST and _CREDENTIAL_NAME.search(name)
        }

    def expand(self, text: str, key: str, *, is_credential: bool = False) -> str:
        """Put environment variables in the place of ``${NAME}``; their values are hidden in messages from then on.

        Args:
            text: what they stand in.
            key: of the settings, for messages.
            is_credential: whether the values must stand in no record either.

        Raises:
            ConfigError: if one is not set.
        """

        def value_of(match: re.Match[str]) -> str:
            value = self._environ.get(match[1], "").strip()
            if not value:
                raise ConfigError(
                    f"target.{key}: the environment variable {match[1]} is not set; set it, or remove ${{{match[1]}}}"
                )
            self.hide(value)
            if is_credential and len(value) >= _SHORTEST:
                self._kept[value] = match[1]
            return value

        return _VARIABLE.sub(value_of, text)

    def expand_tree(self, value: Any, key: str) -> Any:  # noqa: ANN401 - any JSON value
        """Do the same in every text of a JSON value."""
        if isinstance(value, str):
            return self.expand(value, key)
        if isinstance(value, dict):
            return {name: self.expand_tree(item, key) for name, item in value.items()}
        return [self.expand_tree(item, key) for item in value] if isinstance(value, list) else value

    def hide(self, *values: str) -> None:
        """Hide values in messages."""
        self._hidden.update(value for value in values if value)

    def quote(self, text: str) -> str:
        """Return at most 200 characters of an untrusted text, on one line, without secrets."""
        return Quoter(self._hidden)(text)

    def found_in(self, value: Any) -> str | None:  # noqa: ANN401 - any JSON value
        """Return the name of a credential whose value stands in a text of a JSON value."""
        if not self._kept:
            return None
        return next(
            (name for text in _texts(value) for secret, name in self._kept.items() if secret in text),
            None,
        )


def _texts(value: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON value
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield str(name)
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
