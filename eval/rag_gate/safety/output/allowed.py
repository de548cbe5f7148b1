"""Whether a link may stand in an answer."""

from collections.abc import Iterable

from rag_gate.safety.output.urls import Target, read_url

_MAIL = frozenset({"mailto", "tel"})
_WEB = frozenset({"http", "https"})


def is_allowed_host(host: str, allowed: Iterable[str]) -> bool:
    """Tell whether a host is one of the allowed ones or below it: ``docs.a.com`` is below ``a.com``, ``ba.com`` is not."""
    return any(host == name or host.endswith(f".{name}") for name in allowed)


def leads_out(target: Target, allowed: Iterable[str]) -> bool:
    """Tell whether a link leads to anything but an allowed host, the own site, or a mail or phone program.

    Every reading of the link must lead to an allowed host.
    """
    if target.is_relative or (target.scheme in _MAIL and not target.is_broken):
        return False
    names = tuple(allowed)
    web = target.scheme in _WEB or not target.scheme
    return not (
        web
        and not target.is_broken
        and target.hosts
        and all(is_allowed_host(host, names) for host in target.hosts)
    )


def outside_links(urls: Iterable[str], allowed: Iterable[str]) -> list[str]:
    """Return the links that lead out."""
    names = tuple(allowed)
    return [url for url in urls if leads_out(read_url(url), names)]
