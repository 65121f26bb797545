"""Somebody of the operator's staff, as every part of the server knows them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

Role = Literal["counsellor", "developer", "reviewer", "administrator"]
ROLES: tuple[Role, ...] = get_args(Role)
EVERY = "*"
"""In place of a project's id: all of them."""
LONGEST_NAME = 40
"""Characters of a name."""
LONGEST_ID = 300
"""Characters of a principal's id: whoever signs a token chooses up to 255 of them."""
PROJECT_ROLES: tuple[Role, ...] = ("developer", "reviewer")
"""Those that somebody may have in one project alone."""


@dataclass(frozen=True, slots=True)
class ProjectRole:
    """A role in one project of the workbench, by the id that it has there, whoever owns it: its own ``id`` in
    ``project.yaml`` can be changed by whoever writes it."""

    role: Role
    project: str


@dataclass(frozen=True, slots=True)
class Service:
    """A program that acts for an account, by a token of its own. ``scopes``: all that it may, of what the account
    may."""

    id: str
    name: str
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Principal:
    """``id`` stands on record, ``name`` is what persons are shown. ``projects``: whose sessions they may see, by id;
    ``EVERY`` among them: all. ``granted``: roles in one project, beside ``roles``, which they have in all. ``sign_in``:
    by which they are here; None: with a token, which stands for a program; ``service``: which one, where it was made
    for one; ``until``: when the token ends, where nobody can call it back."""

    id: str
    name: str = field(repr=False)
    roles: frozenset[Role]
    projects: tuple[str, ...]
    locale: str = "zh-CN"
    sign_in: str | None = None
    granted: tuple[ProjectRole, ...] = ()
    service: Service | None = None
    until: datetime | None = None

    def may_see(self, project: str) -> bool:
        return EVERY in self.projects or project in self.projects

    @property
    def role(self) -> str:
        """What stands on record: all of them, in one order, and the program that acts for them."""
        held = {*self.roles, *(each.role for each in self.granted)}
        program = f" ({self.service.id})" if self.service is not None else ""
        return "+".join(role for role in ROLES if role in held) + program


def is_name(name: str) -> bool:
    """Whether it may be shown to persons as a name."""
    return 0 < len(name) <= LONGEST_NAME and name == name.strip() and name.isprintable()
