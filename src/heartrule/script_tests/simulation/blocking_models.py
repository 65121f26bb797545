"""The model layer for sessions that nobody waits in: asked from plain code, one batch after another."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

from heartrule.engine.session.tasks import Answer, Task
from heartrule.language.compiling.script import Script
from heartrule.llm.config import ConfigError, build_model, settings_of_machine
from heartrule.llm.policy import TIERS
from heartrule.llm.settings import LlmSettings, ModelAddress


class BlockingModels:
    """The models that ``settings`` name, for as long as it is open. Not safe to share between threads."""

    def __init__(self, settings: LlmSettings, script: Script) -> None:
        self._script = script
        self._runner = asyncio.Runner()
        self._model = build_model(settings)

    def __call__(self, tasks: Sequence[Task]) -> Mapping[str, Answer]:
        return self._runner.run(self._model.answer(tasks, script=self._script))

    def __enter__(self) -> BlockingModels:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._runner.run(self._model.aclose())
        self._runner.close()


def configured(folder: Path) -> LlmSettings:
    """What this machine is set up for. Raises ConfigError, also where that is nothing."""
    found = settings_of_machine(folder)
    if not found.configured:
        raise ConfigError("")
    return found


def for_personas(settings: LlmSettings, model: str) -> LlmSettings:
    """The one configured model of this name; where none has it, the first one's provider is asked for it."""
    known = settings.all_models
    one = next((each for each in known if model in (each.called, each.model)), None)
    only = (one or known[0].model_copy(update={"model": model, "name": ""})).model_copy(update={"tiers": TIERS})
    named = LlmSettings.model_fields.keys() - ModelAddress.model_fields.keys() - {"models"}
    return LlmSettings(models=(only,), **{name: getattr(settings, name) for name in named})
