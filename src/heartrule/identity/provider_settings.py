"""What an operator says of the provider at which staff sign in: ``[server.staff.provider]`` of ``heartrule.toml``."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

from heartrule.identity.principal import PROJECT_ROLES, Role

Text = Annotated[str, Field(min_length=1, max_length=500)]


class Group(BaseModel):
    """What whoever is in a group of the provider's may do here. ``project``: only in this project of the workbench, by
    the id that it has there; empty: in all."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Text
    roles: Annotated[tuple[Role, ...], Field(min_length=1)]
    project: Annotated[str, Field(max_length=100)] = ""

    @model_validator(mode="after")
    def _can_be_granted(self) -> Self:
        if self.project and not set(self.roles) <= set(PROJECT_ROLES):
            raise ValueError(f"in one project there are only the roles {', '.join(PROJECT_ROLES)}")
        return self


class ProviderSettings(BaseModel):
    """``issuer``: its address, exactly as it says it itself; ``name``: as it is called on the button. ``client_id`` and
    ``client_secret``: as it knows us. ``scopes``: what is asked for. ``groups_claim``: where it tells the groups;
    ``groups``: which of them lets in, as what: at every sign-in anew, and whoever is in none is not let in. ``acr``:
    how strongly it must have asked who they are; empty: as it sees fit. ``max_age_minutes``: how long ago at most; 0:
    as it sees fit."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    issuer: Text
    name: Annotated[str, Field(min_length=1, max_length=60)]
    client_id: Text
    client_secret: SecretStr | None = None
    scopes: tuple[Text, ...] = ("openid", "profile", "email")
    groups_claim: Text = "groups"
    groups: Annotated[tuple[Group, ...], Field(min_length=1)]
    acr: tuple[Text, ...] = ()
    max_age_minutes: Annotated[int, Field(ge=0, le=10_080)] = 0

    @field_validator("issuer")
    @classmethod
    def _encrypted(cls, value: str) -> str:
        if not is_encrypted(value):
            raise ValueError("must be an https address")
        return value

    @field_validator("scopes")
    @classmethod
    def _openid(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return value if "openid" in value else ("openid", *value)


def is_encrypted(address: str) -> bool:
    """Whether nobody on the way can read along or answer: https, or this machine itself."""
    found = urlsplit(address)
    if found.scheme == "https":
        return bool(found.hostname)
    try:
        return found.scheme == "http" and ip_address(found.hostname or "").is_loopback
    except ValueError:
        return found.scheme == "http" and found.hostname == "localhost"
