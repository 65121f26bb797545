"""Three authors who edit, merge, restore, publish and comment at once, in processes that are killed at random moments.

    python -m tests.chaos.teamwork [RUNS] [SEED]

Each child opens the data folder and lets the three do random things, each on what they had before them; what the store
has acknowledged is written into a ledger beside it. Then: every version that was acknowledged is there, byte by byte,
and so are what is published, every comment and every resolution; each merge is what a merge of the fields alone is;
and every comment stands at its node, wherever that has gone, or nowhere where it was taken out.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.authoring.fields import TEXT, TOPICS, edited, held, moved
from tests.authoring.material import REGISTRY
from tests.chaos.children import Deaths, Tell

from heartrule.authoring.diff.node_places import Spot
from heartrule.authoring.merge import merged_text
from heartrule.authoring.splices import into, parse_cached
from heartrule.language.compiling.compiler import bundle
from heartrule.language.compiling.script import Source
from heartrule.store.projects import Author, Moved
from heartrule.store.store import Store
from heartrule.workbench.comments import CommentService

FILE = "a.yaml"
AUTHORS = (Author("lin", "林"), Author("wei", "Wei"), Author("kim", "Kim"))
STEPS = 30
"""Things done in a run."""
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


class Clock:
    def __init__(self, steps: int) -> None:
        self._steps = steps

    def now(self) -> datetime:
        return BEGAN + timedelta(seconds=self._steps)


class Ledger:
    """What was acknowledged, a line each; on the disk before anything else is done."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "ledger"

    def write(self, **told: Any) -> None:
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(json.dumps(told) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def lines(self) -> list[dict[str, Any]]:
        if not self._path.exists():
            return []
        whole = self._path.read_text(encoding="utf-8").split("\n")[:-1]
        return [json.loads(line) for line in whole]


@dataclass(slots=True)
class Desk:
    """What an author has before them."""

    base: int
    text: str


@dataclass(slots=True)
class Team:
    """The three, in one process."""

    store: Store
    project: str
    ledger: Ledger
    random: Random
    done: int
    desks: dict[str, Desk] = field(default_factory=dict)

    @property
    def commenting(self) -> CommentService:
        return CommentService(self.store.comments, self.store.projects, REGISTRY, Clock(self.done))

    async def step(self) -> None:
        author = self.random.choice(AUTHORS)
        if author.id not in self.desks:
            await self.open(author)
        kind = self.random.choice(["edit", "edit", "edit", "save", "save", "comment", "answer", "restore", "publish"])
        await getattr(self, kind)(author)
        self.done += 1

    async def open(self, author: Author) -> None:
        """The newest version, with what they had typed over it before the process died."""
        version, texts = await self.store.projects.texts(self.project)
        kept = [each for each in await self.store.projects.drafts(self.project, author.id) if each.texts]
        self.desks[author.id] = Desk(version.number, texts[FILE])
        if kept:
            typed = kept[-1].texts[FILE]
            assert typed is not None
            self.desks[author.id] = Desk(kept[-1].base, typed)

    async def edit(self, author: Author) -> None:
        desk = self.desks[author.id]
        for _ in range(self.random.randint(1, 3)):
            if self.random.random() < 0.3:
                desk.text = moved(desk.text, self.random)
            else:
                with suppress(ValueError):  # a topic that everything was moved out of
                    desk.text = edited(desk.text, self.random, author.id)
                    # Words that nobody else has: what is alike in all but its id could be the same with a new one.
                    unlike = f"content: new {self.random.randrange(10**9)}"
                    desk.text = re.sub(r"content: (New|(lin|wei|kim)[0-9])(?=[,}])", unlike, desk.text)
        await self.store.projects.draft(self.project, author.id, "tab", desk.base, {FILE: desk.text}, self.now)

    async def save(self, author: Author) -> None:
        desk = self.desks[author.id]
        while True:
            try:
                version = await self.store.projects.save(
                    self.project, desk.base, {FILE: desk.text}, author, "", self.now
                )
            except Moved:
                await self.merge(desk)
                continue
            break
        self.ledger.write(version=version.number, digest=digest(desk.text))
        desk.base = version.number
        await self.store.projects.draft(self.project, author.id, "tab", desk.base, {}, self.now)

    async def merge(self, desk: Desk) -> None:
        """Held against a merge that knows nothing but names and fields."""
        _, before = await self.store.projects.texts(self.project, desk.base)
        version, theirs = await self.store.projects.texts(self.project)
        made = merged_text(before[FILE], desk.text, theirs[FILE], FILE)
        held(before[FILE], desk.text, theirs[FILE], made)
        desk.base, desk.text = version.number, made.text

    async def restore(self, author: Author) -> None:
        newest = (await self.store.projects.versions(self.project, many=1))[0].number
        number = self.random.randint(1, newest)
        _, then = await self.store.projects.texts(self.project, number)
        try:
            version = await self.store.projects.save(self.project, newest, then, author, f"{number}", self.now)
        except Moved:
            return
        self.ledger.write(version=version.number, digest=digest(then[FILE]))

    async def publish(self, author: Author) -> None:
        """A bundle of the newest version, which no later edit may change."""
        version, texts = await self.store.projects.texts(self.project)
        whole = Source("p", FILE, digest(texts[FILE]), texts[FILE])
        held = bundle([whole]), [whole]
        made = await self.store.releases.make(
            self.project, "p", "p", version.number, held, author, "", self.now, ("key", "signature")
        )
        self.ledger.write(published=version.number, bundle=made.bundle, digest=whole.sha256)

    async def comment(self, author: Author) -> None:
        desk = self.desks[author.id]
        places = list(nodes(desk.text))
        path, name = self.random.choice(places)
        placed = await self.commenting.begin(
            self.project, author, Spot(FILE, path), {FILE: desk.text}, f"about {name}", ["wei"]
        )
        self.ledger.write(thread=placed.thread.id, node=name)

    async def answer(self, author: Author) -> None:
        threads = await self.store.comments.of(self.project)
        if not threads:
            return
        thread = self.random.choice(threads)
        if self.random.random() < 0.5:
            said = await self.commenting.say(thread.id, author, "yes", [])
            self.ledger.write(said=thread.id, number=said.comments[-1].number)
        else:
            await self.commenting.settle(thread.id, self.random.random() < 0.5)
            await self.commenting.placed(self.project, {})

    @property
    def now(self) -> datetime:
        return BEGAN + timedelta(seconds=self.done)


def nodes(text: str) -> list[tuple[tuple[Any, ...], str]]:
    """Every node below the phase, by its id."""
    found = []
    for number, topic in enumerate(into(parse_cached(text).documents, TOPICS)):
        found.append(((*TOPICS, number), str(topic["id"])))
        for index, action in enumerate(topic["actions"]):
            found.append(((*TOPICS, number, "actions", index), str(action["id"])))
    return found


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


async def working(folder: Path, seed: str, tell: Tell) -> None:
    """What a child does: goes on until all steps are done."""
    ledger = Ledger(folder)
    with Store.open(folder, synchronous="OFF") as store:
        tell("opened")
        known = await store.projects.all()
        if not known:
            await store.projects.make("p", {FILE: TEXT}, AUTHORS[0], "", BEGAN)
            known = await store.projects.all()
        done = len([line for line in ledger.lines() if "step" in line])
        team = Team(store, known[0].id, ledger, Random(f"{seed}/{done}"), done)
        while team.done < STEPS:
            await team.step()
            ledger.write(step=team.done)
            tell("step")


async def checked(folder: Path) -> dict[str, int]:
    """What is left, held against what was acknowledged."""
    ledger = Ledger(folder).lines()
    with Store.open(folder, synchronous="OFF") as store:
        (project,) = await store.projects.all()
        saved = [line for line in ledger if "version" in line or "published" in line]
        for line in saved:
            number = line.get("version") or line["published"]
            _, texts = await store.projects.texts(project.id, number)
            assert digest(texts[FILE]) == line["digest"], line
        versions = await store.projects.versions(project.id, many=10_000)
        assert [each.number for each in versions] == list(range(project.version, 0, -1))
        commenting = CommentService(store.comments, store.projects, REGISTRY, Clock(STEPS))
        placed = {each.thread.id: each for each in await commenting.placed(project.id, {})}
        for line in ledger:
            if "bundle" in line:
                (source,) = await store.bundle(line["bundle"])
                assert digest(source.text) == line["digest"]
            if "said" in line:
                assert placed[line["said"]].thread.comments[line["number"] - 1].text == "yes"
        _, texts = await store.projects.texts(project.id)
        there = {name: path for path, name in nodes(texts[FILE])}
        begun = [line for line in ledger if "thread" in line]
        for line in begun:
            spot = placed[line["thread"]].spot
            assert (spot.path if spot is not None else None) == there.get(line["node"]), (line, spot)
            assert placed[line["thread"]].thread.comments[0].text == f"about {line['node']}"
        gone = sum(line["node"] not in there for line in begun)
        return {"versions": len(versions), "saved": len(saved), "comments": len(begun), "gone": gone}


def one(folder: Path, seed: str) -> dict[str, int]:
    """A run; what came of it."""
    deaths = Deaths(Random(seed))
    deaths.until_one_lives(lambda tell: working(folder, seed, tell))
    return {**asyncio.run(checked(folder)), "kills": deaths.count}


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    seed = sys.argv[2] if len(sys.argv) > 2 else "1"
    began, total = time.monotonic(), dict[str, int]()
    for number in range(runs):
        with TemporaryDirectory() as made:
            found = one(Path(made), f"{seed}/{number}")
        total = {key: total.get(key, 0) + value for key, value in found.items()}
        if number % 50 == 49 or number == runs - 1:
            print(f"{number + 1} runs, {time.monotonic() - began:.0f} s: {total}", flush=True)


if __name__ == "__main__":
    main()
