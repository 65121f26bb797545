"""Tokens: signed notes that say what their bearer may open. Nothing about them is stored, so that any process that has
the data folder's keys can read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import jwt

from heartrule.identity.principal import EVERY, Principal, Role, is_name
from heartrule.identity.rights import Action
from heartrule.sessions.clock import Clock

OURS = "heartrule"
ALGORITHM = "HS256"
LIFETIMES: dict[str, timedelta] = {
    "session": timedelta(days=30),
    "recovery": timedelta(days=7),
    "person": timedelta(days=400),
    "desk": timedelta(hours=12),
}
LONGEST_SUBJECT = 255
RECOVERY = "recovery"
"""The claim of a token that was made for a recovery link."""
UNTIL = "until"
"""The claim of a token that ends with the identity by which it was asked for."""
MAKER = "by"
"""The claim of a token that one of the staff was given for a conversation of their own."""
LONGEST_SIGNED = timedelta(hours=24)
"""A service that embeds us signs for no longer: what leaks is soon worth nothing."""
AHEAD = timedelta(minutes=1)
"""By how much the clock of whoever embeds us may be ahead of ours."""

Opens = Literal["session", "person", "subject", "desk"]
Signer = Literal["token", "embedder"]
"""Who has signed for somebody of the staff: whoever has the data folder, or the service that embeds us."""
ROLES: tuple[Role, ...] = ("counsellor", "reviewer", "developer")
"""Whom a token may stand for: what changes accounts cannot be done with one."""


class Invalid(Exception):
    """Not a token of ours, or not one any more."""


class ExpiredToken(Invalid):
    pass


@dataclass(frozen=True, slots=True)
class Staff:
    """A program of the operator's, or of a service that embeds us, that acts for somebody of the staff, with the name
    that persons are shown. ``projects``: whose sessions they may
    see, by id; ``EVERY`` among them: all. ``id`` is what the ``signer`` calls them."""

    id: str
    name: str = field(repr=False)
    role: Role
    projects: tuple[str, ...]
    signer: Signer = "token"

    def may_see(self, project: str) -> bool:
        return EVERY in self.projects or project in self.projects


@dataclass(frozen=True, slots=True)
class Maker:
    """For whom of the staff a token was made: the ``account``, and the sign-in or the program (``service``) by which
    they asked, by their ids. It counts as long as that does, and they may do ``action``, to ``project`` of the
    workbench where one is named."""

    account: str
    sign_in: str | None
    service: str | None
    action: Action
    project: str = ""


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token opens: a ``session``, all of a ``person`` of the store, all of a ``subject``, as an embedding
    service names a person, or the ``desk`` for one of the ``staff``; ``principal``: as what, where it is the token of a
    program that the store knows. ``until``: that of a recovery link, of the staff's own, or of an identity that the
    service signed; nothing that comes of it may outlive it. ``lent``: it came by a recovery link: whoever has it may
    read and go on, and take nothing away. ``maker``: for whom of the staff it was made, who is asked after each time;
    what comes of it ends as it does."""

    opens: Opens
    id: str = field(repr=False)
    until: datetime | None = None
    staff: Staff | None = None
    lent: bool = False
    principal: Principal | None = None
    maker: Maker | None = None


@dataclass(frozen=True, slots=True)
class IssuedToken:
    token: str = field(repr=False)
    expires_at: datetime


