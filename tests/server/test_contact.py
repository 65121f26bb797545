"""Whom a person wants told: named, read, replaced and taken back by nobody but themselves."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.material import API, Grounds, headers, run

PATH = f"{API}/persons/me/contact"
CONTACT = {"name": "李老师", "email": "li@example.org", "known_as": "小王"}
KEPT = {**CONTACT, "confirmed": False}


async def put(api: Any, body: object, token: str | None) -> Any:
    return await api.client.put(PATH, json=body, headers=headers(token, {}))


def test_a_person_names_reads_replaces_and_takes_back_their_contact(grounds: Grounds) -> None:
    async def talk() -> None:
        async with grounds.asgi() as api:
            visit, other = await api.visit(), await api.visit()
            token = visit.person_token
            assert (await api.get(PATH, token)).status_code == 404
            answer = await put(api, CONTACT, token)
            assert (answer.status_code, answer.json()) == (200, KEPT)
            assert (await api.get(PATH, token)).json() == KEPT
            assert (await api.get(PATH, other.person_token)).status_code == 404
            changed = {**KEPT, "email": "other@example.org", "known_as": ""}
            assert (await put(api, {"name": "李老师", "email": "other@example.org"}, token)).json() == changed
            assert (await api.get(PATH, token)).json() == changed
            gone = await api.client.delete(PATH, headers=headers(token, {}))
            assert gone.status_code == 204
            assert (await api.client.delete(PATH, headers=headers(token, {}))).status_code == 404
            assert (await api.get(PATH, token)).status_code == 404

    run(talk())


@pytest.mark.parametrize("which", ["none", "session"])
def test_only_a_persons_own_token_opens_it(grounds: Grounds, which: str) -> None:
    async def talk() -> None:
        async with grounds.asgi() as api:
            visit = await api.visit()
            token = visit.token if which == "session" else None
            for answer in (
                await api.get(PATH, token),
                await put(api, CONTACT, token),
                await api.client.delete(PATH, headers=headers(token, {})),
            ):
                assert answer.status_code == 401

    run(talk())


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"name": "a\nb"},
        {"name": "a" * 81},
        {"name": "Bank https://bank.example"},
        {"name": "bank.example"},
        {"known_as": "www.bank.example"},
        {"known_as": "a\u2028b"},
        {"email": "nobody"},
        {"email": "a@b.org,c@d.org"},
        {"email": "a@b.org;c@d.org"},
        {"email": "a@b.org c@d.org"},
        {"email": "<a@b.org>"},
        {"email": '"a@b.org,c"@d.org'},
        {"email": "a@b.org@d.org"},
        {"email": "a%b.org@d.org"},
        {"email": "a@[127.0.0.1]"},
        {"email": "a@localhost"},
        {"email": "a@b.org\r\nBcc: c@d.org"},
        {"email": f"{'a' * 250}@b.org"},
        {"known_as": "a\r\nb"},
        {"phone": "1"},
    ],
)
def test_what_could_not_be_reached_is_refused(grounds: Grounds, change: dict[str, str]) -> None:
    async def talk() -> None:
        async with grounds.asgi() as api:
            visit = await api.visit()
            assert (await put(api, {**CONTACT, **change}, visit.person_token)).status_code == 422
            assert (await api.get(PATH, visit.person_token)).status_code == 404

    run(talk())
