"""The one door to releases. Every deed asks ``may``."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from heartrule.authoring.diff.versions import compared
from heartrule.identity.principal import Principal
from heartrule.identity.rights import Action, Resource, may
from heartrule.language.bilingual import Bilingual
from heartrule.language.projects.loader import load_project
from heartrule.language.projects.project import PROJECT_FILE, SAFETY
from heartrule.releases.figures import CrossedLimit, Figures, Limits, crossed, figures
from heartrule.releases.gates import Gate, gates
from heartrule.releases.impact import Impact, Rule
from heartrule.releases.release_checks import ReleaseChecks, Texts
from heartrule.releases.session_moves import Bundle, MovedSessions, looked_at, moved
from heartrule.sessions import Sessions
from heartrule.signing import Signer
from heartrule.store.projects import Author, NoSuchProject
from heartrule.store.releases import (
    NoSuchRelease,
    Overtaken,
    ReleaseLogEntry,
    ReleaseRecord,
    Rules,
    ServedRelease,
    State,
    Verdict,
    Vote,
)

MACHINE = Author("heartrule", "HeartRule")
"""Who halts a release that has crossed a limit."""
LINES = 40
"""Of notes that are drafted."""
EVERY = timedelta(seconds=30)
"""Between looks at the figures of a release that is being tried."""
FIRST = Bilingual("第一次发布。", "The first release.")
MORE = Bilingual("还有 {n} 处。", "And {n} more.")


class NotAllowed(Exception):
    """It can be seen, and this may not be done to it."""


class NotOpen(Exception):
    """Something has to be done first. ``gates``: all of them."""

    def __init__(self, found: Sequence[Gate]) -> None:
        super().__init__(", ".join(each.name for each in found if not each.open))
        self.gates = tuple(found)


class Taken(Exception):
    """Another project is published under the same id."""


class Nothing(Exception):
    """There is nothing to go back to, to halt or to give a share to."""


class NotTrusted(Exception):
    """This server runs only what a key it trusts has signed."""


@dataclass(frozen=True, slots=True)
class ReleaseStatus:
    """A project and its releases, the newest first. ``version``: the newest that is saved; what is of no release is a
    draft. ``owner``: whose it is; ``writers``: who else writes it."""

    project: str
    name: str
    slug: str
    owner: str
    version: int
    releases: tuple[ReleaseRecord, ...]
    served: ServedRelease | None
    rules: Rules
    writers: frozenset[str] = frozenset()

    @property
    def thing(self) -> Resource:
        """As rights are asked about it."""
        return Resource(project=self.slug, owner=self.owner, writers=self.writers, bench=self.project)

    def release(self, name: str | None) -> ReleaseRecord | None:
        return next((each for each in self.releases if each.id == name), None)


@dataclass(frozen=True, slots=True)
class PublishedRelease:
    served: ServedRelease
    moved: MovedSessions


@dataclass(frozen=True, slots=True)
class ComparedReleases:
    """``crossed``: limits that the one that is being tried has crossed by now."""

    release: tuple[ReleaseRecord, Figures] | None
    candidate: tuple[ReleaseRecord, Figures] | None
    former: tuple[ReleaseRecord, Figures] | None
    crossed: tuple[CrossedLimit, ...]


class ReleaseService:
    def __init__(self, sessions: Sessions, checking: ReleaseChecks, signer: Signer) -> None:
        self._sessions, self._checking, self._signer = sessions, checking, signer
        self._store, self._releases = sessions.store, sessions.store.releases
        self._looked: dict[str, datetime] = {}

    # looking

    async def all(self, who: Principal) -> list[ReleaseStatus]:
        """Projects that somebody may see releases of: that have some, or that are theirs to release."""
        projects = {each.id: each for each in await self._store.projects.all()}
        released = {each.project for each in await self._releases.all()}
        found = []
        for project in dict.fromkeys([*projects, *released]):
            try:
                found.append(await self.one(who, project))
            except NoSuchProject:
                continue
        return found

    async def one(self, who: Principal, project: str) -> ReleaseStatus:
        """``NoSuchProject`` where there is none that they may see."""
        standing = await self._standing(project)
        if not may(who, "release.read", standing.thing) and not may(who, "release.look", standing.thing):
            raise NoSuchProject(project)
        return standing

    async def _standing(self, project: str) -> ReleaseStatus:
        record = await self._store.projects.find(project)
        made = await self._releases.of_project(project)
        if record is None and not made:
            raise NoSuchProject(project)
        slug = await self._slug(project) if record is not None else made[0].slug
        served = await self._releases.serving(slug)
        if record is not None:
            name, owner, version = record.name, record.owner, record.version
        else:
            name, owner, version = made[0].name, made[0].author.id, made[0].version
        mine = served if served is not None and served.project == project else None
        rules = await self._releases.rules(project)
        writers, _ = await self._store.teams.with_whom(project)
        return ReleaseStatus(project, name, slug, owner, version, made, mine, rules, writers)

    async def _slug(self, project: str) -> str:
        _, texts = await self._store.projects.texts(project)
        node = load_project(texts[PROJECT_FILE], PROJECT_FILE)[0] if PROJECT_FILE in texts else None
        return node.id if node is not None else ""

    async def _may(self, who: Principal, action: Action, project: str) -> ReleaseStatus:
        standing = await self.one(who, project)
        if not may(who, action, standing.thing):
            raise NotAllowed(action)
        return standing

    async def _release(self, who: Principal, action: Action | None, name: str) -> tuple[ReleaseStatus, ReleaseRecord]:
        """A release with its project; ``NoSuchRelease`` where there is none that they may see."""
        record = await self._releases.find(name)
        if record is None:
            raise NoSuchRelease(name)
        try:
            standing = await self.one(who, record.project)
        except NoSuchProject:
            raise NoSuchRelease(name) from None
        if action is not None and not may(who, action, replace(standing.thing, project=record.slug)):
            raise NotAllowed(action)
        return standing, record

    # made, checked, reviewed

    async def make(self, who: Principal, project: str, notes: str | None, lang: str) -> ReleaseRecord:
        """Of the newest version, in testing. Without notes they are drafted from what has changed since the one that is
        published. Raises ``NoProjectFile``."""
        standing = await self._may(who, "release.make", project)
        texts = await self._checking.texts(project, standing.version)
        told = notes if notes is not None else await self._drafted(standing, texts, lang)
        signed = await asyncio.to_thread(self._signer.sign, standing.slug, texts.bundle)
        return await self._releases.make(
            project,
            standing.slug,
            standing.name,
            standing.version,
            (texts.bundle, texts.sources),
            Author(who.id, who.name),
            told,
            self._now(),
            signed,
        )

    async def _drafted(self, standing: ReleaseStatus, texts: Texts, lang: str) -> str:
        former = standing.release(standing.served.release if standing.served is not None else None)
        if former is None:
            return FIRST.localized(lang)
        _, before = await self._store.projects.texts(standing.project, former.version)
        after = texts.workspace.whole
        changes = await asyncio.to_thread(compared, before, after, texts.workspace.registry)
        lines = [f"- {each.says.localized(lang)}" for each in changes]
        more = [MORE.localized(lang).format(n=len(lines) - LINES)] if len(lines) > LINES else []
        return "\n".join([*lines[:LINES], *more])

    async def write_notes(self, who: Principal, release: str, notes: str) -> ReleaseRecord:
        _, record = await self._release(who, "release.make", release)
        await self._releases.note(release, notes)
        return replace(record, notes=notes)

    async def gates(self, who: Principal, release: str) -> tuple[Gate, ...]:
        """How they stand; nothing is run."""
        _, record = await self._release(who, None, release)
        return await self._gates(record)

    async def check(self, who: Principal, release: str, lang: str) -> tuple[Gate, ...]:
        """Run what can be run, and how the gates stand then."""
        _, record = await self._release(who, None, release)
        texts = await self._checking.texts(record.project, record.version)
        await self._checking.run(record, texts, lang)
        return gates(await self._checking.of(record, texts))

    async def _gates(self, record: ReleaseRecord) -> tuple[Gate, ...]:
        texts = await self._checking.texts(record.project, record.version)
        return gates(await self._checking.of(record, texts))

    async def review(self, who: Principal, release: str, verdict: Verdict, note: str) -> tuple[Gate, ...]:
        _, record = await self._release(who, "release.review", release)
        await self._releases.vote(record, Vote(who.id, who.name, verdict, note, self._now()))
        return await self._gates(record)

    async def votes(self, who: Principal, release: str) -> tuple[Vote, ...]:
        await self._release(who, None, release)
        return await self._releases.votes(release)

    async def changes(
        self, who: Principal, release: str
    ) -> tuple[tuple[int, int], Mapping[str, str], Mapping[str, str]]:
        """The versions and the texts to compare: of what is published, and of this one."""
        standing, record = await self._release(who, None, release)
        before = standing.release(standing.served.release if standing.served is not None else None)
        _, now = await self._store.projects.texts(record.project, record.version)
        if before is None or before.id == record.id:
            return (0, record.version), {}, now
        _, then = await self._store.projects.texts(record.project, before.version)
        return (before.version, record.version), then, now

    async def rule(self, who: Principal, project: str, rules: Rules) -> Rules:
        standing = await self._may(who, "release.rule", project)
        await self._releases.set_rules(project, standing.slug, rules, Author(who.id, who.name), self._now())
        return rules

    # published

    async def impact(self, who: Principal, release: str) -> Impact:
        """What it would do to sessions that are not over. Raises ``NotTrusted``."""
        _, record = await self._release(who, None, release)
        return await looked_at(self._sessions, record.slug, await self._bundle(record))

    async def _bundle(self, record: ReleaseRecord) -> Bundle:
        home = await self._sessions.release_choice.project_of(record)
        if home is None:
            raise NotTrusted(record.id)
        return Bundle(self._sessions, home)

    async def publish(
        self, who: Principal, release: str, rule: Rule, share: float = 1.0, limits: Limits | None = None
    ) -> PublishedRelease:
        """New sessions begin with it from now on, or a ``share`` of them. Raises ``NotOpen``, ``Taken``,
        ``NotTrusted``, ``Overtaken``."""
        _, record = await self._release(who, "release.publish", release)
        share = 1.0 if record.slug == SAFETY else share  # it is live for everybody
        serving = await self._releases.serving(record.slug)
        if serving is not None and serving.project != record.project and serving.release is not None:
            raise Taken(record.slug)
        found = await self._gates(record)
        if not all(each.open for each in found):
            raise NotOpen(found)
        bundle = await self._bundle(record)
        before = serving or ServedRelease(record.slug, record.project, None)
        after, states = _published(before, record, share, limits or Limits())
        detail = {"share": share, "existing": rule.existing}
        done = await self._serve(who, serving, after, states, "published", record.id, detail)
        if share < 1:
            return PublishedRelease(done, MovedSessions())
        counts = await moved(self._sessions, record.slug, bundle, record.id, rule)
        if rule.existing != "pinned":
            told = {"moved": counts.moved, "stayed": counts.stayed}
            happened = ReleaseLogEntry(record.id, self._now(), Author(who.id, who.name), "moved", told)
            await self._releases.put_down(record.slug, happened)
        return PublishedRelease(done, counts)

    async def share(self, who: Principal, project: str, share: float, limits: Limits | None = None) -> ServedRelease:
        """Another share for the one that is being tried; 1 makes it the one that is published. Raises ``Nothing``."""
        standing = await self._may(who, "release.publish", project)
        served = standing.served
        candidate = standing.release(served.candidate) if served is not None else None
        if served is None or candidate is None:
            raise Nothing(project)
        after, states = _published(served, candidate, share, limits or Limits.of(served.limits))
        return await self._serve(who, served, after, states, "shared", candidate.id, {"share": share})

    async def back(self, who: Principal, project: str) -> ServedRelease:
        """New sessions begin with the former one again; one that is being tried is taken back first. Sessions that have
        begun go on with theirs. Raises ``Nothing``."""
        return await self._back(who, project, "back", "retired")

    async def halt(self, who: Principal, project: str) -> ServedRelease:
        """As ``back``, and it is put down that the release was halted."""
        return await self._back(who, project, "halted", "halted")

    async def _back(self, who: Principal, project: str, what: str, state: State) -> ServedRelease:
        standing = await self._may(who, "release.publish", project)
        served = standing.served
        if served is None or (served.candidate or served.release) is None:
            raise Nothing(project)
        after, states, gone = _gone_back(served, standing.releases, state)
        return await self._serve(who, served, after, states, what, gone, {})

    async def _serve(
        self,
        who: Principal | Author,
        before: ServedRelease | None,
        after: ServedRelease,
        states: Mapping[str, State],
        what: str,
        release: str,
        detail: Mapping[str, object],
    ) -> ServedRelease:
        happened = ReleaseLogEntry(release, self._now(), Author(who.id, who.name), what, detail)
        done = await self._releases.serve(before, after, states, happened)
        await self._sessions.release_choice.look()
        return done

    # side by side

    async def compare(self, who: Principal, project: str) -> ComparedReleases:
        standing = await self.one(who, project)
        served = standing.served
        if served is None:
            return ComparedReleases(None, None, None, ())
        own = {name: standing.release(name) for name in (served.release, served.candidate, served.former)}
        told = {name: (each, await self._figures(each.id)) for name, each in own.items() if each is not None}
        release, candidate = told.get(served.release), told.get(served.candidate)
        limits = Limits.of(served.limits)
        over = crossed(limits, candidate[1], release[1] if release else _NONE) if candidate is not None else ()
        return ComparedReleases(release, candidate, told.get(served.former), over)

    async def _figures(self, release: str) -> Figures:
        kept = self._store.release_figures
        return figures(await kept.sums(release), await kept.courses(release), self._now())

    async def log(self, who: Principal, project: str) -> tuple[ReleaseLogEntry, ...]:
        standing = await self.one(who, project)
        return await self._releases.log(standing.slug)

    async def watch(self, *, at_once: bool = False) -> list[str]:
        """Halt what is being tried and has crossed a limit; the ids of those. It rests on what stands in the tables,
        and may be broken off at any moment."""
        now, halted = self._now(), []
        for served in await self._releases.served():
            due = self._looked.get(served.slug, now - EVERY) + EVERY <= now
            if served.candidate is None or not (due or at_once):
                continue
            self._looked[served.slug] = now
            over = await self._crossed(served)
            if over:
                detail = {"crossed": [[each.what, each.now, each.before, each.limit] for each in over]}
                after = replace(served, candidate=None, share=0.0)
                states: dict[str, State] = {served.candidate: "halted"}
                try:
                    await self._serve(MACHINE, served, after, states, "halted", served.candidate, detail)
                except Overtaken:
                    # Somebody else was first, another process or the staff: what is served now is looked at next.
                    continue
                halted.append(served.candidate)
        return halted

    async def _crossed(self, served: ServedRelease) -> tuple[CrossedLimit, ...]:
        assert served.candidate is not None
        limits = Limits.of(served.limits)
        if (await self._store.release_figures.sums(served.candidate)).sessions < limits.least:
            return ()
        before = await self._figures(served.release) if served.release is not None else _NONE
        return crossed(limits, await self._figures(served.candidate), before)

    def _now(self) -> datetime:
        return self._sessions.clock.now()


_NONE = Figures(0, 0, 0, None)


def _published(
    before: ServedRelease, record: ReleaseRecord, share: float, limits: Limits
) -> tuple[ServedRelease, dict[str, State]]:
    """What is served once ``record`` is published to a share of the persons, and what becomes of the others."""
    states: dict[str, State] = {}
    if before.candidate is not None and before.candidate != record.id:
        states[before.candidate] = "retired"
    if share < 1:
        states[record.id] = "gradual"
        return replace(before, candidate=record.id, share=share, limits=limits.plain()), states
    states[record.id] = "published"
    former = before.former
    if before.release is not None and before.release != record.id:
        states[before.release], former = "retired", before.release
    after = replace(before, project=record.project, release=record.id, former=former, candidate=None, share=0.0)
    return after, states


def _gone_back(
    served: ServedRelease, releases: Sequence[ReleaseRecord], state: State
) -> tuple[ServedRelease, dict[str, State], str]:
    """What is served then, and the one that is taken back."""
    if served.candidate is not None:
        return replace(served, candidate=None, share=0.0), {served.candidate: state}, served.candidate
    assert served.release is not None
    states: dict[str, State] = {served.release: state}
    if served.former is not None:
        states[served.former] = "published"
    former = next((each for each in releases if each.id == served.former), None)
    older = [
        each
        for each in releases
        if former is not None
        and each.state == "retired"
        and each.published_at is not None
        and former.published_at is not None
        and each.published_at < former.published_at
    ]
    last = max(older, key=lambda each: (each.published_at, each.number), default=None)
    return replace(served, release=served.former, former=last.id if last else None), states, served.release
