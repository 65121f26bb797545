"""Somebody of the operator's staff, as every part of the server knows them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

Role = Literal["counsellor", "developer", "reviewer", "administrator"]
ROLES: tuple[Role, ...] = get_args(Role)
EVERY = "*"
"""In place of a project's id: all of them."""
LONGEST_NAME = 40
"""Characters of a name."""


@dataclass(frozen=True, slots=True)
class Principal:
    """``id`` stands on record, ``name`` is what persons are shown. ``projects``: whose sessions they may see, by id;
    ``EVERY`` among them: all. ``sign_in``: by which they are here; None: with a token, which stands for a program."""

    id: str
    name: str = field(repr=False)
    roles: frozenset[Role]
    projects: tuple[str, ...]
    locale: str = "zh-CN"
    sign_in: str | None = None

    def may_see(self, project: str) -> bool:
        return EVERY in self.projects or project in self.projects

    @property
    def role(self) -> str:
        """What stands on record: all of them, in one order."""
        return "+".join(role for role in ROLES if role in self.roles)


def is_name(name: str) -> bool:
    """Whether it may be shown to persons as a name."""
    return 0 < len(name) <= LONGEST_NAME and name == name.strip() and name.isprintable()
