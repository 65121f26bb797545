"""What the server is told: where to listen, what to allow."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator

from heartrule.identity.settings import StaffSettings

SHORTEST_SECRET = 32
TRUE = frozenset({"1", "true", "yes", "on"})
LEVELS = ("none", "summary", "full")
"""How much debug sessions may see, from nothing to everything."""


class ServerConfigError(Exception):
    """The settings cannot be used. The text is for whoever wrote them and holds no secret."""


class Rates(BaseModel):
    """Requests a minute. ``token``: of one token, ``address``: of one network address, ``sessions``: new sessions of
    one address, ``turns``: turns of one session (messages, drafts of forms, and others, each by itself), ``pages``: of
    one address, outside the API. 0: without limit."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    token: Annotated[int, Field(ge=0)] = 600
    address: Annotated[int, Field(ge=0)] = 1200
    sessions: Annotated[int, Field(ge=0)] = 60
    turns: Annotated[int, Field(ge=0)] = 120
    pages: Annotated[int, Field(ge=0)] = 1200


class Operator(BaseModel):
    """Who runs this, as persons are told before they begin: a name, and how to reach them (an address, a number, a
    page)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(min_length=1, max_length=200)]
    contact: Annotated[str, Field(min_length=1, max_length=200)]


class Backups(BaseModel):
    """Copies of what is kept, made by the server itself: into ``folder`` every ``hours``, of which the newest ``keep``
    stay. The keys are never among them (``heartrule backup --keys``)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    folder: Path
    hours: Annotated[float, Field(gt=0, le=24 * 31)] = 24.0
    keep: Annotated[int, Field(ge=1, le=10_000)] = 14


