"""Who may do what to which object. Every route of the staff asks ``may``, and nothing else decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from heartrule.identity.principal import Principal, Role

Action = Literal[
    "desk.look",
    "desk.shift",
    "session.read",
    "session.take",
    "session.write",
    "session.note",
    "session.assign",
    "session.correct",
    "note.change",
    "reply.queue",
    "reply.read",
    "reply.judge",
    "canned.use",
    "canned.change",
    "figures.read",
    "accounts.read",
    "accounts.change",
    "audit.read",
    "script.read",
    "script.open",
    "script.comment",
    "script.write",
    "script.share",
    "script.debug",
    "group.change",
    "release.read",
    "release.make",
    "release.review",
    "release.publish",
    "release.rule",
    "session.debug",
    "own.account",
]
ACTIONS: tuple[Action, ...] = get_args(Action)


@dataclass(frozen=True, slots=True)
class Thing:
    """What is to be done something to. ``project``: of which it is; None: of none. ``owner``: the id of whose it is;
    None: of nobody, or of all. ``writers`` and ``readers``: with whom its owner shares it."""

    project: str | None = None
    owner: str | None = None
    writers: frozenset[str] = frozenset()
    readers: frozenset[str] = frozenset()


NOTHING = Thing()
_DESK: frozenset[Role] = frozenset({"counsellor"})
_REPLIES: frozenset[Role] = frozenset({"counsellor", "reviewer"})
_AUTHORS: frozenset[Role] = frozenset({"developer"})
_REVIEWERS: frozenset[Role] = frozenset({"reviewer"})
_ADMINISTRATOR: frozenset[Role] = frozenset({"administrator"})
_ALL: frozenset[Role] = frozenset({"counsellor", "developer", "reviewer", "administrator"})

ROLES_OF: Mapping[Action, frozenset[Role]] = {
    "desk.look": _DESK,
    "desk.shift": _DESK,
    "session.read": _DESK,
    "session.take": _DESK,
    "session.write": _DESK,
    "session.note": _DESK,
    "session.assign": _DESK,
    "session.correct": _DESK,
    "note.change": _DESK,
    "reply.queue": _REPLIES,
    "reply.read": _REPLIES,
    "reply.judge": _REPLIES,
    "canned.use": _DESK,
    "canned.change": _DESK,
    "figures.read": _DESK | _REPLIES | _ADMINISTRATOR,
    "accounts.read": _ADMINISTRATOR,
    "accounts.change": _ADMINISTRATOR,
    "audit.read": _ADMINISTRATOR,
    "script.read": _AUTHORS,
    "script.open": _AUTHORS,
    "script.comment": _AUTHORS,
    "script.write": _AUTHORS,
    "script.share": _AUTHORS,
    "script.debug": _AUTHORS,
    "group.change": _AUTHORS,
    "release.read": _REVIEWERS | _ADMINISTRATOR,
    "release.make": _AUTHORS,
    "release.review": _REVIEWERS,
    "release.publish": _REVIEWERS,
    "release.rule": _REVIEWERS | _ADMINISTRATOR,
    "session.debug": _REPLIES,
    "own.account": _ALL,
}
_OPENED: frozenset[Action] = frozenset({"script.open", "script.comment"})
_WRITTEN: frozenset[Action] = frozenset({"script.write", "release.make"})
OWNED: frozenset[Action] = frozenset(
    {"note.change", "canned.change", "script.share", "group.change", *_OPENED, *_WRITTEN}
)
"""Only whose it is, and with whom they share it; what is nobody's, anybody who has the role."""
SIGNED_IN: frozenset[Action] = frozenset({"accounts.read", "accounts.change", "audit.read", "own.account"})
"""Not with a token, which stands for a program and cannot be called back."""


def may(principal: Principal, action: Action, thing: Thing = NOTHING) -> bool:
    """Whether their roles let them, the project is one of theirs, and it is not somebody else's."""
    if not principal.roles & ROLES_OF[action] or (action in SIGNED_IN and principal.sign_in is None):
        return False
    if thing.project is not None and not principal.may_see(thing.project):
        return False
    if action not in OWNED or thing.owner is None or thing.owner == principal.id:
        return True
    return principal.id in _shared(action, thing)


def _shared(action: Action, thing: Thing) -> frozenset[str]:
    if action in _WRITTEN:
        return thing.writers
    return thing.writers | thing.readers if action in _OPENED else frozenset()