class Tokens:
    """``key`` signs ours, ``embed`` those of the service that embeds us."""

    def __init__(self, key: bytes, embed: bytes | None, clock: Clock) -> None:
        self._key, self._embed, self._clock = key, embed, clock

    def of_session(self, session: str, by: Grant | None = None) -> IssuedToken:
        """``by``: what somebody came here with."""
        until, lent = (by.until, by.lent) if by is not None else (None, False)
        more = _made_for(by) | ({UNTIL: True} if until is not None and not lent else {})
        return self._issue("session", session, "recovery" if lent else "session", until, more)

    def recovery(self, session: str, by: Grant | None = None) -> IssuedToken:
        return self._issue("session", session, "recovery", by.until if by is not None else None, _made_for(by))

    def of_person(self, person: str) -> IssuedToken:
        return self._issue("person", person, "person")

    def of_staff(self, staff: Staff, lifetime: timedelta = LIFETIMES["desk"]) -> IssuedToken:
        """Raises ``Invalid`` for an id, a name or a scope that would not be read again."""
        more = {"role": staff.role, "name": staff.name, "projects": list(staff.projects)}
        _staff({"sub": staff.id, **more}, "token")
        return self._issue("desk", staff.id, "desk", self._clock.now() + lifetime, more)

    def _issue(
        self,
        opens: Opens,
        subject: str,
        lifetime: str,
        until: datetime | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> IssuedToken:
        expires = (until or self._clock.now() + LIFETIMES[lifetime]).replace(microsecond=0)
        claims: dict[str, Any] = {**(more or {}), "aud": opens, "sub": subject, "exp": int(expires.timestamp())}
        if lifetime == "recovery":
            claims[RECOVERY] = True
        return IssuedToken(jwt.encode(claims, self._key, ALGORITHM, headers={"kid": OURS}), expires)

    def read(self, token: str) -> Grant:
        """Raises ``Invalid``, ``ExpiredToken``."""
        try:
            header = jwt.get_unverified_header(token)
        except (jwt.PyJWTError, ValueError):
            raise Invalid from None
        if header.get("kid") == OURS:
            claims = self._claims(token, self._key, audience=["session", "person", "desk"])
            if claims["aud"] == "desk":
                return _desk(claims, "token")
            lent = bool(claims.get(RECOVERY))
            until = datetime.fromtimestamp(claims["exp"], UTC) if lent or claims.get(UNTIL) else None
            maker = Maker(**claims[MAKER]) if MAKER in claims else None
            return Grant(claims["aud"], claims["sub"], until, lent=lent, maker=maker)
        if self._embed is None:
            raise Invalid
        claims = self._claims(token, self._embed, audience=[OURS])
        until = datetime.fromtimestamp(int(claims["exp"]), UTC)
        if until > self._clock.now() + LONGEST_SIGNED + AHEAD:
            raise Invalid
        if claims.get("role") in ROLES:
            return _desk(claims, "embedder")
        return Grant("subject", claims["sub"], until)

    def _claims(self, token: str, key: bytes, audience: list[str]) -> dict[str, Any]:
        """Expiry is told by our clock, which tests move."""
        options: Any = {
            "require": ["sub", "exp", "aud"],
            "verify_exp": False,
            "verify_iat": False,
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
            raise ExpiredToken
        return claims


def _desk(claims: Mapping[str, Any], signer: Signer) -> Grant:
    until = datetime.fromtimestamp(int(claims["exp"]), UTC)
    return Grant("desk", claims["sub"], until, staff=_staff(claims, signer))


def _made_for(by: Grant | None) -> dict[str, Any]:
    return {MAKER: asdict(by.maker)} if by is not None and by.maker is not None else {}


def _staff(claims: Mapping[str, Any], signer: Signer) -> Staff:
    """Of claims that are signed. What is shown to persons as a name must look like one."""
    role, name, projects = claims.get("role"), claims.get("name"), claims.get("projects")
    if role not in ROLES or not isinstance(name, str) or not isinstance(projects, list) or not projects:
        raise Invalid
    if not is_name(name):
        raise Invalid
    if not all(isinstance(each, str) and _is_name(each) for each in (*projects, claims["sub"])):
        raise Invalid
    return Staff(claims["sub"], name, role, tuple(projects), signer)


def _is_name(subject: str) -> bool:
    """Whether a database may be asked for it."""
    try:
        return len(subject.encode()) > 0 and len(subject) <= LONGEST_SUBJECT and "\0" not in subject
    except UnicodeEncodeError:
        return False
