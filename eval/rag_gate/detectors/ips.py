"""IP addresses on the public network."""

import re
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from rag_gate.detectors.model import Hit, Scan, Spans
from rag_gate.late import Late

_V4 = Late(r"(?<![0-9A-Za-z_.-])(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?![0-9A-Za-z_]|[.][0-9]|/[0-9]|-[0-9])")
_V6 = Late(
    r"(?<![0-9A-Za-z_.:])(?=[0-9A-Fa-f:]{0,40}:[0-9A-Fa-f]{0,4}:)[0-9A-Fa-f:]{3,45}(?:(?<=:)(?:[0-9]{1,3}\.){3}[0-9]{1,3})?(?![0-9A-Za-z_]|/[0-9])"
)
#: Networks that lead to nobody. Addresses set aside for documentation are not among them: a bot that
#: shows one shows an address as if it were somebody's.
_NOBODY = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
            "192.168.0.0/16", "224.0.0.0/3", "::/127", "fc00::/7", "fe80::/10", "ff00::/8",
        ),
    )
)  # fmt: skip
_SERVICES = frozenset(
    map(
        ip_address,
        (
            "8.8.8.8",
            "8.8.4.4",
            "1.1.1.1",
            "1.0.0.1",
            "9.9.9.9",
            "208.67.222.222",
            "208.67.220.220",
            "1.2.3.4",
            "2001:4860:4860::8888",
            "2606:4700:4700::1111",
        ),
    )
)
_VERSION = Late(
    r"(?:(?<![A-Za-z])(?:versions?|ver|v|build|release|firmware|update|driver|section|chapter|oid|ios|android|windows|chrome|safari|app)|バージョン|ビルド|ファームウェア|リリース|版|第|節|章)"
    r"[ :：.はを]{0,4}$",
    re.IGNORECASE,
)


def find_ips(scan: Scan) -> Iterator[Hit]:
    """Yield addresses that may be somebody's; private ones and version numbers are left out."""
    text = scan.open
    taken = Spans()
    for pattern in (_V6, _V4) if ":" in text else (_V4,):
        for match in pattern.finditer(text):
            shown = match[0].rstrip(":") if not match[0].endswith("::") else match[0]
            address = _parse(shown)
            before = scan.text[max(0, match.start() - 16) : match.start()]
            if address is None or _VERSION.search(before) or scan.labels.before(match.start()) == "order":
                continue
            if taken.take(match.start(), match.start() + len(shown)):
                yield Hit("IP", match.start(), match.start() + len(shown), frozenset({str(address)}))


def _parse(shown: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(shown)
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if isinstance(address, IPv6Address) and len(shown.replace("::", ":").split(":")) < 3:  # noqa: PLR2004 - "a::b" in code
        return None
    nobody = any(address.version == net.version and address in net for net in _NOBODY)
    return None if nobody or address in _SERVICES else address
