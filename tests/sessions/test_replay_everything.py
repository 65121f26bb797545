"""What the tests of many things leave behind is replayed (``replaying``); here, that it really is."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from tests.sessions.material import answer, change, run
from tests.sessions.replaying import COUNTS, DAMAGED, MODULES, Replayed, replayed

from heartrule.sessions.replay_check import Differs


def modules() -> Iterator[ModuleType]:
    for name in MODULES:
        yield import_module(f"tests.sessions.{name}")


def test_there_are_scenarios() -> None:
    for module in modules():
        assert any(replayed(test) for name, test in vars(module).items() if name.startswith("test_")), module.__name__
    names = [name for module in modules() for name, test in vars(module).items() if callable(test) and replayed(test)]
    assert len(names) > 80
    assert not COUNTS & set(names)
    assert all(any(hasattr(module, name) for module in modules()) for name in COUNTS | DAMAGED)


def test_what_is_left_behind_is_replayed(tmp_path: Path) -> None:
    async def work(place: Replayed, statement: str = "") -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            await answer(sessions, session, outcome)
            if statement:
                change(sessions, statement)

    place = Replayed(tmp_path)
    run(work(place))
    assert place.turns > 2
    with pytest.raises(Differs):
        run(work(place, "DELETE FROM messages WHERE turn = 2 AND reply"))
