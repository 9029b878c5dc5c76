"""Whoever reaches a scheduler without TLS can run code on all of its machines: so it is spoken to within one machine only."""

from __future__ import annotations

import ipaddress
import json
import re
from pathlib import Path
from urllib.parse import urlsplit

from grader.model.errors import UsageError

TLS = "start scheduler and workers with --protocol tls and certificates, and tell Dask here of yours: DASK_DISTRIBUTED__COMM__TLS__CA_FILE, ...__CLIENT__CERT and ...__CLIENT__KEY, or distributed.yaml"
_EXAMPLE = "such as --scheduler tcp://127.0.0.1:8786, or the file that `dask scheduler --scheduler-file FILE` writes"


def address_of(scheduler: str | None) -> str:
    """Return the address that was meant by an address or by a scheduler file.

    Raises:
        UsageError: There is none.
    """
    if not scheduler:
        raise UsageError("--executor dask needs a scheduler", hint=_EXAMPLE)
    try:
        address = scheduler if "://" in scheduler else str(json.loads(Path(scheduler).read_bytes())["address"])
    except OSError as error:
        raise UsageError(f"no scheduler file: {error.strerror}", where=scheduler, hint=_EXAMPLE) from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError("not a scheduler file: it names no address", where=scheduler, hint=_EXAMPLE) from error
    if not re.fullmatch(r"[a-z0-9+]+://.+:\d+", address):
        raise UsageError(
            "not the address of a scheduler: protocol, host and port make one", where=address, hint=_EXAMPLE
        )
    return address


def require_safety(address: str) -> None:
    """Refuse an open connection to another machine.

    Raises:
        UsageError: It is not encrypted.
    """
    if reason := unsafe(address):
        raise UsageError(reason, where=address, hint=TLS)


def unsafe(address: str) -> str:
    """Return why an address is not to be spoken to; nothing where it may be."""
    scheme = address.partition("://")[0]
    if scheme == "tls" or (scheme == "tcp" and _is_loopback(address)):
        return ""
    if scheme != "tcp":
        return f"only tls:// and, within one machine, tcp:// are spoken here, not {scheme}://"
    return "without TLS whoever reaches this address can run code there, and read tests and submissions"


def _is_loopback(address: str) -> bool:
    try:
        host = urlsplit(address).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
