"""What ``heartrule.toml`` may say under ``[llm]``: the models that may be asked, and how long and how much."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

from heartrule.engine.session.tasks import Role
from heartrule.llm.budget import STAGES, Budget, Stage
from heartrule.llm.capabilities import UNKNOWN, Capabilities, names
from heartrule.llm.policy import DEADLINES, TIERS, TURN_BUDGET, Tier
from heartrule.llm.prices import PARTS, Price
from heartrule.llm.providers.openai_wire import endpoint

Seconds = Annotated[float, Field(gt=0, le=600)]
Amount = Annotated[Decimal, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$")]


VENDORS = "pydantic-ai"
"""The provider whose models name their vendor: ``anthropic:claude-…``."""


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Timeouts(Part):
    """Seconds a single call may take, by role, and all calls of a turn together."""

    understand: Seconds = DEADLINES["understand"]
    generate: Seconds = DEADLINES["generate"]
    judge: Seconds = DEADLINES["judge"]
    turn: Seconds = TURN_BUDGET


class ModelTimeouts(Part):
    """Of one model, over those of all."""

    understand: Seconds | None = None
    generate: Seconds | None = None
    judge: Seconds | None = None

    @property
    def by_role(self) -> dict[Role, float]:
        told: dict[Role, float | None] = {
            "understand": self.understand,
            "generate": self.generate,
            "judge": self.judge,
        }
        return {role: seconds for role, seconds in told.items() if seconds is not None}


class PriceSettings(Part):
    """What a million tokens cost you, over the price we ship or where we know none."""

    currency: Currency
    input: Amount
    output: Amount
    cached: Amount | None = None
    read: date | None = None
    source: str = ""

    @property
    def price(self) -> Price:
        return Price(self.currency, self.input, self.output, self.cached, self.read, self.source)


class BudgetSettings(Part):
    """``[llm.budget]``: the most a turn may take, in seconds and in money, whatever a project or a session says, and
    what is given up first when that is not enough."""

    max_latency: Seconds | None = None
    max_cost: Annotated[Decimal, Field(gt=0, le=1_000_000, allow_inf_nan=False)] | None = None
    currency: Currency | None = None
    give_up: tuple[Stage, ...] = STAGES

    @model_validator(mode="after")
    def _is_whole(self) -> BudgetSettings:
        if (self.max_cost is None) != (self.currency is None):
            raise ValueError("max_cost and currency belong together; write both, or neither")
        if sorted(self.give_up) != sorted(STAGES):
            raise ValueError(f"give_up must name each of these once: {', '.join(STAGES)}")
        return self

    @property
    def budget(self) -> Budget:
        cost = None if self.max_cost is None else int(self.max_cost * PARTS)
        return Budget(self.max_latency, cost, self.currency or "", self.give_up)


class ModelAddress(Part):
    """Where a model is and how it is spoken to. ``extra`` is merged into every request's body
    (``{enable_thinking = false}``), ``headers`` are sent along; ``concurrency``: most calls at once. What the model can
    do is known from a table, by its address or by the entry that is called ``dialect``; ``capabilities`` put it right.
    ``thinking``: whether it may think before it answers."""

    provider: str = "openai"
    base_url: Annotated[str, Field(repr=False)] = ""
    api_key: SecretStr = SecretStr("")
    api_key_env: str = ""
    model: str = ""
    structured_output: Literal["auto", "json_schema", "json_object", "prompt"] = "auto"
    concurrency: Annotated[int, Field(ge=1, le=10_000)] | None = None
    dialect: str = ""
    thinking: bool = False
    capabilities: Capabilities = UNKNOWN
    extra: dict[str, Any] = {}
    headers: dict[str, str] = {}

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, value: str) -> str:
        if value:
            endpoint(value)
        return value

    @field_validator("dialect")
    @classmethod
    def _is_listed(cls, value: str) -> str:
        if value and value not in names():
            raise ValueError(f"there is no such dialect; it is one of {', '.join(names())}")
        return value

    @property
    def origin(self) -> str:
        """Scheme, host and port of ``base_url``, for people to read: the rest of an address may hold a secret. Without
        one, the vendor that ``model`` names, or nothing."""
        if not self.base_url and self.provider == VENDORS:
            return self.model.partition(":")[0]
        try:
            parts = urlsplit(self.base_url.strip())
            host, port = parts.hostname, parts.port
        except ValueError:
            return ""
        if not host:
            return ""
        return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{f':{port}' if port is not None else ''}"


class ModelSettings(ModelAddress):
    """``[[llm.models]]``. ``weight``: its share of the conversations among the models of a tier; one of 0 is asked only
    when none of the others can be. ``timeouts``, ``max_tokens`` and ``price`` hold for this model, over what is said
    for all."""

    name: str = ""
    tiers: Annotated[tuple[Tier, ...], Field(min_length=1)] = TIERS
    weight: Annotated[float, Field(ge=0, le=1000)] = 1.0
    timeouts: ModelTimeouts = ModelTimeouts()
    max_tokens: Annotated[int, Field(ge=16)] | None = None
    price: PriceSettings | None = None

    @property
    def called(self) -> str:
        return self.name or self.model


class PictureSettings(Part):
    """Where pictures are made (``ai_pic``). ``seconds``: how long one is waited for at most. ``extra`` is merged into
    the request's body."""

    base_url: Annotated[str, Field(repr=False, min_length=1)]
    model: Annotated[str, Field(min_length=1)]
    api_key: SecretStr = SecretStr("")
    api_key_env: str = ""
    size: Annotated[str, Field(pattern=r"^\d{2,4}x\d{2,4}$")] = "1024x1024"
    seconds: Annotated[float, Field(gt=0, le=60)] = 20.0
    extra: dict[str, Any] = {}

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, value: str) -> str:
        endpoint(value)
        return value

    @property
    def origin(self) -> str:
        """As that of a model."""
        return ModelAddress(base_url=self.base_url).origin