class ServerSettings(BaseModel):
    """``[server]`` of ``heartrule.toml``, with the environment over it.

    ``origins``: other origins that may call the API from a browser (CORS); none by default. ``embed_secret``: signs the
    person tokens of a service that embeds us (HS256, at least 32 bytes). ``streams``: live event streams that may be
    open at once, in all, for one session and from
    one address. ``trusted_proxies``: addresses of proxies in front of us that are believed
    whose request they pass on (``X-Forwarded-For``); none by default. ``stop_seconds``: how long running turns may take
    when the server stops. ``debug``: how much debug sessions may see; ``development``: nobody's real words are in here,
    so that even prompts and what is known of persons may be seen. ``trace_content``: traces hold what models were sent
    and what they answered, word for word. ``recall_seconds``: how long after it was said the last thing that a
    person said can be taken back with all that came of it. ``persistence``: the longest that a visitor's device may
    keep what opens their sessions: until it is removed, as long as the tab, not at all. ``review_share``: the share of
    replies, 0 to 1, that counsellors are given to judge beside those that persons reported.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    prepare: bool = True
    """Whether what a first turn needs is worked out before the server is ready."""
    debug: Literal["full", "summary", "none"] = "none"
    development: bool = False
    trace_content: bool = False
    origins: tuple[str, ...] = ()
    embed_secret: SecretStr | None = None
    rates: Rates = Rates()
    streams: Annotated[int, Field(ge=1)] = 10_000
    streams_a_session: Annotated[int, Field(ge=1)] = 20
    streams_an_address: Annotated[int, Field(ge=1)] = 100
    hosts: tuple[str, ...] = ()
    """Names that the server goes by; ``*.`` before one takes those beneath it. Empty: any, but on a loopback address
    without a trusted proxy only ``localhost`` and addresses, lest a page of another origin takes a name of its own for
    ours."""
    strict_transport: bool = True
    """Whether browsers are told to ask for this name and those beneath it encrypted only (HSTS), wherever the server is
    reached so, or its ``origin`` says so."""
    metrics_token: SecretStr | None = None
    """What ``/metrics`` asks for as a bearer token. Without it only this machine is told."""
    trusted_proxies: tuple[str, ...] = ()
    stop_seconds: Annotated[float, Field(gt=0, le=300)] = 25.0
    sweep_seconds: Annotated[float, Field(gt=0, le=300)] = 5.0
    exit_page: Annotated[str, Field(max_length=500)] = ""
    """Where somebody is taken who leaves at once; nothing on it may have to do with us. Empty: a search page or an
    encyclopaedia, by language."""
    recall_seconds: Annotated[float, Field(ge=0, le=86_400)] = 120.0
    persistence: Literal["device", "session", "none"] = "device"
    review_share: Annotated[float, Field(ge=0, le=1)] = 0.0
    operator: Operator | None = None
    backup: Backups | None = None
    certificate: Path | None = None
    """A PEM file with the certificate (and those between it and the root): the server then speaks TLS itself."""
    certificate_key: Path | None = None
    """Its private key, where it is not in the same file."""
    staff: StaffSettings = StaffSettings()
    packages: str = ""
    """The index of packages that the workbench shows: a folder or an https address; empty: none."""
    risk_files: tuple[Path, ...] = ()
    """Labelled utterances (JSON Lines) that the rules of a safety project are held against before it is published."""
    keep_days: Annotated[int, Field(ge=0, le=36_500)] = 0
    """So many days after something last happened in it a session is removed for good; 0: when somebody deletes it."""

    @field_validator("embed_secret", "metrics_token")
    @classmethod
    def _long_enough(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and len(value.get_secret_value().encode()) < SHORTEST_SECRET:
            raise ValueError(f"must have at least {SHORTEST_SECRET} bytes")
        return value

    @model_validator(mode="after")
    def _whole_certificate(self) -> Self:
        if self.certificate_key is not None and self.certificate is None:
            raise ValueError("certificate_key needs certificate")
        return self

    @field_validator("exit_page")
    @classmethod
    def _elsewhere(cls, value: str) -> str:
        if value and not _is_public_page(value):
            raise ValueError("must be an https address of a public page, without a name or password in it")
        return value

    @classmethod
    def load(
        cls, folder: Path, *, debug: str | None = None, environment: Mapping[str, str] | None = None
    ) -> ServerSettings:
        """Of ``heartrule.toml`` here, else in ``folder``; ``HEARTRULE_DEBUG``, ``HEARTRULE_DEVELOPMENT``,
        ``HEARTRULE_EMBED_SECRET``, ``HEARTRULE_OIDC_SECRET``, ``HEARTRULE_PACKAGES``, ``HEARTRULE_PREPARE`` and
        ``HEARTRULE_RISK_FILES`` (``:`` between) win. Raises ``ServerConfigError``."""
        environment = os.environ if environment is None else environment
        given = _table(folder)
        if secret := environment.get("HEARTRULE_EMBED_SECRET", "").strip():
            given["embed_secret"] = secret
        if token := environment.get("HEARTRULE_METRICS_TOKEN", "").strip():
            given["metrics_token"] = token
        if secret := environment.get("HEARTRULE_OIDC_SECRET", "").strip():
            _provider_of(given)["client_secret"] = secret
        if wanted := debug or environment.get("HEARTRULE_DEBUG", "").strip().lower():
            given["debug"] = wanted
        if told := environment.get("HEARTRULE_DEVELOPMENT", "").strip().lower():
            given["development"] = told in TRUE
        if index := environment.get("HEARTRULE_PACKAGES", "").strip():
            given["packages"] = index
        if files := environment.get("HEARTRULE_RISK_FILES", "").strip():
            given["risk_files"] = files.split(os.pathsep)
        if told := environment.get("HEARTRULE_PREPARE", "").strip().lower():
            given["prepare"] = told in TRUE
        try:
            found = cls.model_validate(given)
        except ValidationError as error:
            lines = [
                f"server.{'.'.join(str(part) for part in each['loc'])}: {each['msg'].removeprefix('Value error, ')}"
                for each in error.errors(include_input=False, include_url=False, include_context=False)
            ]
            raise ServerConfigError("\n".join(lines)) from None
        for file in found.risk_files:
            if not file.is_file():
                raise ServerConfigError(f"server.risk_files: there is no file {file}")
        for file in filter(None, (found.certificate, found.certificate_key)):
            if not file.is_file():
                raise ServerConfigError(f"server.certificate: there is no file {file}")
        return found


def _provider_of(given: dict[str, Any]) -> dict[str, Any]:
    """The table of the provider, where there is one; a secret alone makes none."""
    staff = given.get("staff")
    provider = staff.get("provider") if isinstance(staff, dict) else None
    if not isinstance(provider, dict):
        raise ServerConfigError("HEARTRULE_OIDC_SECRET needs [server.staff.provider]")
    return provider


def _is_public_page(address: str) -> bool:
    try:
        found = urlsplit(address)
        proper = found.port != 0 and bool(found.hostname) and found.username is None and found.password is None
    except ValueError:
        return False
    return proper and found.scheme == "https" and re.fullmatch(r"[!-~]+", address) is not None


def _table(folder: Path) -> dict[str, Any]:
    for file in (Path.cwd() / "heartrule.toml", folder / "heartrule.toml"):
        if not file.is_file():
            continue
        try:
            found = tomllib.loads(file.read_text(encoding="utf-8")).get("server", {})
        except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ServerConfigError(f"{file}: cannot be read: {type(error).__name__}") from None
        if not isinstance(found, dict):
            raise ServerConfigError(f"{file}: [server] must be a table")
        return dict(found)
    return {}
