"""One-time codes of an app (TOTP), and recovery codes for whoever has lost it. A code counts once."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime

import pyotp

DIGITS, STEP = 6, 30
RECOVERY_CODES = 10
PARTS = 5
"""Of a recovery code, five characters each: 123 bits."""
ISSUER = "HeartRule"


def new_secret() -> str:
    return pyotp.random_base32()


def address(secret: str, name: str) -> str:
    """What an app reads, as a QR code or by hand."""
    return pyotp.TOTP(secret, digits=DIGITS, interval=STEP).provisioning_uri(name=name, issuer_name=ISSUER)


def step_of(secret: str, code: str, now: datetime, last: int) -> int | None:
    """The step that the code belongs to, one to either side of now allowed; None for a wrong one, and for one of the
    step ``last`` or before: it has been used."""
    app = pyotp.TOTP(secret, digits=DIGITS, interval=STEP)
    here = int(now.timestamp()) // STEP
    for step in (here, here - 1, here + 1):
        if step > last and hmac.compare_digest(app.at(step * STEP), code):
            return step
    return None


def recovery_codes() -> list[str]:
    alphabet = "abcdefghjkmnpqrstuvwxyz23456789"

    def part() -> str:
        return "".join(secrets.choice(alphabet) for _ in range(5))

    return ["-".join(part() for _ in range(PARTS)) for _ in range(RECOVERY_CODES)]


def hashed(code: str) -> str:
    """They are random and long enough that a plain hash cannot be turned round."""
    return hashlib.sha256("".join(code.split()).lower().encode()).hexdigest()


def without(code: str, left: Sequence[str]) -> tuple[str, ...] | None:
    """What is left when this recovery code has been used; None where it is none of them."""
    found = hashed(code)
    return tuple(each for each in left if each != found) if found in left else None
