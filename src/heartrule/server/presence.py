"""Authors who have the same project open: who is there, at which node, and that something was said or saved. Told over
a stream for each tab; what other processes know of stands in a table, at which one look a second is taken for all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any

from pydantic import BaseModel

from heartrule import logs
from heartrule.server.streams import Listener
from heartrule.server.workbench import team_shapes as shapes
from heartrule.sessions.clock import Clock
from heartrule.store.project_presences import Here
from heartrule.store.projects import Author
from heartrule.store.store import Store

LOOK = 1.0
"""Seconds between looks."""
ALIVE = timedelta(seconds=45)
"""So long a tab counts as open whose process has said nothing of it."""
SIGN = 15.0
"""Seconds between signs of life of a tab."""


class Tab(Listener):
    """A tab in which a project is open."""

    def __init__(self, name: str, project: str, who: Author) -> None:
        super().__init__()
        self.name, self.project, self.author = name, project, who
        self.told: dict[str, str] = {}

    def tell_new(self, name: str, data: BaseModel) -> None:
        """Unless it is what was told last under that name."""
        text = json.dumps(data.model_dump(mode="json"), sort_keys=True)
        if self.told.get(name) != text:
            self.told[name] = text
            self.tell(name, data)


class PresenceHub:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._tabs: dict[str, Tab] = {}
        self._wake = asyncio.Event()
        self._work: asyncio.Task[None] | None = None
        self._leaving: set[asyncio.Task[None]] = set()

    def changed(self) -> None:
        """Something was said, saved or looked at here: look at once."""
        self._wake.set()

    @asynccontextmanager
    async def of(self, name: str, project: str, who: Author) -> AsyncIterator[Tab]:
        tab = Tab(name, project, who)
        now = self._clock.now()
        await self._store.project_presences.come(name, project, who, now, now - ALIVE)
        self._tabs[name] = tab
        if self._work is None:
            self._work = asyncio.create_task(self._tell())
        self.changed()
        try:
            yield tab
        finally:
            # The request may be cancelled already, and would wait for nothing any more.
            leaving = asyncio.create_task(self._leave(tab))
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)

    async def _leave(self, tab: Tab) -> None:
        if self._tabs.get(tab.name) is tab:  # it may have come back already
            del self._tabs[tab.name]
            with suppress(Exception):  # it counts for nothing before long, anyhow
                await self._store.project_presences.go(tab.name, tab.author.id)
        self.changed()
        if not self._tabs and self._work is not None:
            work, self._work = self._work, None
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    async def alive(self, tab: Tab) -> None:
        await self._store.project_presences.alive(tab.name, self._clock.now())

    async def move(self, tab: str, project: str, who: Author, place: dict[str, Any]) -> bool:
        """False where the tab is not there."""
        done = await self._store.project_presences.move(tab, project, who.id, place, self._clock.now())
        self.changed()
        return done

    def close(self) -> None:
        """Nothing more will happen."""
        for tab in self._tabs.values():
            tab.end()

    async def left(self) -> None:
        """Wait until whoever is leaving has left."""
        await asyncio.gather(*self._leaving, return_exceptions=True)

    async def _tell(self) -> None:
        while True:
            try:
                await self._look()
            except Exception as error:  # the database is away: the next look tells it
                logs.fault(error)
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK):
                    await self._wake.wait()
            self._wake.clear()

    async def _look(self) -> None:
        projects = {tab.project for tab in self._tabs.values()}
        here = await self._store.project_presences.here(projects, self._clock.now() - ALIVE)
        for project in projects:
            record = await self._store.projects.find(project)
            many, at = await self._store.comments.stamp(project)
            news = shapes.NewsShape(version=record.version if record else 0, comments=f"{many} {at or ''}")
            for tab in [each for each in self._tabs.values() if each.project == project]:
                own = [here_shape(each, tab.author.id) for each in here.get(project, ()) if each.tab != tab.name]
                tab.tell_new("here", shapes.HereList(here=own))
                tab.tell_new("news", news)


def here_shape(one: Here, asker: str) -> shapes.HereShape:
    place = one.place
    return shapes.HereShape(
        tab=one.tab,
        who=one.who.id,
        name=one.who.name,
        me=one.who.id == asker,
        file=place.get("file"),
        path=place.get("path") or [],
        editing=bool(place.get("editing")),
    )
