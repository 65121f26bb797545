"""What ``pyproject.toml`` announces is there, and what is there is announced."""

from __future__ import annotations

import tomllib
from importlib.metadata import entry_points

from tests.house.tree import ROOT, SOURCE, modules

NOT_A_TYPE = {"__init__", "base"}


def test_every_action_type_is_announced_and_loads() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    announced = declared["project"]["entry-points"]["heartrule.actions"]
    files = {path.stem for path in modules(SOURCE / "engine" / "actions")} - NOT_A_TYPE
    assert files == set(announced)
    installed = {entry.name: entry for entry in entry_points(group="heartrule.actions")}
    for name, target in announced.items():
        assert installed[name].value == target, "the installed project is older than pyproject.toml; run: make setup"
        assert installed[name].load().name == name
