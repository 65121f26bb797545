"""What is known of a release's texts: what the check finds, its tests, whether it was gone through, the risk files."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from heartrule.authoring.workspace import Workspace
from heartrule.debugger.service import Debugger, NoSuchDebugSession
from heartrule.language.bilingual import Bilingual
from heartrule.language.compiling.compiler import bundle, compile_session
from heartrule.language.compiling.script import Script, Source
from heartrule.language.findings import Refused
from heartrule.language.projects.project import PROJECT_FILE, SAFETY, LoadedProject
from heartrule.releases.figures import COMPLETED
from heartrule.releases.gates import SHOWN, Evidence
from heartrule.sessions import CannotRestore, Sessions
from heartrule.sessions.rows import state_of
from heartrule.store.bundles import NoSuchBundle
from heartrule.store.codec import encode_text
from heartrule.store.records import Gone
from heartrule.store.releases import Proof, ProofKind, ReleaseRecord
from heartrule.workbench.project_tests import own_items, run_project_tests
from heartrule.workbench.workbench import Workbench

MOST = 1_000
SECONDS = 600.0
"""Cases and seconds of the tests of one release."""


class NoProjectFile(Exception):
    """A release needs a ``project.yaml`` with an id, under which it is served."""


@dataclass(frozen=True, slots=True)
class Texts:
    """A version of a project, read. ``digest`` names all of it, the tests too."""

    workspace: Workspace = field(repr=False)
    digest: str

    @property
    def home(self) -> LoadedProject:
        return self.workspace.now.project

    @property
    def sources(self) -> tuple[Source, ...]:
        return self.home.whole_sources

    @property
    def bundle(self) -> str:
        return bundle(self.sources)

    def scripts(self) -> list[Script]:
        """Of all its sessions; of what cannot be read there is none."""
        now = self.workspace.now
        if any(each.stops for each in now.findings):
            return []
        return [compile_session(each, now.project, now.other, now.other(SAFETY))[0] for each in now.project.sessions]


class ReleaseChecks:
    """``risk_files``: labelled utterances, for projects that watch over safety."""

    def __init__(
        self, sessions: Sessions, workbench: Workbench, debugger: Debugger, risk_files: Sequence[Path] = ()
    ) -> None:
        self._sessions, self._workbench, self._debugger = sessions, workbench, debugger
        self._risk_files = tuple(risk_files)
        self._store = sessions.store

    async def texts(self, project: str, version: int | None = None) -> Texts:
        """Raises ``NoSuchProject``, ``NoProjectFile``."""
        _, texts = await self._store.projects.texts(project, version)
        if PROJECT_FILE not in texts:
            raise NoProjectFile(project)
        return await asyncio.to_thread(build_texts, texts, self._workbench)

    async def of(self, release: ReleaseRecord, texts: Texts) -> Evidence:
        """All that a gate asks, as it stands now."""
        releases = self._store.releases
        proofs = await releases.proofs(release.project, texts.digest)
        errors = await asyncio.to_thread(_errors, texts)
        return Evidence(
            release=release,
            rules=await releases.rules(release.project),
            errors=errors,
            sessions=any(True for _ in texts.home.sessions),
            tests=proofs.get("tests"),
            debugged="debug" in proofs or await self._gone_through(release, texts),
            risk=proofs.get("risk"),
            votes=await releases.votes(release.id),
            authors=await self._authors(release),
        )

    async def run(self, release: ReleaseRecord, texts: Texts, lang: str) -> None:
        """Run the tests, and the risk files where they are asked for; what they come to is kept."""
        tests = await asyncio.to_thread(_tested, texts, lang)
        await self._prove(release, texts, "tests", tests)
        if release.slug == SAFETY and self._risk_files:
            served = self._sessions.library.safety
            from heartrule.releases.risk_files import heard

            risk = await asyncio.to_thread(heard, texts.home, served, self._risk_files)
            await self._prove(release, texts, "risk", risk)

    async def _prove(self, release: ReleaseRecord, texts: Texts, kind: ProofKind, result: Mapping[str, Any]) -> None:
        proof = Proof(kind, self._sessions.clock.now(), result)
        await self._store.releases.prove(release.project, texts.digest, proof)

    async def _authors(self, release: ReleaseRecord) -> frozenset[str]:
        """Who has written anything since what was published before it."""
        older = await self._store.releases.of_project(release.project)
        before = max(
            (each.version for each in older if each.published_at and each.version < release.version), default=0
        )
        written = await self._store.projects.versions(release.project, release.version + 1, 1_000)
        return frozenset({release.author.id, *(each.author.id for each in written if each.number > before)})

    # gone through to the end

    async def _gone_through(self, release: ReleaseRecord, texts: Texts) -> bool:
        scripts = await asyncio.to_thread(texts.scripts)
        releases = self._store.releases
        for session in await releases.tried(release.project, [each.bundle for each in scripts]):
            if await self._is_completed(session):
                await self._prove(release, texts, "debug", {"by": "try"})
                return True
        for debug in await releases.debugged([each.id for each in scripts]):
            if await self._is_debugged(debug, texts):
                await self._prove(release, texts, "debug", {"by": "debugger"})
                return True
        return False

    async def _is_completed(self, session: str) -> bool:
        try:
            state = state_of((await self._store.load(session, 0)).state)
        except (Gone, CannotRestore):
            return False
        return state.ended and state.end_reason in COMPLETED

    async def _is_debugged(self, debug: str, texts: Texts) -> bool:
        try:
            session = await self._debugger.found(debug)
        except (NoSuchDebugSession, NoSuchBundle, Refused):  # a text that cannot be read any more proves nothing
            return False
        if session.head.text != texts.bundle or session.branch.leaf is None:
            return False
        state = (await asyncio.to_thread(session.turn, session.branch.leaf)).state
        return state.ended and state.end_reason in COMPLETED


def build_texts(texts: Mapping[str, str], workbench: Workbench) -> Texts:
    found = sha256()
    for path, text in sorted(texts.items()):
        found.update(path.encode() + b"\0" + sha256(encode_text(text)).digest())
    workspace = Workspace(dict(texts), workbench.registry, workbench.other)
    _ = workspace.now
    return Texts(workspace, found.hexdigest())


def _errors(texts: Texts) -> list[Bilingual]:
    wrong = [each for each in texts.workspace.now.findings if each.stops or each.severity == "error"]
    return [
        Bilingual(
            f"{each.file}:{each.line} {each.code} {each.message.zh}",
            f"{each.file}:{each.line} {each.code} {each.message.en}",
        )
        for each in wrong
    ]


def _tested(texts: Texts, lang: str) -> dict[str, Any]:
    ran = run_project_tests(texts.workspace, lang, MOST, SECONDS)
    every = {item for script in texts.scripts() for item in own_items(texts.workspace, script)}
    come_to = every & ran.reached
    missed = sorted(each.id for each in every - come_to)
    failed = [" · ".join([each["file"], each["name"], *each["told"]][:4]) for each in ran.cases if not each["passed"]]
    return {
        "passed": sum(bool(each["passed"]) for each in ran.cases),
        "failed": failed[: SHOWN * 2],
        "left": ran.left,
        "coverage": 100 * len(come_to) // len(every) if every else 100,
        "missed": missed[: SHOWN * 2],
    }
