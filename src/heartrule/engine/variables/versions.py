"""Earlier values of variables with ``update: versioned``, as far as this session has seen them change."""

from __future__ import annotations

from typing import Any

from heartrule.engine.session.state import State
from heartrule.engine.session.variables import ScopeKey

KEPT = 10
"""Earlier values of one variable that are kept, the newest; all of them are in the history of events."""


def keep(state: State, where: ScopeKey, name: str, value: Any) -> None:
    """``value`` is about to be replaced."""
    held = state.versions.setdefault(_place(where, name), [])
    held.append(value)
    del held[:-KEPT]


def earlier(state: State, where: ScopeKey, name: str) -> list[Any] | None:
    """The values that were replaced, oldest first; None where there are none."""
    return list(state.versions.get(_place(where, name), ())) or None


def forget(state: State, where: ScopeKey) -> None:
    """The scope is cleaned."""
    begins = _place(where, "")
    state.versions = {key: held for key, held in state.versions.items() if not key.startswith(begins)}


def _place(where: ScopeKey, name: str) -> str:
    return f"{where[0]}/{where[1]}/{name}"
