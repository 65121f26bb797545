"""A type of action is found everywhere by what it declares: one more is one file, one less a file that is gone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Literal

import pytest
from tests.engine.minds import last
from tests.engine.scripts import check, faults

from heartrule.engine import installed_types as actions
from heartrule.engine.action_types import ActionType
from heartrule.engine.asking import ask_rounds
from heartrule.engine.session.moves import Moves, PersonInput, Step
from heartrule.engine.session.tasks import Answer
from heartrule.engine.supervision import monitors, orchestration, plans
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.work import Work
from heartrule.language.linting.lint import lint
from heartrule.language.nodes import Action, Get, Set, Template
from heartrule.language.nodes.traits import Plan, Traits
from heartrule.language.schema import json_schema
from heartrule.script_tests.simulation.open_question import questions_of
from heartrule.testing import talk as talks
from heartrule.testing.talk import Talk, compile_text


class Fields(Action):
    traits: ClassVar[Traits] = Traits(
        asks="own",
        waits=True,
        model="",
        literal="wording",
        remembers=True,
        monitor="wonder_monitor",
        plan=Plan(new=frozenset({"content"}), skipped=True, moved=True),
    )

    type: Literal["wonder"]
    wording: Template
    output: list[Get | Set] = []


class Wonder(ActionType):
    name = "wonder"
    fields = Fields

    def enter(self, work: Work, action: Fields) -> Moves:
        work.frame.question = question = fill(work, action.wording, to_person=True)
        return Step(say=(question,), wait="message")
        yield ()

    def hear(self, work: Work, action: Fields, heard: PersonInput, answer: Answer | None) -> Moves:
        yield from ask_rounds.listen(work, action.output, heard, answer)
        return Step(done=True, acknowledge=True)


WONDER = Wonder()
HERE = "one_more_action_type"
SCRIPT = """
awareness:
  - awareness: 之后
    id: after
    priority: P1
    at: [after wonder]
    condition: {judge: 有没有说到很高兴}
    then: [{directive: FEEDBACK, text: 高兴}]
sessions:
  - session: 想
    id: wonder
    awareness: [after]
    declare: [{var: 愿望, type: text, define: 最想要的}]
    phases:
      - phase: 一
        id: one
        steps:
          - topic: 一
            id: one
            actions:
              - {type: say, content: 你好。}
              - {type: wonder, id: wish, wording: 您最想要什么？, output: [{get: 愿望}]}
              - {type: say, content: "好：{愿望}"}
"""


def points() -> list[EntryPoint]:
    return [each for each in entry_points(group=actions.GROUP) if each.name != "ai_guide"]


def forget() -> None:
    actions.installed.cache_clear()
    actions.field_models.cache_clear()


@pytest.fixture(autouse=True)
def another_set(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One type more, and one less."""
    module: Any = ModuleType(HERE)
    module.WONDER = WONDER
    monkeypatch.setitem(sys.modules, HERE, module)
    found = [*points(), EntryPoint("wonder", f"{HERE}:WONDER", actions.GROUP)]
    monkeypatch.setattr(actions, "entry_points", lambda group: found)
    monkeypatch.setattr(talks, "_SHARED", [])
    talks._compiled.cache_clear()
    forget()
    yield
    monkeypatch.undo()
    talks._compiled.cache_clear()
    forget()


def test_the_engine_runs_it_and_its_session_wants_what_it_asks_for() -> None:
    talk = Talk(SCRIPT)
    assert talk.said == ["你好。", "您最想要什么？"]
    assert [item.get for item in talk.script.session.wanted] == ["愿望"]
    talk.say("睡个好觉")
    assert last(talk, "愿望") == "睡个好觉"
    assert talk.said[-1].endswith("好：睡个好觉")
    check(talk)
    assert faults(talk) == []


def test_the_schema_and_simulated_visitors_know_it() -> None:
    models = actions.field_models()
    assert '"wonder"' in str(json_schema(models)).replace("'", '"')
    assert questions_of(compile_text(SCRIPT)) == 1


def test_lint_asks_for_its_traits(tmp_path: Path) -> None:
    (tmp_path / "project.yaml").write_text("id: local\n", encoding="utf-8")
    path = tmp_path / "script.yaml"
    path.write_text(SCRIPT, encoding="utf-8")
    assert lint([path], actions.field_models()) == []
    path.write_text(
        SCRIPT.replace("content: 你好。", "content: 你好。, memory: {write: {enabled: true}}"), encoding="utf-8"
    )
    (found,) = lint([path], actions.field_models())
    assert found.code == "W268"
    assert "wonder" in str(found), "the types that leave something to be remembered"
    danger = SCRIPT.replace("您最想要什么？", "您有没有想过自杀？").replace("最想要的", "是否想过自杀")
    path.write_text(danger.replace("{愿望}", "好"), encoding="utf-8")
    assert "W430" in {each.code for each in lint([path], actions.field_models())}
    path.write_text(SCRIPT.replace("id: wish,", "id: wish, review: true,"), encoding="utf-8")
    assert "W241" in {each.code for each in lint([path], actions.field_models())}


def test_plans_and_monitors_ask_for_its_traits() -> None:
    assert "wonder" in plans.new_types()
    assert "wonder" in str(orchestration.schema())
    assert "wonder_monitor" in monitors.templates()
    assert "ai_say_monitor" in monitors.templates()


def test_what_is_gone_is_unknown_and_nothing_else_is_missed() -> None:
    assert "ai_guide" not in actions.installed()
    assert "ai_guide" not in str(json_schema(actions.field_models()))
    gone = """
import sys
sys.modules["heartrule.engine.actions.ai_guide"] = None
from heartrule.engine import installed_types as actions
from importlib.metadata import entry_points
left = [each for each in entry_points(group=actions.GROUP) if each.name != "ai_guide"]
actions.entry_points = lambda group: left
import heartrule.server.app, heartrule.cli.main, heartrule.script_tests.suite, heartrule.script_tests.coverage
from heartrule.testing.talk import Talk
talk = Talk(sys.argv[1])
talk.say("睡个好觉")
print(talk.said[-1])
"""
    script = SCRIPT.replace("type: wonder", "type: ask").replace("wording", "content").replace("after wonder", "answer")
    done = subprocess.run([sys.executable, "-c", gone, script], check=True, capture_output=True, text=True, timeout=120)
    assert "睡个好觉" in done.stdout
