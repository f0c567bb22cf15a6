"""Where requests come from, as limits count it."""

import ipaddress
from collections.abc import Iterable, Sequence

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
ONE_HOME = 64  # bits of an IPv6 address; whoever has one usually has all that begin like it


def networks(names: Iterable[str]) -> list[Network]:
    """Addresses and networks as they are written in a setting; ValueError for what is neither."""
    return [ipaddress.ip_network(name, strict=False) for name in names]


def client(remote: str | None, forwarded: Sequence[str], trusted: Sequence[Network]) -> str:
    """Who asks: `remote`, or who it says it asks for, as far as proxies can be trusted.

    `forwarded` are the lines of X-Forwarded-For. Each proxy adds whom it heard from at the end, so
    the last one that is no proxy of ours counts; what stands before it, anyone could have written.
    """
    found = _read(remote or "")
    hops = [hop for line in forwarded for hop in line.split(",")]
    while hops and found is not None and _is_in(found, trusted):
        hop = _read(hops.pop())
        if hop is None:
            break
        found = hop
    return "?" if found is None else counted(found)


def counted(address: Address) -> str:
    """What is one party to limits: an address, or for IPv6 the network of a home."""
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(ipaddress.ip_network((int(address), ONE_HOME), strict=False))


def _read(text: str) -> Address | None:
    """An address, with or without a port; the IPv4 address in an IPv6 one is that."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def _is_in(address: Address, trusted: Sequence[Network]) -> bool:
    return any(address in network for network in trusted)
