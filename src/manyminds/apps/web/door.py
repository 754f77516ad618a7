"""Who may come in: names the server answers to, pages of its own only, and where a request comes from."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from manyminds.apps.web.refused import Refused
from manyminds.core.errors import UsageError

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


class Door:
    """What is checked of every request. `origins`: "https://go.example.org", where the server is open.

    A name that is not the server's is refused, so that no foreign site can have its own name point
    here; a page of another site is refused whatever it sends along.
    """

    def __init__(self, host: str, origins: Iterable[str] = ()) -> None:
        self.origins = tuple(_origin(text) for text in origins)
        self.names = {urlsplit(origin).netloc for origin in self.origins}
        self.any_address = not is_loopback(host)

    def check(self, headers: Mapping[str, str], from_page: bool) -> None:
        """Refuse names that are not ours, and, for what only our pages send, other sites' pages."""
        name = headers.get("host", "")
        if not self._knows(name):
            raise Refused(f"this server does not answer to {name[:80]!r}: see --origin", 421)
        origin = headers.get("origin")
        if from_page and origin is not None and origin not in self.origins:
            if urlsplit(origin).netloc != name:
                raise Refused("this was sent by a page of another site", 403)

    def _knows(self, name: str) -> bool:
        bare = name.rsplit(":", 1)[0] if not name.endswith("]") else name
        if name in self.names or bare in self.names or bare in _LOOPBACK:
            return True
        return self.any_address and _is_address(bare)


def is_loopback(host: str) -> bool:
    """Whether nobody else can reach this address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _origin(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/"):
        raise UsageError(f'"{text[:80]}" is no origin: give one like https://go.example.org')
    return f"{parts.scheme}://{parts.netloc}"


def address_of(client: tuple[str, int] | None) -> str:
    """What limits count as one address: of IPv6, the network that one household gets."""
    if client is None:
        return "?"
    try:
        address = ipaddress.ip_address(client[0])
    except ValueError:
        return client[0][:64]
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(getattr(address, "ipv4_mapped", None) or address)