class EmbeddingSettings(Part):
    """Where vectors of meaning come from, for memory. ``seconds``: how long a batch is waited for at most. ``extra`` is
    merged into the request's body."""

    base_url: Annotated[str, Field(repr=False, min_length=1)]
    model: Annotated[str, Field(min_length=1)]
    api_key: SecretStr = SecretStr("")
    api_key_env: str = ""
    seconds: Annotated[float, Field(gt=0, le=120)] = 20.0
    extra: dict[str, Any] = {}

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, value: str) -> str:
        endpoint(value)
        return value

    @property
    def origin(self) -> str:
        """As that of a model."""
        return ModelAddress(base_url=self.base_url).origin


class LlmSettings(ModelAddress):
    """``[llm]``. Without any model the engine runs in script mode.

    ``models`` are those that may be asked; ``base_url``, ``model`` and the rest of ``ModelAddress`` beside it are the
    short spelling of a list of one. ``prices``, by model, hold wherever it is asked.
    """

    models: tuple[ModelSettings, ...] = ()
    timeouts: Timeouts = Timeouts()
    time_scale: Annotated[float, Field(gt=0, le=100)] = 1.0
    max_tokens: Annotated[int, Field(ge=16)] | None = 1500
    prices: dict[str, PriceSettings] = {}
    budget: BudgetSettings = BudgetSettings()
    pictures: PictureSettings | None = None
    embeddings: EmbeddingSettings | None = None

    @property
    def configured(self) -> bool:
        return bool(self.all_models)

    @property
    def all_models(self) -> tuple[ModelSettings, ...]:
        """Every model that may be asked."""
        if self.models:
            return self.models
        if not self.model or (self.provider == "openai" and not self.base_url):
            return ()
        return (ModelSettings(**{field: getattr(self, field) for field in ModelAddress.model_fields}),)
