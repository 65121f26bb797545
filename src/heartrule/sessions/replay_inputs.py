"""What a turn rested on beside its own records, written down with it, so that it can be worked out again exactly."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from hashlib import sha256
from importlib import resources
from importlib.metadata import version
from importlib.resources.abc import Traversable
from typing import Any

from heartrule.classifiers import Classifiers
from heartrule.engine.session.io import Helper
from heartrule.store.codec import encode
from heartrule.store.records import Commit, SessionRecord, VariableRecord

DIGEST = 32
"""Hex digits of a digest that is kept."""


@dataclass(frozen=True, slots=True)
class Grounds:
    """``model``: a provider was configured. ``reaches``: who could be told. ``program``: version and digest of the code
    and texts that worked the turn out. ``safety``: the bundle of the safety project as it was then. ``status`` and
    ``active_at``: the session's before the turn. ``shared``: the person's own variables as they stood; None: as the
    turn before had left them, but for those that are ``gone``, by scope, its key and name, and those that are ``new``.
    ``state`` and ``written``: digests of the state after the turn and of the variables that it wrote.
    ``classifiers``: the names of those that read along, by what they hear. ``bundle``: of the script as it was
    then; a session can be moved to another."""

    model: bool
    program: str
    safety: str
    status: str
    active_at: datetime
    shared: tuple[VariableRecord, ...] | None = field(repr=False)
    state: str
    written: str
    reaches: tuple[Helper, ...] = ()
    classifiers: Mapping[str, str] = field(default_factory=dict)
    bundle: str = ""
    gone: tuple[tuple[str, str, str], ...] = ()
    new: tuple[VariableRecord, ...] = field(default=(), repr=False)

    def found(self, left: Sequence[VariableRecord]) -> Sequence[VariableRecord]:
        """The person's own variables as the turn found them, where the turn before had ``left`` these."""
        if self.shared is not None:
            return self.shared
        if not self.gone and not self.new:
            return left
        known = {_key(each): each for each in left}
        for key in self.gone:
            known.pop(key, None)
        return [each for _, each in sorted((known | {_key(each): each for each in self.new}).items())]

    def data(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "program": self.program,
            "safety": self.safety,
            "status": self.status,
            "active_at": self.active_at.isoformat(),
            "shared": None if self.shared is None else [_plain(record) for record in self.shared],
            "state": self.state,
            "written": self.written,
            "reaches": list(self.reaches),
            "classifiers": dict(self.classifiers),
            "bundle": self.bundle,
            "gone": [list(key) for key in self.gone],
            "new": [_plain(record) for record in self.new],
        }

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Grounds:
        """Raises ``KeyError``, ``TypeError`` or ``ValueError`` for what is none."""
        shared = data["shared"]
        return cls(
            model=data["model"],
            program=data["program"],
            safety=data["safety"],
            status=data["status"],
            active_at=datetime.fromisoformat(data["active_at"]),
            shared=None if shared is None else tuple(_record(one) for one in shared),
            state=data["state"],
            written=data["written"],
            reaches=tuple(data.get("reaches", ())),
            classifiers=dict(data.get("classifiers", {})),
            bundle=data.get("bundle", ""),
            gone=tuple((scope, key, name) for scope, key, name in data.get("gone", ())),
            new=tuple(_record(one) for one in data.get("new", ())),
        )


def grounds_of(
    session: SessionRecord,
    commit: Commit,
    *,
    model: bool,
    reaches: Collection[Helper],
    classifiers: Classifiers,
    safety: str,
    shared: Sequence[VariableRecord],
    expected: Sequence[VariableRecord] | None,
) -> Grounds:
    """Of the turn of ``session`` that ``commit`` is about to write. ``shared``: the person's own variables, in order;
    ``expected``: as its last turn left them, None when nobody remembers."""
    left = {_key(each): each for each in expected or ()}
    now = {_key(each) for each in shared}
    return Grounds(
        model=model,
        reaches=tuple(sorted(reaches)),
        classifiers={hears: each.name for hears, each in classifiers.items()},
        program=program(),
        bundle=session.bundle,
        safety=safety,
        status=session.status,
        active_at=session.last_active_at,
        shared=tuple(shared) if expected is None else None,
        gone=() if expected is None else tuple(key for key in left if key not in now),
        new=() if expected is None else tuple(each for each in shared if left.get(_key(each)) != each),
        state=digest(commit.state),
        written=written_digest(commit.variables, commit.removed_scopes),
    )


def _key(record: VariableRecord) -> tuple[str, str, str]:
    return record.scope, record.scope_key, record.name


def written_digest(written: Sequence[VariableRecord], removed: Sequence[tuple[str, str]]) -> str:
    """Of every variable that a turn wrote, with what is known of it, and of the scopes that it removed."""
    return digest([[_plain(record) for record in written], list(removed)])


def digest(value: object) -> str:
    return sha256(encode(value)).hexdigest()[:DIGEST]


def _plain(record: VariableRecord) -> dict[str, Any]:
    return {
        "scope": record.scope,
        "scope_key": record.scope_key,
        "name": record.name,
        "value": record.value,
        "type": record.type,
        "updated_at": record.updated_at.isoformat(),
        "updated_by": record.updated_by,
        "strategy": record.strategy,
        "evidence": record.evidence,
    }


def _record(data: Mapping[str, Any]) -> VariableRecord:
    return VariableRecord(**{**data, "updated_at": datetime.fromisoformat(data["updated_at"])})


@cache
def program() -> str:
    """What works turns out: our version, and a digest of the engine and of what it reads with and asks with."""
    found = sha256()
    for folder in ("checks", "engine", "language", "memory", "parsing", "prompts"):
        for path, content in sorted(_texts(resources.files("heartrule") / folder, folder)):
            found.update(path.encode() + b"\0" + content + b"\0")
    return f"{version('heartrule')}+{found.hexdigest()[:12]}"


def _texts(folder: Traversable, path: str) -> list[tuple[str, bytes]]:
    texts: list[tuple[str, bytes]] = []
    for each in folder.iterdir():
        name = f"{path}/{each.name}"
        if each.is_dir():
            texts += _texts(each, name)
        elif each.name.endswith((".py", ".md", ".yaml")):
            texts.append((name, each.read_bytes()))
    return texts
