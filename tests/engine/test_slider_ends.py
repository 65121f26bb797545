"""A number from a slider is shown to a model with what its ends mean."""

from __future__ import annotations

from heartrule.engine.casefile import prompt_view as casefile
from heartrule.engine.session.variables import SESSION, Value
from heartrule.engine.work import Work
from heartrule.testing.talk import START, Talk, shipped


def test_an_eight_says_whether_it_is_good() -> None:
    """A played conversation: "mood: 8" was read as heavy, and was the best but two."""
    work = Work.of(Talk(shipped("cbt/first_assessment"))._world())
    given = {"mood": 8, "lives": "一个人"}
    work.variables.put(SESSION, "background", Value(given, "object", START, "fill_background", "session", "form"))
    assert "mood(0 最糟–10 最好)：8，lives：一个人" in casefile.facts(work)
