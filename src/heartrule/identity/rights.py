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
    "session.seen",
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
    "rota.change",
    "figures.read",
    "accounts.read",
    "accounts.change",
    "audit.read",
    "script.read",
    "script.comment",
    "script.write",
    "script.rename",
    "script.share",
    "script.make",
    "script.remove",
    "script.debug",
    "group.change",
    "release.read",
    "release.look",
    "release.make",
    "release.review",
    "release.publish",
    "release.rule",
    "own.account",
    "own.mail",
]
ACTIONS: tuple[Action, ...] = get_args(Action)


@dataclass(frozen=True, slots=True)
class Resource:
    """What is to be done something to. ``project``: of which it is, by what its ``project.yaml`` says; None: of none.
    ``owner``: the id of whose it is; None: of nobody, or of all. ``writers`` and ``readers``: with whom its owner
    shares it. ``bench``: of which project of the workbench it is, by the id that it has there."""

    project: str | None = None
    owner: str | None = None
    writers: frozenset[str] = frozenset()
    readers: frozenset[str] = frozenset()
    bench: str | None = None


NOTHING = Resource()
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
    "session.seen": _DESK,
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
    "rota.change": _DESK,
    "figures.read": _DESK | _REPLIES | _ADMINISTRATOR,
    "accounts.read": _ADMINISTRATOR,
    "accounts.change": _ADMINISTRATOR,
    "audit.read": _ADMINISTRATOR,
    "script.read": _AUTHORS,
    "script.comment": _AUTHORS,
    "script.write": _AUTHORS,
    "script.rename": _AUTHORS,
    "script.share": _AUTHORS,
    "script.make": _AUTHORS,
    "script.remove": _AUTHORS,
    "script.debug": _AUTHORS,
    "group.change": _AUTHORS,
    "release.read": _REVIEWERS | _ADMINISTRATOR,
    "release.look": _AUTHORS,
    "release.make": _AUTHORS,
    "release.review": _REVIEWERS,
    "release.publish": _REVIEWERS,
    "release.rule": _REVIEWERS | _ADMINISTRATOR,
    "own.account": _ALL,
    "own.mail": _AUTHORS,
}
_OPENED: frozenset[Action] = frozenset({"script.read", "script.comment"})
_WRITTEN: frozenset[Action] = frozenset({"script.write", "release.look", "release.make"})
OWNED: frozenset[Action] = frozenset(
    {
        "note.change",
        "canned.change",
        "rota.change",
        "script.rename",
        "script.share",
        "script.remove",
        "group.change",
        *_OPENED,
        *_WRITTEN,
    }
)
"""Only whose it is, and with whom they share it; what is nobody's, anybody who has the role."""
OF_PROJECTS: frozenset[Action] = frozenset(
    {
        "script.read",
        "script.comment",
        "script.write",
        "script.debug",
        "own.mail",
        "release.read",
        "release.look",
        "release.make",
        "release.review",
        "release.publish",
        "release.rule",
    }
)
"""What a role in one project opens, in this project: all that is its own, whoever owns it, but for making other
projects, and for naming this one, sharing it and taking it away."""
SIGNED_IN: frozenset[Action] = frozenset({"accounts.read", "accounts.change", "audit.read", "own.account"})
"""Not with a token, which stands for a program: what lets people in is people's."""

SCOPES: Mapping[str, frozenset[Action]] = {
    "desk.read": frozenset({"desk.look", "session.read"}),
    "desk.write": frozenset(
        {
            "session.take",
            "session.write",
            "session.note",
            "session.assign",
            "session.correct",
            "note.change",
            "canned.use",
            "canned.change",
            "rota.change",
        }
    ),
    "replies": frozenset({"reply.queue", "reply.read", "reply.judge"}),
    "figures": frozenset({"figures.read"}),
    "scripts.read": frozenset({"script.read"}),
    "scripts.write": frozenset({"script.write", "script.comment", "script.make", "script.rename", "script.remove"}),
    "debug": frozenset({"script.debug"}),
    "releases.read": frozenset({"release.read", "release.look"}),
    "releases.write": frozenset({"release.make", "release.review", "release.publish", "release.rule"}),
}
"""What a program may be let do, and which actions each of it opens. None opens ``desk.shift`` and ``session.seen``: a
program is nobody who is there when somebody calls for help, nor who has seen that they did; nor ``script.share``,
``group.change`` and ``own.mail``: who is told what is people's to say."""


def may(principal: Principal, action: Action, thing: Resource = NOTHING) -> bool:
    """Whether a role of theirs lets them do this to it, and the program that acts for them may. ``NOTHING``: to
    anything at all."""
    if action in SIGNED_IN and principal.sign_in is None:
        return False
    if principal.service is not None and not any(action in SCOPES[each] for each in principal.service.scopes):
        return False
    return _by_role(principal, action, thing) or _by_project(principal, action, thing)


def _by_role(principal: Principal, action: Action, thing: Resource) -> bool:
    """The project is one of theirs, and it is not somebody else's."""
    if not principal.roles & ROLES_OF[action]:
        return False
    if thing.project is not None and not principal.may_see(thing.project):
        return False
    if action not in OWNED or thing.owner is None or thing.owner == principal.id:
        return True
    return principal.id in _shared(action, thing)


def _shared(action: Action, thing: Resource) -> frozenset[str]:
    if action in _WRITTEN:
        return thing.writers
    return thing.writers | thing.readers if action in _OPENED else frozenset()


def _by_project(principal: Principal, action: Action, thing: Resource) -> bool:
    return action in OF_PROJECTS and any(
        each.role in ROLES_OF[action] and (thing == NOTHING or each.project == thing.bench)
        for each in principal.granted
    )


def scopes_of(principal: Principal) -> tuple[str, ...]:
    """Those that would open anything to them."""
    return tuple(scope for scope, opened in SCOPES.items() if any(may(principal, action) for action in opened))
