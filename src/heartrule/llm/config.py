"""Which models to ask and how: ``heartrule.toml`` under ``[llm]``, with the environment over it."""

from __future__ import annotations

import os
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from pydantic import SecretStr, ValidationError

from heartrule.engine.session.tasks import Role
from heartrule.llm.capabilities import Capabilities, known
from heartrule.llm.complaints import complaints
from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.prices import Prices, table
from heartrule.llm.provider import Provider
from heartrule.llm.providers.openai_embeddings import OpenAIEmbeddings
from heartrule.llm.providers.openai_pictures import OpenAIPictures
from heartrule.llm.providers.openai_wire import OpenAIWire
from heartrule.llm.settings import LlmSettings, ModelAddress, ModelSettings
from heartrule.llm.upstream import Offer

VARIABLES = {
    "HEARTRULE_LLM_BASE_URL": "base_url",
    "HEARTRULE_LLM_API_KEY": "api_key",
    "HEARTRULE_LLM_MODEL": "model",
}
PROVIDERS = "heartrule.providers"
"""Entry point group: a name and a callable that takes ``ModelSettings`` and gives a ``Provider``."""


class ConfigError(Exception):
    """The settings cannot be used. The text is for whoever wrote them and holds no secret."""


def load_settings(file: Path | None = None, environment: Mapping[str, str] | None = None) -> LlmSettings:
    """Settings from ``file`` (it may be absent) and the environment, which wins. Raises ConfigError."""
    environment = os.environ if environment is None else environment
    found = _with(environment, _read(file) if file is not None and _stands(file) else {})
    where = file.name if file else "environment"
    try:
        settings = LlmSettings.model_validate(found)
    except ValidationError as error:
        raise ConfigError("\n".join([f"{where}:", *complaints(error, LlmSettings, VARIABLES)])) from None
    if faults := [*_incomplete(settings), *_same_names(settings), *_keys_missing(settings, environment)]:
        raise ConfigError("\n".join([f"{where}:", *faults]))
    return _with_keys(settings, environment)


def _read(file: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8")).get("llm", {})
    except OSError as error:
        raise _unreadable(file, error) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file.name}: not TOML: {error}") from None
    if not isinstance(found, dict):
        raise ConfigError(f"{file.name}: [llm] must be a table")
    return found


def _with(environment: Mapping[str, str], found: dict[str, Any]) -> dict[str, Any]:
    """A model that the environment names is the only one; a key alone is for the one of the short spelling."""
    given = {field: environment[name].strip() for name, field in VARIABLES.items() if environment.get(name, "").strip()}
    if not found.get("models"):
        return {**found, **given}
    if not {"base_url", "model"} & set(given):
        return found
    return {**{key: value for key, value in found.items() if key != "models"}, **given}


def _stands(file: Path) -> bool:
    try:
        return file.exists()
    except OSError as error:
        raise _unreadable(file, error) from None


def _unreadable(file: Path, error: OSError) -> ConfigError:
    if isinstance(error, IsADirectoryError):
        return ConfigError(f"{file}: this is a folder; the settings are a file of this name")
    return ConfigError(f"{file}: the settings cannot be read: {error.strerror or type(error).__name__}")


def _places(settings: LlmSettings) -> list[tuple[str, ModelAddress]]:
    """Where each model is described."""
    listed: list[tuple[str, ModelAddress]] = [
        (f"llm.models[{n}]", each) for n, each in enumerate(settings.models, start=1)
    ]
    return listed or [("llm", settings)]


def _incomplete(settings: LlmSettings) -> list[str]:
    """One without the other is a mistake, not script mode."""
    if not settings.models:
        if settings.provider != "openai" or bool(settings.base_url) == bool(settings.model):
            return []
        missing = "HEARTRULE_LLM_MODEL (llm.model)" if settings.base_url else "HEARTRULE_LLM_BASE_URL (llm.base_url)"
        return [f"{missing} is missing; set both to use a model, or neither to run without one"]
    faults = []
    if beside := [field for field in ModelAddress.model_fields if field in settings.model_fields_set]:
        told = ", ".join(f"llm.{field}" for field in beside)
        faults.append(f"{told}: there is a list of models; say it in one of [[llm.models]] instead")
    for place, each in _places(settings):
        needed = ["model"] + (["base_url"] if each.provider == "openai" else [])
        faults += [f"{place}.{field} is missing" for field in needed if not getattr(each, field)]
    return faults


def _same_names(settings: LlmSettings) -> list[str]:
    times = Counter(each.called for each in settings.models)
    return [
        f"llm.models: {number} are called {name!r}; give each a `name` of its own"
        for name, number in times.items()
        if name and number > 1
    ]


