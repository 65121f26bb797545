"""Who is told, and how: ``[escalation]`` of ``heartrule.toml``."""

from __future__ import annotations

import os
import ssl
import tomllib
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator

from heartrule.engine.session.io import Helper
from heartrule.jobs.notice import Language, Security
from heartrule.llm.config import ConfigError

DESK, CONTACT = "desk", "contact"
"""Recipients that scripts may name without knowing the settings: the operator's own staff, and the person's contact."""
SHORTEST_SECRET = 16
FILE = "heartrule.toml"


class EscalationConfigError(ConfigError):
    """The settings cannot be used. The text is for whoever wrote them and holds no secret."""


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Smtp(_Table):
    """The operator's mail server. ``ca_file`` holds certificates that are trusted beside the system's."""

    host: Annotated[str, Field(min_length=1)]
    port: Annotated[int, Field(ge=1, le=65535)] = 587
    sender: Annotated[str, Field(pattern=r"^[^\r\n]*[^\s@]+@[^\s@]+$")]
    security: Security = "starttls"
    user: str | None = None
    password: SecretStr | None = None
    password_env: str | None = None
    ca_file: Path | None = None


class Recipient(_Table):
    """One name that scripts escalate to, with at least one way to reach it."""

    name: Annotated[str, Field(pattern=r"^[\w-]{1,60}$")]
    webhook: str | None = None
    secret: SecretStr | None = None
    secret_env: str | None = None
    email: Annotated[str, Field(pattern=r"^[^\s@]+@[^\s@]+$")] | None = None
    include_note: bool = False
    allow_private: bool = False
    ca_file: Path | None = None

    @field_validator("name")
    @classmethod
    def _not_the_contact(cls, value: str) -> str:
        if value == CONTACT:
            raise ValueError("this name stands for the contact that a person named themselves; call it otherwise")
        return value

    @field_validator("webhook")
    @classmethod
    def _an_address(cls, value: str | None) -> str | None:
        parts = urlsplit(value or "https://h")
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
            raise ValueError("must look like https://host/path")
        return value

    @model_validator(mode="after")
    def _reachable(self) -> Recipient:
        if not self.webhook and not self.email:
            raise ValueError("say where: `webhook`, `email` or both")
        if self.webhook and not (self.secret or self.secret_env):
            raise ValueError("a webhook needs a `secret` (or `secret_env`) that its receiver knows as well")
        if self.webhook and urlsplit(self.webhook).scheme == "http" and not self.allow_private:
            raise ValueError("a webhook outside the own network must be https")
        return self


class PushSettings(_Table):
    """Web Push to browsers of the staff. ``contact``: whom a push service may write to about what this server sends."""

    contact: Annotated[str, Field(pattern=r"^(mailto:[^\s@]+@[^\s@]+|https://\S+)$")]
    allow_private: bool = False
    ca_file: Path | None = None


