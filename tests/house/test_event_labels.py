"""The debug panel speaks of events by their kinds: one that was renamed would silently be shown as any other is."""

from __future__ import annotations

import re
from typing import get_args

from tests.house.tree import ROOT

from heartrule.engine.session import events
from heartrule.engine.session.events import Event

DECISIONS = ROOT / "web" / "apps" / "visitor" / "src" / "debug" / "decisions.ts"


def test_every_kind_that_the_panel_tells_apart_is_a_kind_of_event() -> None:
    shapes = [each for each in vars(events).values() if isinstance(each, type) and issubclass(each, Event)]
    kinds = {
        kind
        for each in shapes
        if "kind" in each.model_fields
        for kind in get_args(each.model_fields["kind"].annotation)
    }
    told = re.findall(r'case "(\w+)"', DECISIONS.read_text(encoding="utf-8").partition("switch (kind)")[2])
    assert len(told) > 20
    assert [each for each in told if each not in kinds] == []
