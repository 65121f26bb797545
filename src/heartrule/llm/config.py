"""Which model to ask and how: ``heartrule.toml`` under ``[llm]``, with the environment over it."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from heartrule.engine.tasks import Role
from heartrule.llm.model import Model
from heartrule.llm.policy import DEADLINES, TURN_BUDGET, Policy
from heartrule.llm.prices import Price, Prices, table
from heartrule.llm.provider import Provider
from heartrule.llm.providers.openai_wire import OpenAIWire, endpoint

VARIABLES = {
    "HEARTRULE_LLM_BASE_URL": "base_url",
    "HEARTRULE_LLM_API_KEY": "api_key",
    "HEARTRULE_LLM_MODEL": "model",
}
PROVIDERS = "heartrule.providers"
"""Entry point group: a name and a callable that takes ``LlmSettings`` and gives a ``Provider``."""

Seconds = Annotated[float, Field(gt=0, le=600)]


class ConfigError(Exception):
    """The settings cannot be used. The text is for whoever wrote them and holds no secret."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Timeouts(_Part):
    """Seconds a single call may take, by role, and all calls of a turn together."""

    understand: Seconds = DEADLINES["understand"]
    generate: Seconds = DEADLINES["generate"]
    judge: Seconds = DEADLINES["judge"]
    turn: Seconds = TURN_BUDGET


Amount = Annotated[Decimal, Field(ge=0, le=1_000_000, allow_inf_nan=False)]


class PriceSettings(_Part):
    """``[llm.prices."model"]``: what a million tokens cost you, over the price we ship or where we know none."""

    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    input: Amount
    output: Amount
    cached: Amount | None = None
    read: date | None = None
    source: str = ""

    @property
    def price(self) -> Price:
        return Price(self.currency, self.input, self.output, self.cached, self.read, self.source)


class LlmSettings(_Part):
    """``[llm]``. Without ``base_url`` and ``model`` no provider is configured and the engine runs in script mode.

    ``extra`` is merged into every request's body (``{enable_thinking = false}``), ``headers`` are sent along;
    ``next`` is asked when this one fails. ``prices``, by model, hold for all of them.
    """

    provider: str = "openai"
    base_url: Annotated[str, Field(repr=False)] = ""
    api_key: SecretStr = SecretStr("")
    model: str = ""
    structured_output: Literal["auto", "json_schema", "json_object", "prompt"] = "auto"
    timeouts: Timeouts = Timeouts()
    time_scale: Annotated[float, Field(gt=0, le=100)] = 1.0
    max_tokens: Annotated[int, Field(ge=16)] | None = 1500
    extra: dict[str, Any] = {}
    headers: dict[str, str] = {}
    prices: dict[str, PriceSettings] = {}
    next: LlmSettings | None = None

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, value: str) -> str:
        if value:
            endpoint(value)
        return value

    @property
    def configured(self) -> bool:
        return bool(self.model) and (bool(self.base_url) or self.provider != "openai")

    @property
    def stand_ins(self) -> tuple[LlmSettings, ...]:
        """Those that are asked, one after the other, when this one fails."""
        found: list[LlmSettings] = []
        each = self.next if self.configured else None
        while each is not None and each.configured:
            found.append(each)
            each = each.next
        return tuple(found)

    @property
    def origin(self) -> str:
        """Scheme, host and port of ``base_url``, for people to read: the rest of an address may hold a secret. Empty
        without one."""
        try:
            parts = urlsplit(self.base_url.strip())
            host, port = parts.hostname, parts.port
        except ValueError:
            return ""
        if not host:
            return ""
        return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{f':{port}' if port is not None else ''}"