def _keys_missing(settings: LlmSettings, environment: Mapping[str, str]) -> list[str]:
    faults = []
    for place, each in _places(settings):
        name = each.api_key_env
        if name and each.api_key.get_secret_value():
            faults.append(f"{place}: the key is given twice; keep api_key or api_key_env")
        elif name and not environment.get(name, "").strip():
            faults.append(f"{place}.api_key_env: the environment has no {name}; set it, or write api_key")
    return faults


def _with_keys(settings: LlmSettings, environment: Mapping[str, str]) -> LlmSettings:
    def key(of: ModelAddress) -> dict[str, SecretStr]:
        return {"api_key": SecretStr(environment[of.api_key_env].strip())} if of.api_key_env else {}

    models = tuple(each.model_copy(update=key(each)) for each in settings.models)
    return settings.model_copy(update={**key(settings), "models": models})


def build_provider(settings: ModelSettings) -> Provider:
    """The provider that ``settings`` name: ours, or one that another package announces. Raises ConfigError."""
    if settings.provider != "openai":
        for each in entry_points(group=PROVIDERS, name=settings.provider):
            provider: Provider = each.load()(settings)
            return provider
        raise ConfigError(f"llm.provider: no installed package announces a provider {settings.provider!r}")
    try:
        wire = OpenAIWire(
            settings.base_url, settings.model, settings.api_key.get_secret_value(), headers=settings.headers
        )
    except ValueError as error:
        raise ConfigError(f"llm: {settings.called}: {error}") from None
    fixed = None if settings.structured_output == "auto" else settings.structured_output
    wire.dialect = _known(settings).dialect(fixed=fixed, thinking=settings.thinking, extra=settings.extra)
    return wire


def _known(settings: ModelSettings) -> Capabilities:
    return known(settings.base_url, settings.model, settings.dialect, settings.capabilities)


def build_model(settings: LlmSettings, *, measured: bool = False) -> Model:
    """The model layer as configured; without a provider it answers ``absent`` to everything. ``measured``: what comes
    back is counted and not used, so that no model is spared a question."""
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
    offers = build_offers(settings)
    policy = policy.persevering() if measured else policy
    budget, pictures = settings.budget.budget, _pictures(settings)
    embedder = _embedder(settings)
    return Model(offers, policy, prices=_prices(settings, offers), budget=budget, pictures=pictures, embedder=embedder)


def _pictures(settings: LlmSettings) -> OpenAIPictures | None:
    wanted = settings.pictures
    if wanted is None:
        return None
    key = wanted.api_key.get_secret_value() or os.environ.get(wanted.api_key_env, "").strip()
    return OpenAIPictures(
        wanted.base_url, wanted.model, key, size=wanted.size, seconds=wanted.seconds, extra=wanted.extra
    )


def _embedder(settings: LlmSettings) -> OpenAIEmbeddings | None:
    wanted = settings.embeddings
    if wanted is None:
        return None
    key = wanted.api_key.get_secret_value() or os.environ.get(wanted.api_key_env, "").strip()
    return OpenAIEmbeddings(wanted.base_url, wanted.model, key, seconds=wanted.seconds, extra=wanted.extra)


def unpriced(model: Model) -> list[str]:
    """The models whose calls the cost budget cannot hold, because nobody knows their price in its currency."""
    if model.budget.max_cost is None:
        return []
    prices = {name: model.prices.of(name, "") for name in model.providers}
    return [name for name, price in prices.items() if price is None or price.currency != model.budget.currency]


def build_offers(settings: LlmSettings) -> list[Offer]:
    """Every model that may be asked, and on what terms. Raises ConfigError."""
    return [_offer(each, _known(each)) for each in settings.all_models]


def _offer(settings: ModelSettings, can: Capabilities) -> Offer:
    return Offer(
        build_provider(settings),
        tiers=settings.tiers,
        weight=settings.weight,
        concurrency=settings.concurrency,
        deadlines=settings.timeouts.by_role,
        max_tokens=settings.max_tokens,
        output=can.output,
        context=can.context,
        temperature=can.limits,
        called=settings.called,
    )


def _prices(settings: LlmSettings, offers: Sequence[Offer]) -> Prices:
    """What is said beside a model holds for that one, before what is said of its name and what we ship."""
    own = {name: each.price for name, each in settings.prices.items()}
    for offer, each in zip(offers, settings.all_models, strict=True):
        if each.price is not None:
            own[offer.name] = each.price.price
    return Prices(own, table() if offers else None)


def model_from_environment(folder: Path) -> Model:
    """The model that this machine is set up for: ``heartrule.toml`` here or in ``folder``, and the environment."""
    return build_model(settings_of_machine(folder))


def settings_of_machine(folder: Path) -> LlmSettings:
    """Of ``heartrule.toml`` here, else in ``folder``, and the environment. Raises ConfigError."""
    places = [place / "heartrule.toml" for place in (Path.cwd(), folder)]
    return load_settings(next((place for place in places if _stands(place)), None))
