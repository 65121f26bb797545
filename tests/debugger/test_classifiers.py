"""Who reads along with the rules in a real session does so in a debug session."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.debugger.material import DEBUG, Desk, debugging
from tests.server.material import run

WATCHER = "safety/suicide_risk"
LIKELY = "我今晚就去那个地方"
"""No rule hears it; the classifier does."""


async def _heard(desk: Desk) -> list[tuple[str, str]]:
    events = (await desk.get("history"))["events"]
    found = [each["data"] for each in events if each["kind"] == "awareness" and each["data"]["awareness"] == WATCHER]
    return [(each["verdict"], each["source"]) for each in found]


def test_a_classifier_reads_along_and_an_exported_test_agrees(tmp_path: Path) -> None:
    async def work() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make()
            (tried,) = (await desk.do("try", {"sentences": [LIKELY], "awareness": WATCHER}))["trials"]
            assert [(each["verdict"], each["source"]) for each in tried["found"]] == [("watch", "classifier")]
            await desk.say(LIKELY)
            assert (await _heard(desk))[-1] == ("watch", "classifier")
            exported = await desk.do("test", {"name": "听出来"})
            assert exported["passes"], exported["problems"]

    run(work())


def test_a_session_from_before_goes_on_as_it_was(tmp_path: Path) -> None:
    async def work() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make()
            file: dict[str, Any] = await desk.get("file")
            assert list(file["head"].pop("classifiers")) == ["own_danger"]
            taken = await desk.api.post(f"{DEBUG}/import", {"file": file}, desk.token)
            assert taken.status_code == 201, taken.text
            desk.state = taken.json()
            await desk.say(LIKELY)
            assert (await _heard(desk))[-1] == ("no", "rules")

    run(work())