def load_settings(file: Path | None = None, environment: Mapping[str, str] | None = None) -> LlmSettings:
    """Settings from ``file`` (it may be absent) and the environment, which wins. Raises ConfigError."""
    found: dict[str, Any] = {}
    if file is not None and _stands(file):
        try:
            found = tomllib.loads(file.read_text(encoding="utf-8")).get("llm", {})
        except OSError as error:
            raise _unreadable(file, error) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ConfigError(f"{file.name}: not TOML: {error}") from None
        if not isinstance(found, dict):
            raise ConfigError(f"{file.name}: [llm] must be a table")
    environment = os.environ if environment is None else environment
    given = {field: environment[name].strip() for name, field in VARIABLES.items() if environment.get(name, "").strip()}
    try:
        settings = LlmSettings.model_validate({**found, **given})
    except ValidationError as error:
        raise ConfigError(_plain(error, file)) from None
    _check(settings)
    return settings


def _stands(file: Path) -> bool:
    try:
        return file.exists()
    except OSError as error:
        raise _unreadable(file, error) from None


def _unreadable(file: Path, error: OSError) -> ConfigError:
    if isinstance(error, IsADirectoryError):
        return ConfigError(f"{file}: this is a folder; the settings are a file of this name")
    return ConfigError(f"{file}: the settings cannot be read: {error.strerror or type(error).__name__}")


def _plain(error: ValidationError, file: Path | None) -> str:
    lines = []
    for each in error.errors(include_input=False, include_url=False, include_context=False):
        where = ".".join(str(part) for part in each["loc"])
        spelling = next((name for name, field in VARIABLES.items() if field == where), "")
        message = each["msg"].removeprefix("Value error, ")
        lines.append(f"llm.{where}{f' ({spelling})' if spelling else ''}: {message}")
    return "\n".join([f"{file.name if file else 'environment'}:", *lines])


def _check(settings: LlmSettings) -> None:
    """One without the other is a mistake, not script mode."""
    if settings.provider == "openai" and bool(settings.base_url) != bool(settings.model):
        missing = "HEARTRULE_LLM_MODEL (llm.model)" if settings.base_url else "HEARTRULE_LLM_BASE_URL (llm.base_url)"
        raise ConfigError(f"{missing} is missing; set both to use a model, or neither to run without one")
    if settings.next is not None:
        _check(settings.next)


def build_provider(settings: LlmSettings) -> Provider:
    """The provider that ``settings`` name: ours, or one that another package announces. Raises ConfigError."""
    if settings.provider != "openai":
        for each in entry_points(group=PROVIDERS, name=settings.provider):
            provider: Provider = each.load()(settings)
            return provider
        raise ConfigError(f"llm.provider: no installed package announces a provider {settings.provider!r}")
    try:
        return OpenAIWire(
            settings.base_url,
            settings.model,
            settings.api_key.get_secret_value(),
            structured=None if settings.structured_output == "auto" else settings.structured_output,
            extra=settings.extra,
            headers=settings.headers,
        )
    except ValueError as error:
        raise ConfigError(f"llm: {error}") from None


def build_model(settings: LlmSettings) -> Model:
    """The model layer as configured; without a provider it answers ``absent`` to everything."""
    configured = [settings, *settings.stand_ins] if settings.configured else []
    providers = [build_provider(each) for each in configured]
    times = settings.timeouts
    deadlines: dict[Role, float] = {
        "understand": times.understand,
        "generate": times.generate,
        "judge": times.judge,
    }
    policy = Policy(
        deadlines=deadlines,
        turn_budget=times.turn,
        time_scale=settings.time_scale,
        max_tokens=settings.max_tokens,
    )
    return Model(providers, policy, prices=_prices(settings))


def _prices(settings: LlmSettings) -> Prices:
    """What the first says of a model counts."""
    said = [settings, *settings.stand_ins]
    own = {name: each.price for one in reversed(said) for name, each in one.prices.items()}
    return Prices(own, table() if settings.configured else None)


def model_from_environment(folder: Path) -> Model:
    """The model that this machine is set up for: ``heartrule.toml`` here or in ``folder``, and the environment."""
    return build_model(settings_of_machine(folder))


def settings_of_machine(folder: Path) -> LlmSettings:
    """Of ``heartrule.toml`` here, else in ``folder``, and the environment. Raises ConfigError."""
    places = [place / "heartrule.toml" for place in (Path.cwd(), folder)]
    return load_settings(next((place for place in places if _stands(place)), None))
