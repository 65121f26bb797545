"""What an operator says of signing in: ``[server.staff]`` of ``heartrule.toml``."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

from heartrule.identity.provider_settings import ProviderSettings


class StaffSettings(BaseModel):
    """``origin``: the address at which the staff come (``https://desk.example.org``): then cookies are ``Secure``,
    requests of pages of another origin are refused, and links are whole addresses. Empty: the address that they asked
    at. ``cookie``: the name of the cookie, without its prefix. ``hours``: how long a sign-in lasts at most;
    ``idle_minutes``: unused. ``link_hours``: how long a link by which a password is chosen counts.
    ``absent_minutes``: a counsellor who gives no sign of life for so long gives the sessions back that they hold.
    ``provider``: where staff sign in beside accounts of our own. ``proof_minutes``: so long after they signed in
    somebody without a password may change what they sign in by."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    origin: Annotated[str, Field(max_length=200)] = ""
    cookie: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")] = "heartrule"
    hours: Annotated[float, Field(gt=0, le=168)] = 12.0
    idle_minutes: Annotated[float, Field(gt=0, le=10_080)] = 120.0
    link_hours: Annotated[float, Field(gt=0, le=720)] = 24.0
    absent_minutes: Annotated[float, Field(ge=1, le=240)] = 5.0
    proof_minutes: Annotated[float, Field(gt=0, le=120)] = 10.0
    provider: ProviderSettings | None = None

    @field_validator("origin")
    @classmethod
    def _bare(cls, value: str) -> str:
        if not value:
            return value
        found = urlsplit(value)
        if found.scheme not in ("http", "https") or not found.netloc or found.path.strip("/") or found.query:
            raise ValueError("must be an origin such as https://desk.example.org, without a path")
        return f"{found.scheme}://{found.netloc.lower()}"

    @property
    def secure(self) -> bool:
        return self.origin.startswith("https:")

    @property
    def longest(self) -> timedelta:
        return timedelta(hours=self.hours)

    @property
    def idle(self) -> timedelta:
        return timedelta(minutes=self.idle_minutes)

    @property
    def absent(self) -> timedelta:
        return timedelta(minutes=self.absent_minutes)

    @property
    def proof_lasts(self) -> timedelta:
        return timedelta(minutes=self.proof_minutes)

    @property
    def links_last(self) -> timedelta:
        return timedelta(hours=self.link_hours)
