"""Tokens: signed notes that say what their bearer may open. Nothing about them is stored, so that any process that has
the data folder's keys can read them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import jwt

from heartrule.sessions.clock import Clock

OURS = "heartrule"
ALGORITHM = "HS256"
LIFETIMES: dict[str, timedelta] = {
    "session": timedelta(days=30),
    "recovery": timedelta(days=7),
    "person": timedelta(days=400),
}
LONGEST_SUBJECT = 255
RECOVERY = "recovery"
"""The claim of a token that was made for a recovery link."""
AHEAD = timedelta(minutes=1)
"""By how much the clock of whoever embeds us may be ahead of ours."""

Opens = Literal["session", "person", "subject"]


class Invalid(Exception):
    """Not a token of ours, or not one any more."""


class Expired(Invalid):
    pass


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token opens: a ``session``, all of a ``person`` of the store, or all of a ``subject``, as an embedding
    service names a person. ``until``: that of a recovery link, which nothing that comes of it may outlive."""

    opens: Opens
    id: str = field(repr=False)
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Issued:
    token: str = field(repr=False)
    expires_at: datetime


class Tokens:
    """``key`` signs ours, ``embed`` those of the service that embeds us."""

    def __init__(self, key: bytes, embed: bytes | None, clock: Clock) -> None:
        self._key, self._embed, self._clock = key, embed, clock

    def of_session(self, session: str, until: datetime | None = None) -> Issued:
        """``until``: that of the recovery link by which somebody came here."""
        return self._issue("session", session, "session" if until is None else "recovery", until)

    def recovery(self, session: str, until: datetime | None = None) -> Issued:
        return self._issue("session", session, "recovery", until)

    def of_person(self, person: str) -> Issued:
        return self._issue("person", person, "person")

    def _issue(self, opens: Opens, subject: str, lifetime: str, until: datetime | None = None) -> Issued:
        expires = (until or self._clock.now() + LIFETIMES[lifetime]).replace(microsecond=0)
        claims: dict[str, Any] = {"aud": opens, "sub": subject, "exp": int(expires.timestamp())}
        if lifetime == "recovery":
            claims[RECOVERY] = True
        return Issued(jwt.encode(claims, self._key, ALGORITHM, headers={"kid": OURS}), expires)

    def read(self, token: str) -> Grant:
        """Raises ``Invalid``, ``Expired``."""
        try:
            header = jwt.get_unverified_header(token)
        except (jwt.PyJWTError, ValueError):
            raise Invalid from None
        if header.get("kid") == OURS:
            claims = self._claims(token, self._key, audience=["session", "person"])
            until = datetime.fromtimestamp(claims["exp"], UTC) if claims.get(RECOVERY) else None
            return Grant(claims["aud"], claims["sub"], until)
        if self._embed is None:
            raise Invalid
        claims = self._claims(token, self._embed, audience=None)
        return Grant("subject", claims["sub"])

    def _claims(self, token: str, key: bytes, audience: list[str] | None) -> dict[str, Any]:
        """Expiry is told by our clock, which tests move."""
        options: Any = {
            "require": ["sub", "exp"],
            "verify_exp": False,
            "verify_iat": False,
            "verify_aud": audience is not None,
        }
        try:
            claims: dict[str, Any] = jwt.decode(
                token, key, algorithms=[ALGORITHM], audience=audience, leeway=AHEAD, options=options
            )
            expires = datetime.fromtimestamp(int(claims["exp"]), UTC)
        except (jwt.PyJWTError, ValueError, TypeError, OverflowError, OSError):
            raise Invalid from None
        subject = claims["sub"]
        if not isinstance(subject, str) or not _is_name(subject):
            raise Invalid
        if expires <= self._clock.now():
            raise Expired
        return claims


def _is_name(subject: str) -> bool:
    """Whether a database may be asked for it."""
    try:
        return len(subject.encode()) > 0 and len(subject) <= LONGEST_SUBJECT and "\0" not in subject
    except UnicodeEncodeError:
        return False
