"""Public formats of keys and tokens: (type, a part that is always there, pattern).

Only ASCII stands at the edges: a token may be followed by Japanese, a full stop or a comma. The characters
in front of a token may not belong to it, which also keeps the search linear.
"""

import re
from functools import cache
from typing import NamedTuple

_EDGE = r"(?<![0-9A-Za-z_-])"
_W = r"[0-9A-Za-z]"
_U = r"[0-9A-Za-z_-]"
_END = r"(?![0-9A-Za-z_])"


class Rule(NamedTuple):
    """How one kind of secret is written; compiled when its hint is met for the first time."""

    type: str
    hint: str
    source: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return _compiled(self.source)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)


#: (type, beginning, rest). The beginning is literal.
_PREFIXED = (
    ("GITHUB_TOKEN", "ghp_", rf"{_W}{{36,255}}"), ("GITHUB_TOKEN", "gho_", rf"{_W}{{36,255}}"),
    ("GITHUB_TOKEN", "ghu_", rf"{_W}{{36,255}}"), ("GITHUB_TOKEN", "ghs_", rf"{_W}{{36,255}}"),
    ("GITHUB_TOKEN", "ghr_", rf"{_W}{{36,255}}"), ("GITHUB_TOKEN", "github_pat_", r"[0-9A-Za-z_]{36,255}"),
    ("GITLAB_TOKEN", "glpat-", rf"{_U}{{20,64}}(?:\.[0-9a-z.]{{8,20}})?"), ("GITLAB_TOKEN", "gldt-", rf"{_U}{{20,64}}"),
    ("GITLAB_TOKEN", "glptt-", rf"{_U}{{20,64}}"), ("GITLAB_TOKEN", "glrt-", rf"{_U}{{20,64}}"), ("GITLAB_TOKEN", "glcbt-", rf"{_U}{{20,64}}"),
    ("GITLAB_TOKEN", "glsoat-", rf"{_U}{{20,64}}"), ("GITLAB_TOKEN", "glft-", rf"{_U}{{20,64}}"), ("GITLAB_TOKEN", "glagent-", rf"{_U}{{20,64}}"),
    ("GITLAB_TOKEN", "GR1348941", rf"{_U}{{20,64}}"), ("GITLAB_TOKEN", "gloas-", rf"{_U}{{20,64}}"),
    ("ANTHROPIC_KEY", "sk-ant-", rf"{_U}{{24,200}}"), ("OPENAI_KEY", "sk-proj-", rf"{_U}{{40,220}}"), ("OPENAI_KEY", "sk-svcacct-", rf"{_U}{{40,220}}"),
    ("OPENAI_KEY", "sk-admin-", rf"{_U}{{40,220}}"), ("OPENAI_KEY", "sk-None-", rf"{_U}{{40,220}}"),
    ("OPENROUTER_KEY", "sk-or-v1-", r"[0-9a-f]{64}"), ("LANGFUSE_KEY", "sk-lf-", r"[0-9a-f-]{36}"), ("LANGSMITH_KEY", "lsv2_pt_", rf"{_U}{{32,60}}"), ("LANGSMITH_KEY", "lsv2_sk_", rf"{_U}{{32,60}}"),
    ("GROQ_KEY", "gsk_", rf"{_W}{{40,60}}"), ("XAI_KEY", "xai-", rf"{_W}{{60,100}}"), ("PERPLEXITY_KEY", "pplx-", rf"{_W}{{40,60}}"), ("REPLICATE_TOKEN", "r8_", rf"{_W}{{37}}"),
    ("HF_TOKEN", "hf_", rf"{_W}{{30,60}}"), ("HF_TOKEN", "api_org_", rf"{_W}{{30,60}}"), ("PINECONE_KEY", "pcsk_", r"[0-9A-Za-z_]{40,90}"), ("TAVILY_KEY", "tvly-", rf"{_U}{{24,60}}"),
    ("JINA_KEY", "jina_", rf"{_U}{{40,80}}"), ("VOYAGE_KEY", "pa-", rf"{_U}{{40,60}}"), ("CEREBRAS_KEY", "csk-", rf"{_W}{{40,60}}"), ("FIREWORKS_KEY", "fw_", rf"{_W}{{24,40}}"),
    ("SLACK_TOKEN", "xoxb-", r"[0-9A-Za-z-]{20,120}"), ("SLACK_TOKEN", "xoxp-", r"[0-9A-Za-z-]{20,120}"), ("SLACK_TOKEN", "xoxa-", r"[0-9A-Za-z-]{20,120}"),
    ("SLACK_TOKEN", "xoxr-", r"[0-9A-Za-z-]{20,120}"), ("SLACK_TOKEN", "xoxs-", r"[0-9A-Za-z-]{20,120}"), ("SLACK_TOKEN", "xoxo-", r"[0-9A-Za-z-]{20,120}"),
    ("SLACK_TOKEN", "xoxe.", r"[0-9A-Za-z.-]{20,200}"), ("SLACK_TOKEN", "xoxe-", r"[0-9A-Za-z-]{20,200}"), ("SLACK_TOKEN", "xoxc-", r"[0-9A-Za-z-]{20,120}"), ("SLACK_TOKEN", "xapp-", r"[0-9A-Za-z-]{20,150}"),
    ("STRIPE_KEY", "sk_live_", rf"{_W}{{16,120}}"), ("STRIPE_KEY", "rk_live_", rf"{_W}{{16,120}}"), ("STRIPE_KEY", "sk_test_", rf"{_W}{{16,120}}"),
    ("STRIPE_KEY", "rk_test_", rf"{_W}{{16,120}}"), ("STRIPE_KEY", "whsec_", r"[0-9A-Za-z+/=]{24,80}"),
    ("GOOGLE_API_KEY", "AIza", rf"{_U}{{35}}"), ("GOOGLE_OAUTH", "GOCSPX-", rf"{_U}{{28}}"), ("GOOGLE_OAUTH", "ya29.", rf"{_U}{{30,400}}"), ("GOOGLE_OAUTH", "1//0", rf"{_U}{{30,120}}"),
    ("NPM_TOKEN", "npm_", rf"{_W}{{36}}"), ("PYPI_TOKEN", "pypi-AgE", rf"{_U}{{50,300}}"), ("RUBYGEMS_KEY", "rubygems_", r"[0-9a-f]{48}"), ("NUGET_KEY", "oy2", r"[0-9a-z]{43}"),
    ("CRATES_TOKEN", "cio", rf"{_W}{{32}}"), ("CLOJARS_TOKEN", "CLOJARS_", r"[0-9a-z]{60}"), ("DOCKER_TOKEN", "dckr_pat_", rf"{_U}{{27,40}}"), ("DOCKER_TOKEN", "dckr_oat_", rf"{_U}{{27,40}}"),
    ("SENDGRID_KEY", "SG.", rf"{_U}{{16,32}}\.{_U}{{32,64}}"), ("MAILGUN_KEY", "key-", r"[0-9a-f]{32}"), ("BREVO_KEY", "xkeysib-", r"[0-9a-f]{64}-[0-9A-Za-z]{16}"), ("RESEND_KEY", "re_", r"[0-9A-Za-z]{8}_[0-9A-Za-z]{20,30}"),
    ("TWILIO_KEY", "SK", r"[0-9a-f]{32}"), ("TWILIO_KEY", "AC", r"[0-9a-f]{32}"), ("SHOPIFY_TOKEN", "shpat_", r"[0-9a-fA-F]{32}"), ("SHOPIFY_TOKEN", "shpss_", r"[0-9a-fA-F]{32}"),
    ("SHOPIFY_TOKEN", "shpca_", r"[0-9a-fA-F]{32}"), ("SHOPIFY_TOKEN", "shppa_", r"[0-9a-fA-F]{32}"), ("SQUARE_TOKEN", "sq0atp-", rf"{_U}{{22}}"), ("SQUARE_TOKEN", "sq0csp-", rf"{_U}{{43}}"),
    ("SQUARE_TOKEN", "EAAA", rf"{_U}{{56,64}}"), ("FACEBOOK_TOKEN", "EAAC", rf"{_W}{{60,250}}"), ("FACEBOOK_TOKEN", "EAAG", rf"{_W}{{60,250}}"), ("FACEBOOK_TOKEN", "EAAB", rf"{_W}{{60,250}}"),
    ("PAYPAL_TOKEN", "access_token$production$", r"[0-9a-z]{16}\$[0-9a-f]{32}"), ("PLAID_TOKEN", "access-production-", r"[0-9a-f-]{36}"),
    ("DIGITALOCEAN_TOKEN", "dop_v1_", r"[0-9a-f]{64}"), ("DIGITALOCEAN_TOKEN", "doo_v1_", r"[0-9a-f]{64}"), ("DIGITALOCEAN_TOKEN", "dor_v1_", r"[0-9a-f]{64}"),
    ("VAULT_TOKEN", "hvs.", rf"{_U}{{24,300}}"), ("VAULT_TOKEN", "hvb.", rf"{_U}{{24,300}}"), ("GRAFANA_TOKEN", "glsa_", r"[0-9A-Za-z]{32}_[0-9a-fA-F]{8}"), ("GRAFANA_TOKEN", "glc_", r"[0-9A-Za-z+/=]{32,400}"),
    ("NEW_RELIC_KEY", "NRAK-", r"[0-9A-Z]{27}"), ("NEW_RELIC_KEY", "NRII-", rf"{_U}{{32}}"), ("SENTRY_TOKEN", "sntrys_", r"[0-9A-Za-z+/=_]{40,400}"), ("SENTRY_TOKEN", "sntryu_", r"[0-9a-f]{64}"),
    ("POSTMAN_KEY", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"), ("PULUMI_TOKEN", "pul-", r"[0-9a-f]{40}"), ("DATABRICKS_TOKEN", "dapi", r"[0-9a-f]{32}(?:-[0-9])?"), ("DOPPLER_TOKEN", "dp.pt.", rf"{_W}{{40,50}}"),
    ("LINEAR_KEY", "lin_api_", rf"{_W}{{40}}"), ("NOTION_TOKEN", "ntn_", rf"{_W}{{40,60}}"), ("NOTION_TOKEN", "secret_", rf"{_W}{{43}}"), ("FIGMA_TOKEN", "figd_", rf"{_U}{{38,60}}"),
    ("ATLASSIAN_TOKEN", "ATATT3", r"[0-9A-Za-z_=+/-]{100,260}"), ("AIRTABLE_TOKEN", "pat", r"[0-9A-Za-z]{14}\.[0-9a-f]{64}"), ("HUBSPOT_TOKEN", "pat-na1-", r"[0-9a-f-]{36}"), ("HUBSPOT_TOKEN", "pat-eu1-", r"[0-9a-f-]{36}"),
    ("HEROKU_KEY", "HRKU-", rf"{_U}{{36,70}}"), ("NETLIFY_TOKEN", "nfp_", rf"{_W}{{36,50}}"), ("SUPABASE_KEY", "sbp_", r"[0-9a-f]{40}"), ("SUPABASE_KEY", "sb_secret_", rf"{_U}{{20,60}}"),
    ("PLANETSCALE_TOKEN", "pscale_tkn_", rf"{_U}{{32,64}}"), ("PLANETSCALE_TOKEN", "pscale_pw_", rf"{_U}{{32,64}}"), ("TAILSCALE_KEY", "tskey-", rf"{_U}{{20,80}}"), ("SONAR_TOKEN", "sqp_", r"[0-9a-f]{40}"),
    ("SONAR_TOKEN", "squ_", r"[0-9a-f]{40}"), ("DYNATRACE_TOKEN", "dt0c01.", r"[0-9A-Z]{24}\.[0-9A-Z]{64}"), ("CONTENTFUL_TOKEN", "CFPAT-", rf"{_U}{{43}}"), ("TYPEFORM_TOKEN", "tfp_", rf"{_U}{{40,64}}"),
    ("EASYPOST_KEY", "EZAK", rf"{_W}{{54}}"), ("README_KEY", "rdme_", r"[0-9a-z]{70}"), ("PREFECT_KEY", "pnu_", rf"{_W}{{36}}"), ("ALIBABA_KEY", "LTAI", rf"{_W}{{17,21}}"), ("TENCENT_KEY", "AKID", rf"{_W}{{32}}"),
    ("ADAFRUIT_KEY", "aio_", rf"{_W}{{28}}"), ("ONEPASSWORD_TOKEN", "ops_eyJ", r"[0-9A-Za-z+/=_-]{100,2000}"), ("AGE_KEY", "AGE-SECRET-KEY-1", r"[0-9A-Z]{58}"), ("FLY_TOKEN", "FlyV1 ", r"[0-9A-Za-z_=+/,-]{60,2000}"),
    ("ARTIFACTORY_TOKEN", "AKCp", rf"{_W}{{60,90}}"), ("ARTIFACTORY_TOKEN", "cmVmdGtu", rf"{_W}{{50,70}}"), ("TWITTER_TOKEN", "AAAAAAAAAAAAAAAAAAAAA", r"[0-9A-Za-z%]{60,150}"), ("INSTAGRAM_TOKEN", "IGQV", rf"{_W}{{60,250}}"),
    ("LAUNCHDARKLY_KEY", "sdk-", r"[0-9a-f-]{36}"), ("DROPBOX_TOKEN", "sl.", rf"{_U}{{120,300}}"), ("CLOUDFLARE_KEY", "v1.0-", r"[0-9a-f]{24}-[0-9a-f]{146}"), ("YANDEX_KEY", "AQVN", rf"{_U}{{35,38}}"),
)  # fmt: skip
_AWS = r"(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)"
_AUTHORITY = r"[A-Za-z][A-Za-z0-9+.-]{1,20}://"
#: (type, hint, whole pattern); a group ``value`` is the secret, else the whole match is.
_SHAPED = (
    ("AWS_ACCESS_KEY", "A", rf"{_EDGE}{_AWS}[A-Z0-9]{{16}}(?![0-9A-Za-z_])"),
    ("AWS_SECRET_KEY", "", r"(?i:aws.{0,20}(?:secret|key)|secret[_ -]?access[_ -]?key|シークレット(?:アクセス)?キー)[^0-9A-Za-z+/\n]{0,12}(?P<value>(?<![0-9A-Za-z+/])[0-9A-Za-z+/]{40})(?![0-9A-Za-z+/=])"),
    ("AWS_BEDROCK_KEY", "ABSK", rf"{_EDGE}ABSK[0-9A-Za-z+/]{{60,200}}={{0,2}}"),
    ("OPENAI_KEY", "T3BlbkFJ", rf"{_EDGE}sk-[0-9A-Za-z_-]{{10,120}}T3BlbkFJ[0-9A-Za-z_-]{{10,120}}"),
    ("API_KEY", "sk-", rf"{_EDGE}sk-[0-9A-Za-z]{{32,64}}(?![0-9A-Za-z_-])"),
    ("SLACK_WEBHOOK", "hooks.slack", r"https://hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[0-9A-Za-z_/]{20,120}"),
    ("DISCORD_WEBHOOK", "discord", r"https://(?:ptb\.|canary\.)?discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[0-9A-Za-z_-]{60,80}"),
    ("TEAMS_WEBHOOK", "webhook.office", r"https://[0-9a-z-]{1,60}\.webhook\.office\.com/webhookb2/[0-9A-Za-z@/_-]{60,300}"),
    ("DISCORD_TOKEN", ".", r"(?<![0-9A-Za-z_.-])[MNO][0-9A-Za-z_-]{23,27}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,40}(?![0-9A-Za-z_-])"),
    ("TELEGRAM_TOKEN", ":AA", r"(?<![0-9A-Za-z_])[0-9]{8,10}:AA[0-9A-Za-z_-]{32,34}(?![0-9A-Za-z_-])"),
    ("MAILCHIMP_KEY", "-us", r"(?<![0-9A-Za-z_])[0-9a-f]{32}-us[0-9]{1,2}(?![0-9A-Za-z_])"),
    ("TERRAFORM_TOKEN", ".atlasv1.", r"(?<![0-9A-Za-z_])[0-9A-Za-z]{14}\.atlasv1\.[0-9A-Za-z_=-]{60,70}"),
    ("JWT", "eyJ", rf"{_EDGE}eyJ[0-9A-Za-z_-]{{10,2000}}\.eyJ[0-9A-Za-z_-]{{10,4000}}\.[0-9A-Za-z_-]{{10,2000}}"),
    ("PRIVATE_KEY", "PRIVATE KEY", r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[0-9A-Za-z+/=\s\\:,.()]|-(?!----)){40,8000}(?:-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----)?"),
    ("PUTTY_KEY", "PuTTY", r"PuTTY-User-Key-File-[0-9]:[^\0]{40,2000}?Private-MAC: ?[0-9a-f]{40,64}"),
    ("CONNECTION_STRING", "://", rf"(?<![A-Za-z0-9+.-]){_AUTHORITY}[^\s/:@\"'<>「」]{{0,100}}:(?P<password>[^\s/@\"'<>「」]{{1,200}})@[0-9A-Za-z._-]{{1,200}}(?::[0-9]{{1,5}})?(?:/[0-9A-Za-z._~%/?=&+,-]{{0,300}})?"),
    ("AZURE_STORAGE_KEY", "Key", r"(?i:AccountKey|SharedAccessKey)\s?=\s?(?P<value>[0-9A-Za-z+/]{43,86}={1,2})"),
    ("AZURE_CLIENT_SECRET", "Q~", r"(?<![0-9A-Za-z_~.-])[0-9A-Za-z_~.-]{3}[0-9]Q~[0-9A-Za-z_~.-]{31,34}(?![0-9A-Za-z_~.-])"),
    ("AZURE_SAS", "sig=", r"[?&;]sig=(?P<value>[0-9A-Za-z%+/]{40,100}(?:=|%3D){0,2})"),
    ("AUTHORIZATION", "uthorization", r"(?i:authorization)[\"']?\s?[:=]\s?[\"']?(?i:basic|bearer|token)\s{1,2}(?P<value>[0-9A-Za-z._~+/-]{16,2000}={0,2})"),
    ("LINE_TOKEN", "=", r"(?<![0-9A-Za-z+/])[0-9A-Za-z+/]{150,180}/1O/w1cDnyilFU="),
)  # fmt: skip


def _prefixed(kind: str, start: str, rest: str) -> Rule:
    return Rule(kind, start, f"{_EDGE}{re.escape(start)}{rest}{_END}")


#: Every rule; the surer one first where two may match the same text.
RULES: tuple[Rule, ...] = (
    *(_prefixed(*row) for row in _PREFIXED),
    *(Rule(*row) for row in _SHAPED),
)
