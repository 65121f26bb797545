"""What the staff's own routes are sent and answer: who is signed in, accounts, links."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from heartrule.identity.principal import LONGEST_NAME, Role
from heartrule.server.bodies import Body, speakable
from heartrule.server.shapes import Count, Shape

StaffName = Annotated[str, AfterValidator(speakable), Field(min_length=1, max_length=LONGEST_NAME)]
Secret = Annotated[str, AfterValidator(speakable), Field(min_length=1, max_length=256)]
Code = Annotated[str, Field(min_length=6, max_length=40, pattern=r"^[A-Za-z0-9 -]+$")]
StaffLocale = Literal["zh-CN", "en"]
ProjectId = Annotated[str, Field(pattern=r"^(\*|[A-Za-z0-9_.-]{1,100})$")]


class GrantedBody(Body):
    """A role in one project of the workbench, by the id that it has there."""

    role: Literal["developer", "reviewer"]
    project: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,100}$")]


Granted = Annotated[list[GrantedBody], Field(max_length=200)]


class SignInBody(Body):
    """``code``: of the app, or a recovery code, where codes are asked for."""

    name: StaffName
    password: Annotated[Secret, Field(repr=False)]
    code: Annotated[Code | None, Field(repr=False)] = None


class LinkBody(Body):
    """``name``: what the first administrator signs in with."""

    name: StaffName | None = None
    password: Annotated[Secret, Field(repr=False)]


class PasswordBody(Body):
    old: Annotated[Secret, Field(repr=False)]
    new: Annotated[Secret, Field(repr=False)]


class ProofBody(Body):
    password: Annotated[Secret, Field(repr=False)]


class CodeBody(Body):
    code: Annotated[Code, Field(repr=False)]


class OwnBody(Body):
    """``name``: what persons are shown."""

    name: StaffName | None = None
    locale: StaffLocale | None = None


class NewAccount(Body):
    name: StaffName
    shown_name: StaffName | None = None
    roles: Annotated[list[Role], Field(max_length=4)]
    projects: Annotated[list[ProjectId], Field(min_length=1, max_length=100)] = ["*"]
    granted: Granted = []
    locale: StaffLocale = "zh-CN"


class AccountChange(Body):
    roles: Annotated[list[Role], Field(max_length=4)] | None = None
    projects: Annotated[list[ProjectId], Field(min_length=1, max_length=100)] | None = None
    granted: Granted | None = None
    shown_name: StaffName | None = None
    disabled: bool | None = None


class ProjectRoleShape(Shape):
    """A role in one project of the workbench, by the id that it has there."""

    role: Role
    project: str


class PrincipalShape(Shape):
    """``name``: what persons are shown. ``projects``: whose sessions they may see; ``*``: all. ``granted``: roles in
    one project alone, beside ``roles``."""

    id: str
    name: str
    roles: list[Role]
    locale: str
    projects: list[str]
    granted: list[ProjectRoleShape]


class SignedInShape(Shape):
    """``csrf`` goes along, as ``X-CSRF-Token``, with everything that changes something."""

    principal: PrincipalShape
    csrf: str


class LinkUsed(Shape):
    """Both null: the password is chosen, and a one-time code is asked for to sign in."""

    principal: PrincipalShape | None
    csrf: str | None


class LinkShape(Shape):
    """``name``: whose; null: of the first administrator, who chooses one. ``passkey``: whether a passkey can be chosen
    by it: not where one-time codes are on, which no link goes past."""

    kind: Literal["first", "invitation", "reset"]
    name: str | None
    passkey: bool
    expires_at: datetime


class SignInShape(Shape):
    """``agent``: which browser it says it is; ``current``: the one that asks."""

    id: str
    agent: str
    created_at: datetime
    seen_at: datetime
    expires_at: datetime
    current: bool


class SignInList(Shape):
    sign_ins: list[SignInShape]


class Security(Shape):
    """``password``: whether there is one. ``provider``: a provider signs them in, and nothing else does."""

    totp: bool
    recovery_codes_left: Count
    password: bool
    provider: bool


class CodesBegun(Shape):
    """``uri``: what an app reads as a QR code."""

    secret: str
    uri: str


class RecoveryCodes(Shape):
    recovery_codes: list[str]


class AccountShape(Shape):
    """``name``: what they sign in with. ``invited``: they have not chosen yet what they sign in by. ``provider``: a
    provider signs them in, and its groups say what they may."""

    id: str
    name: str
    shown_name: str
    roles: list[Role]
    projects: list[str]
    granted: list[ProjectRoleShape]
    locale: str
    disabled: bool
    invited: bool
    totp: bool
    passkeys: Count
    provider: bool
    created_at: datetime
    seen_at: datetime | None


class AccountList(Shape):
    accounts: list[AccountShape]


class NamedProject(Shape):
    """A project of the workbench, by the id that it has there; ``owner``: the name of whose it is."""

    id: str
    name: str
    owner: str


class NamedProjects(Shape):
    projects: list[NamedProject]


class MadeLinkShape(Shape):
    """To be given to whoever it is for; it opens once."""

    url: str
    token: str
    kind: Literal["first", "invitation", "reset"]
    expires_at: datetime


class InvitedStaff(Shape):
    account: AccountShape
    link: MadeLinkShape


class AuditShape(Shape):
    """``name``: as the account is called now; null: there is none."""

    at: datetime
    who: str
    name: str | None
    role: str
    what: str
    session: str | None
    detail: str | None


class AuditList(Shape):
    """The newest first."""

    records: list[AuditShape]
