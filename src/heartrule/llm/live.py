"""Whether calls may leave this machine. Tests forbid it, for the whole process, before anything else runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address

from heartrule.llm.provider import NeverDegrade

VARIABLE = "HEARTRULE_FORBID_LIVE_CALLS"
"""Set to anything, it forbids live calls in this process and its children."""


class LiveCallForbidden(NeverDegrade):
    """Something tried to reach a real model where that is switched off."""


def forbid_live_calls() -> None:
    os.environ[VARIABLE] = "1"


@contextmanager
def live_calls_allowed() -> Iterator[None]:
    """For the one test that is meant to reach out."""
    before = os.environ.pop(VARIABLE, None)
    try:
        yield
    finally:
        if before is not None:
            os.environ[VARIABLE] = before


def check_live(host: str) -> None:
    """Raises LiveCallForbidden when ``host`` is another machine and live calls are forbidden."""
    if VARIABLE in os.environ and not _is_here(host):
        raise LiveCallForbidden("a live model call in a test; use a scripted or recorded provider")


def _is_here(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
