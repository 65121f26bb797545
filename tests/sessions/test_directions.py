"""Directions of strategies, each for its share of the sessions, and what came of them side by side (001 §4.2.5)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.sessions.material import Place, run

from heartrule.language.nodes.strategy import Strategies

DIRECTIONS = [{"name": "探索", "share": 50, "notes": "多问"}, {"name": "给办法", "share": 30, "notes": "给一步"}]
PROJECT = "id: tests\nlocale: zh-CN\nstrategies:\n  compare:\n" + "".join(f"    - {each}\n" for each in DIRECTIONS)


def test_a_session_draws_one_for_good_and_the_figures_tell_them_apart(place: Place) -> None:
    (Path(place.script).parent / "project.yaml").write_text(PROJECT, encoding="utf-8")
    compared = Strategies.model_validate({"compare": DIRECTIONS})

    async def work() -> None:
        async with place.open() as sessions:
            begun = [(await place.begun(sessions))[0] for _ in range(12)]
            found = await sessions.store.figures("direction")
        told = {each.key[1]: each.of_turns.started for each in found if each.of_turns}
        assert told == Counter(compared.drawn(session) for session in begun)
        assert len({each.key[0] for each in found}) == 1

    run(work())


def test_where_nothing_is_compared_there_is_no_such_group(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            await place.begun(sessions)
            assert await sessions.store.figures("direction") == ()

    run(work())
