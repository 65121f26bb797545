"""What JSON's readers elsewhere do not know as a number is refused wherever it stands, and told by its place."""

from __future__ import annotations

import pytest
from tests.server.material import API, SCRIPT, Grounds, problem, run

from heartrule.server.tokens import Staff

JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
@pytest.mark.parametrize("around", ["%s", '{"b": [1, {"c": %s}]}'])
def test_no_number_is_kept_that_cannot_be_said_again(grounds: Grounds, number: str, around: str) -> None:
    async def work() -> None:
        async with grounds.asgi(debug="full") as api:
            lin = api.context.tokens.of_staff(Staff("a", "A", "developer", ("*",))).token
            for path, field, body in (
                ("/sessions", "metadata", f'{{"script": "{SCRIPT}", "metadata": {{"a": {around}}}}}'),
                ("/sessions", "variables", f'{{"script": "{SCRIPT}", "variables": {{"a": {around}}}}}'),
                ("/debug/import", "file", f'{{"file": {{"head": {around}}}}}'),
            ):
                sent = {**JSON, "Authorization": f"Bearer {lin}"} if path.startswith("/debug") else JSON
                answer = await api.client.post(f"{API}{path}", content=body % number, headers=sent)
                problem(answer, "invalid-request", 422)
                assert f"{field}: must hold finite numbers only" in answer.json()["title"]

    run(work())
