"""The engine's rooms stand on one another: what is imported, if only for types, lies beneath."""

from __future__ import annotations

import re

from tests.house.tree import ROOT, SOURCE, imports, modules

ENGINE = SOURCE / "engine"
ROOMS = (
    *("session", "installed_types", "topic_plan", "work", "action_types", "variables", "casefile", "tasks", "branches"),
    *("scheduling", "memory", "dialogue", "extraction", "exits", "awareness", "asking", "repair", "forms"),
    *("supervision", "stretches", "actions", "flow", "submissions", "takeover_end", "takeover", "start_position"),
    *("steps", "pipeline", "turn"),
)
"""From the ground up."""


def arrows() -> dict[str, set[str]]:
    """For each room those above it that it imports, if only for types."""
    found: dict[str, set[str]] = {}
    for path in modules(ENGINE):
        room = path.relative_to(ENGINE).parts[0].removesuffix(".py")
        if room == "__init__":
            continue
        for name in imports(path):
            above = name.removeprefix("heartrule.engine.").split(".")[0] if name.startswith("heartrule.engine.") else ""
            if above in ROOMS and ROOMS.index(above) > ROOMS.index(room):
                found.setdefault(room, set()).add(above)
    return found


def test_rooms_import_what_lies_beneath_them() -> None:
    assert arrows() == {}


def test_every_room_has_its_place() -> None:
    there = {path.relative_to(ENGINE).parts[0].removesuffix(".py") for path in modules(ENGINE)} - {"__init__"}
    assert there == set(ROOMS)


def test_the_page_for_who_changes_it_names_every_room() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    plan = page.partition("src/heartrule/\n")[2].partition("\nweb/")[0]
    named = set(re.findall(r"^  (\w+)/ ", plan, re.M))
    assert named == {path.name for path in SOURCE.iterdir() if (path / "__init__.py").is_file()}
