"""Opening everything a session needs, from settings, and closing it again."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from heartrule.classifiers import Classifiers, UnknownClassifier, configured
from heartrule.engine.installed_types import field_models
from heartrule.language.projects.library import Library, library_root
from heartrule.llm.model import Model
from heartrule.sessions.clock import Clock, SystemClock
from heartrule.sessions.owners import Owner
from heartrule.sessions.release_choice import ANY, Trust
from heartrule.sessions.scripts import Scripts
from heartrule.sessions.service import Sessions
from heartrule.store.store import Store


@dataclass(frozen=True, slots=True)
class Settings:
    """Where things are. ``data`` holds all state; ``projects`` are folders (or files) with scripts beside the library.

    ``database`` and ``keys`` are URLs of other databases than the SQLite files in ``data``. ``model`` replaces the
    configured one (tests).
    """

    data: Path
    projects: Sequence[Path] = ()
    database: str | None = field(default=None, repr=False)
    keys: str | None = field(default=None, repr=False)
    model: Model | None = None
    clock: Clock = field(default_factory=SystemClock)
    synchronous: str = "FULL"
    trust: Trust = ANY

    @classmethod
    def from_environment(cls, data: Path | None = None, projects: Sequence[Path] = ()) -> Settings:
        """``HEARTRULE_DATA`` (else ``~/.heartrule``), ``HEARTRULE_DATABASE_URL``, ``HEARTRULE_KEYS_URL``,
        ``HEARTRULE_SIGNED_ONLY`` and ``HEARTRULE_RELEASE_KEYS`` (see ``Trust``)."""
        folder = data or Path(os.environ.get("HEARTRULE_DATA") or Path.home() / ".heartrule")
        return cls(
            data=folder.expanduser(),
            projects=projects,
            database=os.environ.get("HEARTRULE_DATABASE_URL") or None,
            keys=os.environ.get("HEARTRULE_KEYS_URL") or None,
            trust=Trust.of(os.environ, folder.expanduser()),
        )


@asynccontextmanager
async def open_sessions(settings: Settings) -> AsyncIterator[Sessions]:
    """Open store, library and model; what was begun is finished before closing. Raises ``ConfigError``."""
    classifiers = _classifiers()
    store = Store.open(
        settings.database or settings.data,
        folder=settings.data if settings.database else None,
        keys=settings.keys,
        synchronous=settings.synchronous,  # type: ignore[arg-type]
    )
    model = settings.model or _configured(settings.data)
    owner = Owner(settings.data)
    try:
        library = Library([library_root(), *settings.projects], field_models())
        sessions = Sessions(store, Scripts(library, classifiers), model, settings.clock, owner, settings.trust)
        try:
            await sessions.release_choice.look()
            yield sessions
        finally:
            sessions.close()
            await sessions.stop_looking()
    finally:
        await model.aclose()
        store.close()
        owner.close()


def _classifiers() -> Classifiers:
    from heartrule.llm.config import ConfigError

    try:
        return configured()
    except UnknownClassifier as unknown:
        raise ConfigError(str(unknown)) from None


def _configured(data: Path) -> Model:
    from heartrule.llm.config import model_from_environment

    return model_from_environment(data)
