"""Comments beside scripts: each stays at its node, through what is saved and what is only typed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heartrule.authoring.diff.node_places import NodePlaces, Spot, is_node
from heartrule.authoring.workspace import Registry
from heartrule.sessions.clock import Clock
from heartrule.store.comments import Anchor, Comments, ThreadRecord
from heartrule.store.projects import Author, Projects

STEPS = 50
"""Versions that a thread is carried through one by one; with more between, it is carried to the newest at once."""
Texts = Mapping[str, str]


class NoNode(Exception):
    """Nothing stands there to which a comment could be fastened."""


@dataclass(frozen=True, slots=True)
class PlacedThread:
    """A thread, and where its node stands in the texts that were asked about; None: it is not in them."""

    thread: ThreadRecord
    spot: Spot | None


class CommentService:
    def __init__(self, comments: Comments, projects: Projects, registry: Registry, clock: Clock) -> None:
        self._comments, self._projects, self._registry, self._clock = comments, projects, registry, clock

    async def placed(self, project: str, typed: Mapping[str, str | None]) -> list[PlacedThread]:
        """All threads of a project, where they stand with ``typed`` laid over what is saved."""
        threads = await self._comments.of(project)
        if not threads:
            return []
        anchors = await self._followed(project, threads)
        version, saved = await self._projects.texts(project)
        spots: dict[str, Spot | None] = {
            each: Spot(anchor.file, anchor.path) if _stands(anchor, version.number) else None
            for each, anchor in anchors.items()
        }
        over = laid_over(saved, typed)
        if over != saved:
            carriage = NodePlaces(saved, over, self._registry)
            spots = await asyncio.to_thread(
                lambda: {thread: carriage.carried(spot) if spot else None for thread, spot in spots.items()}
            )
            for thread in [each for each, spot in spots.items() if spot is None]:
                spots[thread] = await self._typed(project, anchors[thread], over)
        return [PlacedThread(each, spots[each.id]) for each in threads]

    async def _typed(self, project: str, anchor: Anchor, over: Texts) -> Spot | None:
        """What is in no version yet, or was taken out, may be in what somebody types."""
        before = await self._before(project, anchor, {})
        return await asyncio.to_thread(NodePlaces(before, over, self._registry).carried, Spot(anchor.file, anchor.path))

    async def begin(
        self,
        project: str,
        author: Author,
        spot: Spot,
        typed: Mapping[str, str | None],
        text: str,
        mentions: Sequence[str],
    ) -> PlacedThread:
        """A new thread at a node of what somebody has before them. Raises ``NoNode``."""
        version, saved = await self._projects.texts(project)
        over = laid_over(saved, typed)
        if spot.file not in over or (spot.path and not is_node(over[spot.file], spot.path)):
            raise NoNode
        back = await asyncio.to_thread(NodePlaces(over, saved, self._registry).carried, spot)
        there = back or spot
        anchor = Anchor(version.number, there.file, there.path, None, version.number)
        unsaved = over[spot.file] if back is None else None
        made = await self._comments.begin(project, anchor, author, text, mentions, self._clock.now(), unsaved)
        return PlacedThread(made, spot)

    async def say(self, thread: str, author: Author, text: str, mentions: Sequence[str]) -> ThreadRecord:
        return await self._comments.say(thread, author, text, mentions, self._clock.now())

    async def settle(self, thread: str, resolved: bool) -> ThreadRecord:
        return await self._comments.settle(thread, resolved, self._clock.now())

    # through the versions

    async def _followed(self, project: str, threads: Sequence[ThreadRecord]) -> dict[str, Anchor]:
        """Each thread's anchor, looked for in every version since it was last looked for. From where it stood last:
        what was taken out and has come back is found again."""
        newest = (await self._projects.versions(project, many=1))[0].number
        anchors = {each.id: each.anchor for each in threads}
        first = min((each.looked for each in anchors.values()), default=newest) + 1
        steps = range(first, newest + 1) if newest - first < STEPS else range(newest, newest + 1)
        known: dict[int, dict[str, str]] = {}
        for number in steps:
            behind = {thread: anchor for thread, anchor in anchors.items() if anchor.looked < number}
            for basis in {_basis(each) for each in behind.values()}:
                group = {thread: anchor for thread, anchor in behind.items() if _basis(anchor) == basis}
                before = await self._before(project, next(iter(group.values())), known)
                after = await self._version(project, number, known)
                anchors |= await asyncio.to_thread(self._step, group, before, after, number)
        moved = [(each.id, anchors[each.id]) for each in threads if anchors[each.id] != each.anchor]
        await self._comments.carry(moved)
        return anchors

    def _step(self, group: Mapping[str, Anchor], before: Texts, after: Texts, number: int) -> dict[str, Anchor]:
        carriage = NodePlaces(before, after, self._registry)
        found = {}
        for thread, anchor in group.items():
            lost = anchor.looked != anchor.version
            spot = carriage.carried(Spot(anchor.file, anchor.path), again=lost)
            found[thread] = (
                Anchor(anchor.version, anchor.file, anchor.path, anchor.unsaved, number)
                if spot is None
                else Anchor(number, spot.file, spot.path, None, number)
            )
        return found

    async def _before(self, project: str, anchor: Anchor, known: dict[int, dict[str, str]]) -> dict[str, str]:
        """The texts in which the anchor's place is meant."""
        texts = await self._version(project, anchor.version, known)
        if anchor.unsaved is None:
            return texts
        return {**texts, anchor.file: await self._comments.unsaved(anchor.unsaved)}

    async def _version(self, project: str, number: int, known: dict[int, dict[str, str]]) -> dict[str, str]:
        if number not in known:
            known[number] = (await self._projects.texts(project, number))[1]
        return known[number]


def _basis(anchor: Anchor) -> tuple[int, str | None, str]:
    return anchor.version, anchor.unsaved, anchor.file if anchor.unsaved is not None else ""


def _stands(anchor: Anchor, newest: int) -> bool:
    return anchor.unsaved is None and anchor.version == newest


def laid_over(saved: Texts, typed: Mapping[str, str | None]) -> dict[str, str]:
    """Texts as somebody has them before them."""
    over = {**saved, **{path: text for path, text in typed.items() if text is not None}}
    return {path: text for path, text in over.items() if typed.get(path, "") is not None}
