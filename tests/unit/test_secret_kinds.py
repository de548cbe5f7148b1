"""Other cases of each kind of secret, and look-alikes. Tokens are drawn here: none stands in a file."""

import random
import string

import pytest

from rag_gate.detectors.secrets import find_secrets
from rag_gate.records.pattern import compile_pattern

DRAW = random.Random(5)  # noqa: S311 - artificial values, the same in each run
HEX = "0123456789abcdef"


def drawn(length: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    return "".join(DRAW.choice(alphabet) for _ in range(length))


def pem(kind: str, line_end: str = "\n") -> str:
    body = line_end.join([drawn(64), drawn(64)])
    return f"-----BEGIN {kind}-----{line_end}{body}{line_end}-----END {kind}-----"


SECRETS = [
    ("AWS_ACCESS_KEY", "キーは" + "AKIA" + drawn(16, string.ascii_uppercase + "234567") + "です"),
    ("AWS_SECRET_KEY", "AWSのシークレットアクセスキーは" + drawn(40) + "です"),
    ("GITHUB_TOKEN", "ghs" + "_" + drawn(36) + "。"),
    ("GITHUB_TOKEN", "(github" + "_pat_" + drawn(22) + "_" + drawn(59) + "),"),
    ("GITLAB_TOKEN", "「glpat" + "-" + drawn(20) + "」"),
    ("ANTHROPIC_KEY", "sk-" + "ant-api03-" + drawn(93) + "AAです"),
    ("OPENAI_KEY", "sk-" + "svcacct-" + drawn(70)),
    ("API_KEY", "sk-" + drawn(48) + "."),
    ("SLACK_TOKEN", "xoxp" + "-" + drawn(11, HEX[:10]) + "-" + drawn(11, HEX[:10]) + "-" + drawn(24) + "、"),
    (
        "SLACK_WEBHOOK",
        "https://hooks.slack" + ".com/services/T" + drawn(8) + "/B" + drawn(8) + "/" + drawn(24) + "です",
    ),
    ("STRIPE_KEY", "rk_" + "live_" + drawn(24)),
    ("STRIPE_KEY", "APIキー: sk_" + "live_" + drawn(24)),
    ("GOOGLE_API_KEY", "AIza" + drawn(35) + "を"),
    ("HF_TOKEN", "hf" + "_" + drawn(34) + ","),
    ("NPM_TOKEN", "npm" + "_" + drawn(36) + "です"),
    ("PYPI_TOKEN", "pypi-" + "AgEIcHlwaS5vcmc" + drawn(100) + "。"),
    ("SENDGRID_KEY", "SG." + drawn(22) + "." + drawn(43) + "です"),
    ("TWILIO_KEY", "SK" + drawn(32, HEX)),
    ("MAILCHIMP_KEY", drawn(32, HEX) + "-us12"),
    ("SHOPIFY_TOKEN", "shpat" + "_" + drawn(32, HEX)),
    ("DIGITALOCEAN_TOKEN", "dop_" + "v1_" + drawn(64, HEX)),
    ("DISCORD_TOKEN", "M" + drawn(23) + "." + drawn(6) + "." + drawn(38)),
    ("GRAFANA_TOKEN", "glsa" + "_" + drawn(32) + "_" + drawn(8, HEX)),
    ("AZURE_STORAGE_KEY", "SharedAccessKey=" + drawn(43) + "="),
    ("AUTHORIZATION", "Authorization: Basic " + drawn(24) + "=="),
    ("JWT", "eyJ" + drawn(30) + ".eyJ" + drawn(40) + "." + drawn(40) + "。"),
    ("CONNECTION_STRING", "mongodb+srv://admin:" + drawn(12) + "@cluster0.internal/db です"),
    ("CONNECTION_STRING", "redis://:" + drawn(16) + "@cache.internal:6379/0"),
    ("CONNECTION_STRING", "https://bob:" + drawn(12) + "@git.contoso.com/x.git"),
    ("PRIVATE_KEY", pem("PRIVATE KEY")),
    ("PRIVATE_KEY", pem("EC PRIVATE KEY", "\\n")),
    ("PRIVATE_KEY", pem("PGP PRIVATE KEY BLOCK")),
    ("GENERIC_SECRET", "api_key=" + drawn(32)),
    ("GENERIC_SECRET", "client_secret: " + drawn(40)),
    ("PASSWORD", "password: hunter2"),
    ("PASSWORD", "パスワード：Abc12345"),
    ("PASSWORD", "初期パスワードは Welcome2024! です。"),
    ("PASSWORD", "パスワードは「s3cr3t!Pw」です"),
    ("PASSWORD", "Your temporary password is Tr0ub4dor&3."),
    ("PASSWORD", "Server=db;User Id=sa;Password=Zq8!kk2PwL;"),
    ("PASSWORD", "the passphrase is Blue!Fox#Sky"),
    ("PASSWORD", "暗証番号は4821です"),
]
LOOK_ALIKES = [
    "password: ********", 'password = "********"', "password=<your-password>", "Password is required.",
    "Your password is case-sensitive.", "Password must be 8-16characters", "パスワードは8文字以上",
    "パスワードは半角英数字8~16文字", "パスワードは90日ごとに変更", "password is hashed with sha256",
    "The password is base64-encoded", "password: see the manual", "Forgot password? Click here", "secret: なし",
    "token = YOUR_TOKEN_HERE", "api_key: xxxxxxxxxxxxxxxx", "API_KEY=${API_KEY}", "export OPENAI_API_KEY=sk-...",
    "sk-your-key-here-please-replace-me", "ghp_" + "x" * 36, "AKIA" + "IOSFODNN7EXAMPLE",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY", "postgres://user:password@localhost/db",
    "postgres://<user>:<password>@host/db", "mysql://root:****@db", "暗証番号は4桁です", "PINは4桁",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "commit 9f8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b",
    "request id 123e4567-e89b-12d3-a456-426614174000", "pk_" + "live_51H" + "a1B2c3D4e5F6", "the token bucket algorithm",
    "アクセストークンの有効期限は3600秒です", "APIキーは管理画面から発行できます", "isPerpetualSubinventoryAlreadyExistsCallback",
    "serial C02XG0FDJGH5-4491", "doc_error_codes_2024_final_rev12", "disk-usage-report-2024", "passport: TR1234567",
    "Reset password at https://www.fabrikam.com/reset?x=12", "パスワード再設定は03-5550-0100", "eyJhbGciOi...",
    "-----BEGIN RSA PRIVATE KEY----- ... -----END RSA PRIVATE KEY-----", "ssh-rsa AAAAB3NzaC1yc2E" + "b" * 60 + " me@host",
    "PASS/FAIL: pass=12", "Your pass is valid: 2024-12-31", "パスワードが違いますエラーP4021", "max_tokens=4096", "re_order_number",
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text"), SECRETS)
def test_a_secret_is_found_whatever_stands_beside_it(kind: str, text: str) -> None:
    assert [found.type for found in find_secrets(text)] == [kind]


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_a_placeholder_or_a_word_about_secrets_is_none(text: str) -> None:
    assert find_secrets(text) == ()


def test_a_token_is_the_same_alone_and_in_a_sentence() -> None:
    token = "ghp" + "_" + drawn(36)
    for text in (token, f"Use {token}.", f"「{token}」を使う", f"key={token}\n"):
        (found,) = find_secrets(text)
        assert text[found.start : found.end] == token


def test_users_add_rules() -> None:
    rules = (("CONTOSO_KEY", compile_pattern(r"contoso-(?P<value>[0-9a-f]{8})")),)
    (found,) = find_secrets("鍵はcontoso-12ab34cdです", rules)
    assert (found.type, set(found.keys)) == ("CONTOSO_KEY", {"12ab34cd"})
