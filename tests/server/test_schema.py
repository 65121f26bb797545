"""The schemas of script files, served to editors."""

from __future__ import annotations

import pytest
from tests.server.material import Grounds, run


@pytest.mark.parametrize(("of", "key"), [("script", "sessions"), ("project", "domain")])
def test_a_schema_has_the_address_it_was_asked_for_at(grounds: Grounds, of: str, key: str) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            answer = await api.get(f"/schema/{of}.json?v=2")
            made = answer.json()
            assert answer.status_code == 200
            assert made["$id"].endswith(f"/schema/{of}.json")
            assert made["$id"].startswith("http")
            assert "\n\n" in made["properties"][key]["description"]

    run(work())


def test_there_are_no_others(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            assert (await api.get("/schema/session.json")).status_code in (404, 422)

    run(work())
