"""Mail in a stranger's words: whoever is named as a contact is asked once, by one address, without a word that leads
anywhere but to us; and hears nothing more before they have agreed."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.jobs.receivers import Mailbox
from tests.jobs.test_escalating import server as smtp
from tests.server.material import API, Asked, Grounds, Visit, headers, run

PATH = f"{API}/persons/me/contact"
CONTACT = {"name": "李老师", "email": "li@example.org", "known_as": "小王"}
ADDRESS = "https://talk.example.org"


async def named(api: Asked, visit: Visit, **change: str) -> Any:
    answer = await api.client.put(PATH, json={**CONTACT, **change}, headers=headers(visit.person_token, {}))
    assert answer.status_code == 200, answer.text
    return answer.json()


async def mails(box: Mailbox, number: int) -> None:
    async with asyncio.timeout(20):
        while len(box.mails) < number:  # noqa: ASYNC110 (another thread fills it)
            await asyncio.sleep(0.02)
    await asyncio.sleep(0.3)
    assert len(box.mails) == number


@pytest.fixture
def grounds(tmp_path: Path) -> Grounds:
    return Grounds(tmp_path)


def told(grounds: Grounds, box: Mailbox) -> None:
    mailing = "".join(f"{name} = {json.dumps(value)}\n" for name, value in smtp(box).items())
    data = grounds.settings().data
    data.mkdir(parents=True, exist_ok=True)
    text = f'[escalation]\naddress = "{ADDRESS}"\n[escalation.smtp]\n{mailing}'
    (data / "heartrule.toml").write_text(text, encoding="utf-8")


def test_a_contact_is_asked_once_and_agrees_on_a_page(grounds: Grounds) -> None:
    async def work(box: Mailbox) -> None:
        async with grounds.asgi() as api:
            visit = await api.visit()
            assert (await named(api, visit))["confirmed"] is False
            await named(api, visit, name="李医生")
            await mails(box, 1)
            (mail,) = box.mails
            text = mail.get_content()
            assert mail["To"] == "li@example.org"
            assert set(re.findall(r"https?://[^/\s]+", text)) == {ADDRESS}
            link = re.search(rf"{ADDRESS}(/contact/\S+)", text)
            assert link is not None
            page = await api.client.get(link[1])
            assert page.status_code == 200
            assert (await api.get(PATH, visit.person_token)).json()["confirmed"] is False, "opening it does nothing"
            assert (await api.client.post(f"{link[1]}/agree")).status_code == 200
            assert (await api.get(PATH, visit.person_token)).json()["confirmed"] is True
            assert (await named(api, visit, known_as="王"))["confirmed"] is True
            assert (await named(api, visit, email="other@example.org"))["confirmed"] is False
            assert "没有用了" in (await api.client.post(f"{link[1]}/agree")).text
            assert (await api.get(PATH, visit.person_token)).json()["confirmed"] is False
            await mails(box, 2)

    with Mailbox().serving() as box:
        told(grounds, box)
        run(work(box))


def test_who_refuses_is_forgotten_and_not_asked_again(grounds: Grounds) -> None:
    async def work(box: Mailbox) -> None:
        async with grounds.asgi() as api:
            visit = await api.visit()
            await named(api, visit)
            await mails(box, 1)
            link = re.search(rf"{ADDRESS}(/contact/\S+)", box.mails[0].get_content())
            assert link is not None
            assert (await api.client.post(f"{link[1]}/refuse")).status_code == 200
            assert (await api.get(PATH, visit.person_token)).status_code == 404
            await named(api, visit)
            await mails(box, 1)

    with Mailbox().serving() as box:
        told(grounds, box)
        run(work(box))


def test_one_address_is_asked_three_times_a_month_whoever_names_it(grounds: Grounds) -> None:
    async def work(box: Mailbox) -> None:
        async with grounds.asgi() as api:
            for number in range(6):
                await named(api, await api.visit(), email="li@example.org" if number % 2 else "LI@example.org")
            await mails(box, 3)

    with Mailbox().serving() as box:
        told(grounds, box)
        run(work(box))