class EscalationSettings(_Table):
    """``link``: where the desk is; ``{session}`` and ``{id}`` in it are filled in. ``address``: where this server is
    reached from outside, as ``https://name``: contacts whom persons name are sent a link there, to agree; without it
    none can be told. ``language`` of what the staff is told; otherwise that of the session. ``give_up_hours``: after
    these an escalation that nobody took has failed."""

    to: tuple[Recipient, ...] = ()
    smtp: Smtp | None = None
    push: PushSettings | None = None
    link: str | None = None
    address: Annotated[str, Field(pattern=r"^https?://[^\s/]+$")] | None = None
    language: Language | None = None
    give_up_hours: Annotated[float, Field(gt=0, le=24 * 90)] = 72.0

    @model_validator(mode="after")
    def _whole(self) -> EscalationSettings:
        names = [each.name for each in self.to]
        if len(set(names)) < len(names):
            raise ValueError("two recipients have the same name")
        if self.smtp is None and any(each.email for each in self.to):
            raise ValueError("an `email` needs `[escalation.smtp]`: host, sender")
        return self

    @property
    def asks(self) -> bool:
        """Whether a contact can be asked, and so be told."""
        return self.smtp is not None and self.address is not None

    def asking(self, token: str) -> str:
        """Where a contact agrees."""
        return f"{self.address}/contact/{token}"

    @property
    def give_up(self) -> timedelta:
        return timedelta(hours=self.give_up_hours)

    def reaches(self) -> frozenset[Helper]:
        """Who can be told at all: those on duty, and whom a person has named."""
        able: dict[Helper, bool] = {"desk": self.recipient(DESK) is not None, "contact": self.asks}
        return frozenset(helper for helper, can in able.items() if can)

    def recipient(self, name: str) -> Recipient | None:
        return next((each for each in self.to if each.name == name), None)

    @classmethod
    def load(cls, folder: Path, environment: Mapping[str, str] | None = None) -> EscalationSettings:
        """Of ``heartrule.toml`` here, else in ``folder``. Raises ``EscalationConfigError``, which says where."""
        environment = os.environ if environment is None else environment
        file = next((each / FILE for each in (Path.cwd(), folder) if (each / FILE).is_file()), None)
        try:
            found = tomllib.loads(file.read_text(encoding="utf-8")) if file else {}
            settings = cls.model_validate(found.get("escalation", {}))
        except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise EscalationConfigError(f"{file}: cannot be read: {type(error).__name__}") from None
        except ValidationError as error:
            raise EscalationConfigError("\n".join([f"{file}:", *_complaints(error)])) from None
        return _with_secrets(settings, environment, str(file))


def _complaints(error: ValidationError) -> Sequence[str]:
    """A line for each, with its place; items are counted from 1. No values, which may be secrets."""
    lines = []
    for each in error.errors(include_input=False, include_url=False, include_context=False):
        place = "escalation" + "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in each["loc"])
        message = "there is no such setting" if each["type"] == "extra_forbidden" else each["msg"]
        lines.append(f"{place}: {message.removeprefix('Value error, ')}")
    return lines


def _with_secrets(settings: EscalationSettings, environment: Mapping[str, str], file: str) -> EscalationSettings:
    faults: list[str] = []

    def read(place: str, said: SecretStr | None, name: str | None) -> SecretStr | None:
        if name is None:
            return said
        if said is not None:
            faults.append(f"{place}: the secret is given twice")
        if not (value := environment.get(name, "").strip()):
            faults.append(f"{place}_env: the environment has no {name}")
        return SecretStr(value)

    def recipient(number: int, each: Recipient) -> Recipient:
        place = f"escalation.to[{number}].secret"
        secret = read(place, each.secret, each.secret_env)
        if each.webhook and secret and 0 < len(secret.get_secret_value().encode()) < SHORTEST_SECRET:
            faults.append(f"{place}: must have at least {SHORTEST_SECRET} bytes")
        _ = trusted(each.ca_file, f"escalation.to[{number}].ca_file", faults)
        return each.model_copy(update={"secret": secret})

    to = tuple(recipient(number, each) for number, each in enumerate(settings.to, 1))
    smtp = settings.smtp
    if smtp is not None:
        password = read("escalation.smtp.password", smtp.password, smtp.password_env)
        _ = trusted(smtp.ca_file, "escalation.smtp.ca_file", faults)
        smtp = smtp.model_copy(update={"password": password})
    if faults:
        raise EscalationConfigError("\n".join([f"{file}:", *faults]))
    return settings.model_copy(update={"to": to, "smtp": smtp})


def trusted(file: Path | None, place: str = "", faults: list[str] | None = None) -> ssl.SSLContext | None:
    """What verifies certificates: the system's ones, and those of ``file`` beside them."""
    if file is None:
        return None
    try:
        context = ssl.create_default_context()
        context.load_verify_locations(file)
        return context
    except OSError as error:
        if faults is None:
            raise
        faults.append(f"{place}: cannot be read: {type(error).__name__}")
        return None
