"""Keys and passwords as renderers show them, in sentences and tables; and names of things that are none."""

import base64

import pytest

from rag_gate.detectors.secrets import find_secrets

# In parts, so that no scanner takes this file for a leak.
TOKEN = "ghp_" + "AeKOmXRrvftva9AW7hip" + "TgadDZFlRJmCGmUX"
DRAWN = "f3Kq9ZtL0wVx" + "7Rb2YnHs8JdMc5Pg"

HIDDEN = {
    "escape of markdown": (TOKEN.replace("_", "\\_"), "GITHUB_TOKEN"),
    "entity": (f"x {TOKEN.replace('_', '&#95;')} y", "GITHUB_TOKEN"),
    "escape of a link": (f"https://fabrikam.com/?t={TOKEN.replace('_', '%5F')}&a=b", "GITHUB_TOKEN"),
    "user of a link": ("https://jo%40mail.net:a" + "Secret7x@db.internal/app", "CONNECTION_STRING"),
    "space of a link": ("postgres://app:a%20" + "Secret7x@db.internal/app", "CONNECTION_STRING"),
    "base64": (base64.b64encode(f"token={TOKEN}".encode()).decode(), "GITHUB_TOKEN"),
    "line end": (f"{TOKEN[:20]}\n{TOKEN[20:]}", "GITHUB_TOKEN"),
    "bold": (f"**{TOKEN}**", "GITHUB_TOKEN"),
    "Japanese label": (f"APIキーは{DRAWN}です", "GENERIC_SECRET"),
    "Japanese token": (f"アクセストークン：{DRAWN}", "GENERIC_SECRET"),
    "sentence": (f"The API key is {DRAWN}.", "GENERIC_SECRET"),
    "column": ("| user | password |\n|---|---|\n| bob | hunter2kTq |", "PASSWORD"),
    "line below": ("パスワードは\nTk9vQ2xLm\nです", "PASSWORD"),
    "another language": ("Passwort: hunter2kTq", "PASSWORD"),
}


@pytest.mark.parametrize("kind", HIDDEN)
def test_a_secret_is_found_however_it_is_written(kind: str) -> None:
    text, of_type = HIDDEN[kind]
    assert [found.type for found in find_secrets(text)] == [of_type]


@pytest.mark.parametrize(
    "text",
    [
        "passwords such as password123 are weak",
        "session_token: SESSION_TOKEN_HERE_1234",
        "credential: ClientCertificateCredential2",
        "secretName: my-app-tls-2024",
        "APIキーは32文字の英数字です",
        "The API key is available in the console",
        "トークンはmax_tokens=4096で制限されます",
        "| user | password |\n|---|---|\n| bob | required |",
        "internationalization_of\nresponsibilities_here",
    ],
)
def test_names_of_things_are_no_secrets(text: str) -> None:
    assert find_secrets(text) == ()


def test_a_long_identifier_takes_no_time() -> None:
    assert find_secrets("api_key=" + "a" * 190 + "!1") is not None
