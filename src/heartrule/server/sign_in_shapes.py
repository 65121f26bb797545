"""What is sent and answered of passkeys, of a provider, and of programs' tokens."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from heartrule.server.bodies import Body
from heartrule.server.shapes import Shape
from heartrule.server.staff_shapes import Secret, StaffName

Scope = Literal[
    "desk.read",
    "desk.write",
    "replies",
    "figures",
    "scripts.read",
    "scripts.write",
    "debug",
    "releases.read",
    "releases.write",
]
Credential = Annotated[dict[str, Any], Field(repr=False, max_length=20)]


class SignInWays(Shape):
    """``provider``: what the provider is called at which staff can sign in; null: there is none."""

    provider: str | None


class Options(Shape):
    """What ``navigator.credentials`` is asked with, as JSON."""

    options: dict[str, Any]


class CredentialBody(Body):
    """What ``navigator.credentials`` answered, as JSON."""

    credential: Credential


class NewPasskey(Body):
    """``title``: what its owner calls it."""

    credential: Credential
    title: StaffName


class PasskeyProof(Body):
    """``password``: where the account has one."""

    password: Annotated[Secret | None, Field(repr=False)] = None


class LinkName(Body):
    """``name``: what the first administrator signs in with."""

    name: StaffName | None = None


class PasskeyShape(Shape):
    """``synced``: its maker keeps a copy for other devices."""

    id: str
    title: str
    made_at: datetime
    used_at: datetime | None
    synced: bool


class PasskeyList(Shape):
    passkeys: list[PasskeyShape]


class ProviderBegun(Shape):
    """``url``: where the browser goes on."""

    url: str


class ProviderAnswer(Body):
    """What the provider sent the browser back with."""

    code: Annotated[str, Field(min_length=1, max_length=4096, repr=False)]
    state: Annotated[str, Field(min_length=1, max_length=200, repr=False)]
    iss: Annotated[str | None, Field(max_length=500)] = None


class SignedOut(Shape):
    """``url``: where the browser goes to be signed out at the provider as well; null: nowhere."""

    url: str | None


class NewService(Body):
    name: StaffName
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=9)]
    days: Annotated[int, Field(ge=1, le=366)] = 90


class ServiceShape(Shape):
    """``account`` and ``owner``: for whom it acts. ``used_at``: to a minute."""

    id: str
    account: str
    owner: str
    name: str
    scopes: list[Scope]
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None


class ServiceList(Shape):
    """``scopes``: those that a token of yours may have."""

    services: list[ServiceShape]
    scopes: list[Scope]


class MadeService(Shape):
    """``token`` is told once."""

    service: ServiceShape
    token: str
