"""What new sessions begin with: the published release of a project, or for a share of the persons the one that is being
tried. Sessions that have begun stay with theirs."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from heartrule.language.compiling.compiler import bundle
from heartrule.language.compiling.script import Script, Source
from heartrule.language.projects.project import LoadedProject, of_sources
from heartrule.sessions.scripts import Scripts
from heartrule.signing import Signer, is_signed, public_key
from heartrule.store.codec import encode_text
from heartrule.store.releases import ReleaseRecord, ServedRelease
from heartrule.store.store import Store

log = logging.getLogger(__name__)
TRUE = frozenset({"1", "true", "yes", "on"})


@dataclass(frozen=True, slots=True)
class Trust:
    """``only_signed``: nothing is run but what one of ``keys`` has signed, and what we ship."""

    only_signed: bool = False
    keys: tuple[str, ...] = ()

    @classmethod
    def of(cls, environment: Mapping[str, str], folder: Path) -> Trust:
        """``HEARTRULE_SIGNED_ONLY``, and ``HEARTRULE_RELEASE_KEYS``: public keys with commas between; none: the data
        folder's own. Raises ``BadKey``."""
        only = environment.get("HEARTRULE_SIGNED_ONLY", "").strip().lower() in TRUE
        told = [each.strip() for each in environment.get("HEARTRULE_RELEASE_KEYS", "").split(",") if each.strip()]
        for each in told:
            public_key(each)
        if only and not told:
            told = [Signer(folder).key()]
        return cls(only, tuple(told))

    def holds(self, slug: str, name: str, signed: tuple[str, str]) -> bool:
        """Whether what is signed so may be run."""
        key, signature = signed
        return not self.only_signed or (key in self.keys and is_signed(slug, name, key, signature))


ANY = Trust()


@dataclass(frozen=True, slots=True)
class Chosen:
    """``release``: of which the script is; None: of a folder. ``person``: who begins; None: somebody new."""

    script: Script
    release: str | None
    person: str | None


@dataclass(slots=True)
class _Offer:
    serving: ServedRelease
    release: tuple[str, LoadedProject] | None
    candidate: tuple[str, LoadedProject] | None
    compiled: dict[tuple[str, str | None], Script] = field(default_factory=dict)


class ReleaseChoice:
    def __init__(self, store: Store, scripts: Scripts, trust: Trust) -> None:
        self._store, self._scripts, self.trust = store, scripts, trust
        self._known: tuple[ServedRelease, ...] | None = None
        self._offers: dict[str, _Offer] = {}

    async def look(self) -> None:
        """What is served now, whoever has published it."""
        served = await self._store.releases.served()
        if served == self._known:
            return
        offers = {each.slug: await self._offer(each) for each in served}
        self._scripts.library.release(
            {slug: offer.release[1] for slug, offer in offers.items() if offer.release is not None},
            only_signed=self.trust.only_signed,
        )
        self._scripts.forget()
        self._known, self._offers = served, offers

    async def choose(self, script: str, person: str | None, locale: str | None) -> Chosen:
        await self.look()
        slug, _, session = script.partition("/")
        offer = self._offers.get(slug) if session else None
        if offer is not None and offer.candidate is not None:
            person = person or await self._store.new_person()
            key = await self._store.token_key()
            if draw(key, offer.candidate[0], person) < offer.serving.share:
                name, home = offer.candidate
                if (session, locale) not in offer.compiled:
                    offer.compiled[(session, locale)] = self._scripts.library.script_in(home, session, locale)
                return Chosen(self._scripts.keep(offer.compiled[(session, locale)]), name, person)
        release = offer.release[0] if offer is not None and offer.release is not None else None
        return Chosen(self._scripts.compile(script, locale), release, person)

    async def project_of(self, release: ReleaseRecord) -> LoadedProject | None:
        """The project of a release as it is run; None where it is not what was signed."""
        sources = await self._store.bundle(release.bundle)
        signed = (release.key, release.signature)
        if not is_whole(release.bundle, sources) or not self.trust.holds(release.slug, release.bundle, signed):
            log.error("release not run: %s is not signed by a trusted key", release.id)
            return None
        return of_sources(sources, self._scripts.library.registry).get(release.slug)

    async def _offer(self, serving: ServedRelease) -> _Offer:
        return _Offer(serving, await self._loaded(serving.release), await self._loaded(serving.candidate))

    async def _loaded(self, release: str | None) -> tuple[str, LoadedProject] | None:
        record = await self._store.releases.find(release) if release is not None else None
        project = await self.project_of(record) if record is not None else None
        return (record.id, project) if record is not None and project is not None else None


def draw(key: bytes, release: str, person: str) -> float:
    """Where a person stands between 0 and 1, the same whenever it is asked: who is within a share stays within a larger
    one, and another release draws anew."""
    digest = hmac.digest(key, f"share\n{release}\n{person}".encode(), "sha256")
    return int.from_bytes(digest[:8], "big") / 2**64


def is_whole(name: str, sources: tuple[Source, ...]) -> bool:
    """Whether these are the very texts that a hash names."""
    true = all(sha256(encode_text(each.text)).hexdigest() == each.sha256 for each in sources)
    return true and bundle(sources) == name
