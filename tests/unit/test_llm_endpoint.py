"""Addresses and keys: where they come from, what is refused, and that nothing of them is ever shown."""

import asyncio
import logging
import traceback
from typing import Any

import pytest

from rag_gate.errors import ConfigError
from rag_gate.judge.llm.backend import BackendError, Prompt
from rag_gate.judge.llm.clients.endpoint import Endpoint, endpoint_of
from rag_gate.judge.llm.clients.factory import backend_of
from rag_gate.judge.llm.clients.settings import BackendSettings

KEY = "sk-live-9f8e7d6c"
HOST = "judge.internal.example"
URL = f"https://ann:pa55word@{HOST}:8443/gateway/v1?tenant=blue-team"


def settings(**changes: Any) -> BackendSettings:
    return BackendSettings(**({"provider": "openai", "model": "judge-1"} | changes))


def endpoint(environ: dict[str, str] | None = None, **changes: Any) -> Endpoint:
    return endpoint_of(
        settings(**changes), {"OPENAI_API_KEY": KEY} if environ is None else environ, "chat/completions"
    )


def revealed(found: Endpoint) -> dict[str, str]:
    return {name: value.get_secret_value() for name, value in found.headers.items()}


@pytest.mark.parametrize(
    ("provider", "variable"), [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY")]
)
def test_a_missing_key_names_its_variable(provider: str, variable: str) -> None:
    with pytest.raises(ConfigError, match=f"{variable} is not set"):
        backend_of(settings(provider=provider), {variable: "  "})
    with pytest.raises(ConfigError, match="MY_KEY is not set"):
        backend_of(settings(provider=provider, api_key_env="MY_KEY"), {variable: KEY})


@pytest.mark.parametrize("key", ["sk two", "sk-\nX-Header: 1", "sk-鍵", "sk-\x00"])
def test_a_key_that_cannot_be_one_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(ConfigError, match="OPENAI_API_KEY holds characters") as caught:
        endpoint({"OPENAI_API_KEY": key})
    assert "sk" not in str(caught.value).replace("ask", "")


def test_white_space_around_a_key_is_not_sent() -> None:
    assert revealed(endpoint({"OPENAI_API_KEY": f"{KEY}\n"})) == {"authorization": f"Bearer {KEY}"}


def test_the_usual_key_is_not_sent_to_another_address() -> None:
    with pytest.raises(ConfigError, match="api_key_env"):
        endpoint(base_url="https://elsewhere.example/v1")
    assert revealed(endpoint(base_url="https://elsewhere.example/v1", api_key_env="")) == {}


@pytest.mark.parametrize("host", ["localhost:11434", "127.0.0.1:8000", "[::1]:8000", "vllm.localhost"])
def test_a_local_service_needs_no_key(host: str) -> None:
    assert revealed(endpoint(base_url=f"http://{host}/v1")) == {}
    assert revealed(endpoint({}, base_url=f"http://{host}/v1", api_key_env="NOT_SET")) == {}
    assert revealed(endpoint({"MINE": KEY}, base_url=f"http://{host}/v1", api_key_env="MINE"))


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://host/v1",
        "judge.example/v1",
        "https://",
        "http://h:99999/",
        "https://h/ v1",
        "//h/v1",
        "https://h/v1#x",
        "http://h\n/v1",
        "",
        "http://[::1/v1",
    ],
)
def test_an_address_that_is_none_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(ConfigError, match="base_url must be an address") as caught:
        endpoint(base_url=url or " ")
    assert "passwd" not in str(caught.value)
    assert "99999" not in str(caught.value)


@pytest.mark.parametrize(
    ("base", "provider", "target"),
    [
        (None, "openai", "https://api.openai.com/v1/chat/completions"),
        ("http://localhost:1/v1/", "openai", "http://localhost:1/v1/chat/completions"),
        ("http://localhost:1", "anthropic", "http://localhost:1/v1/messages"),
        ("http://localhost:1/v1", "anthropic", "http://localhost:1/v1/messages"),
        (
            "http://u:p@localhost:1/x?api-version=1",
            "openai",
            "http://localhost:1/x/chat/completions?api-version=1",
        ),
    ],
)
def test_the_path_is_put_before_the_query(base: str | None, provider: str, target: str) -> None:
    path = "v1/messages" if provider == "anthropic" else "chat/completions"
    found = endpoint_of(settings(provider=provider, base_url=base), {"OPENAI_API_KEY": KEY}, path)
    assert found.url.get_secret_value() == target


def test_an_azure_resource_gets_its_own_header() -> None:
    address = "https://mine.openai.azure.com/openai/v1"
    assert revealed(endpoint({"AZ": KEY}, base_url=address, api_key_env="AZ")) == {"api-key": KEY}


def test_a_user_name_becomes_basic_authentication_and_excludes_a_key() -> None:
    assert revealed(endpoint(base_url=URL)) == {"authorization": "Basic YW5uOnBhNTV3b3Jk"}
    with pytest.raises(ConfigError, match="keep one of the two"):
        endpoint({"MINE": KEY}, base_url=URL, api_key_env="MINE")


def test_the_identity_depends_on_the_place_and_on_no_secret() -> None:
    assert (
        endpoint(base_url=URL).identity
        == endpoint(base_url=f"https://{HOST}:8443/gateway/v1/", api_key_env="").identity
    )
    places = [
        f"https://{HOST}/v1",
        f"https://{HOST}/v2",
        f"https://{HOST}:444/v1",
        f"http://{HOST}/v1",
        "https://other.example/v1",
    ]
    assert len({endpoint(base_url=place, api_key_env="").identity for place in places}) == len(places)
    same = (f"https://{HOST}/v1", f"https://{HOST.upper()}:443/v1")
    assert len({endpoint(base_url=place, api_key_env="").identity for place in same}) == 1


def test_nothing_shows_a_key_or_an_address(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    made = settings(
        provider="anthropic",
        base_url=URL.replace(HOST, "127.0.0.1").replace("8443", "1"),
        api_key_env="MINE",
        max_attempts=1,
    )
    backend = backend_of(made, {"MINE": KEY})

    async def main() -> str:
        try:
            await backend.complete(Prompt("s", "u", {}, "judgment", "k"))
        except BackendError as error:
            shown = f"{error!r} {error} {error.__cause__!r} {''.join(traceback.format_exception(error))}"
        else:
            raise AssertionError("nothing listens there")
        await backend.aclose()
        return shown

    shown = asyncio.run(main())
    texts = [shown, repr(made), str(made), repr(backend), repr(backend.identity), caplog.text]
    texts += [repr(endpoint_of(made, {"MINE": KEY}, "v1/messages"))]
    for secret in (KEY, "pa55word", "ann:", "blue-team", "127.0.0.1", "gateway"):
        assert [text for text in texts if secret in text] == []


def test_the_identity_holds_what_can_change_a_reply_and_nothing_else() -> None:
    def identity(**changes: Any) -> Any:
        return backend_of(settings(**changes), {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}).identity

    for change in (
        {"model": "judge-2"},
        {"request_options": {"seed": 1}},
        {"max_output_tokens": 9},
        {"provider": "anthropic"},
    ):
        assert identity(**change) != identity()
    for change in ({"concurrency": 2}, {"timeout_s": 1}, {"deadline_s": 1}, {"requests_per_minute": 9}):
        assert identity(**change) == identity()


@pytest.mark.parametrize(
    "name", ["concurrency", "max_attempts", "requests_per_minute", "timeout_s", "deadline_s"]
)
def test_a_limit_that_lets_nothing_through_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=name):
        settings(**{name: 0})
