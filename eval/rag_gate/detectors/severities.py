"""The types of personal data, and how bad it is to show each."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

Severity = Literal["critical", "contact", "weak"]

_CRITICAL = (
    "CREDIT_CARD IBAN JP_BANK_ACCOUNT JP_DRIVER_LICENSE JP_HEALTH_INSURANCE JP_MY_NUMBER JP_PASSPORT "
    "JP_PENSION JP_RESIDENCE_CARD KR_PASSPORT KR_RRN UK_NHS UK_NINO UK_PASSPORT US_BANK_ACCOUNT "
    "US_DRIVER_LICENSE US_ITIN US_PASSPORT US_SSN"
)
_CONTACT = "ADDRESS EMAIL JP_ADDRESS JP_POSTAL_CODE PHONE"
_WEAK = "DATE_OF_BIRTH IP PERSON"
#: Type of personal data -> how bad it is to show it.
SEVERITIES: Mapping[str, Severity] = MappingProxyType(
    {
        **dict.fromkeys(_CRITICAL.split(), "critical"),
        **dict.fromkeys(_CONTACT.split(), "contact"),
        **dict.fromkeys(_WEAK.split(), "weak"),
    }
)
