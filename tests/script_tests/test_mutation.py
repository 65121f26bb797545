"""Mutants: what there is to be taken away, that it is taken away and nothing else, and which tests notice."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.script_tests.counting import HIGH, LOW, SCRIPT, WIDE, ZERO, laid

from heartrule.engine.installed_types import field_models
from heartrule.language.compiling.script import Script
from heartrule.language.projects.library import Library
from heartrule.script_tests import case_run
from heartrule.script_tests.mutant_runs import MutantRun, Witness, trials, witnesses
from heartrule.script_tests.mutant_script import mutated, without
from heartrule.script_tests.mutation import WHATS, Mutant, mutants
from heartrule.script_tests.parallel_runs import hold
from heartrule.script_tests.suite import Shelf, collect
from heartrule.script_tests.survey import gathered
from heartrule.testing.talk import Talk, compile_text, shipped

RICH = """\
awareness:
  - awareness: 夸人
    id: praise
    priority: P1
    at: [after ask]
    cooldown: 3 turns
    expires: {times: 2}
    condition: 分 > 7
    then:
      - {directive: FEEDBACK, text: 夸一句}
      - {directive: SET_VAR, var: 夸过, value: true}
    on_unknown:
      - {directive: FEEDBACK, text: 不知道}
forms:
  - form: 心情表
    id: mood
    fields:
      - {id: q1, label: 心情, type: integer, validate: q1 >= 0}
      - {id: q2, label: 原因, type: text, show_when: q1 > 3}
    validate: [{check: q1 < 11, message: 太大}]
    on_answer:
      - {field: q1, if: q1 > 9, directive: FEEDBACK, text: 高}
    on_submit:
      - {set: 表, value: "{q1}"}
sessions:
  - session: 多样
    id: rich
    awareness: [praise]
    declare:
      - {var: 夸过, type: boolean, define: 夸过没有}
      - {var: 表, type: integer, define: 表上的数}
      - {var: 词, type: text, pattern: '[一-龥]+', min_length: 2, validate: len(词) < 9, define: 一个词}
      - {var: 色, type: enum, options: [红, 蓝], define: 颜色, rules: [{keywords: {红: [火]}}]}
    phases:
      - phase: 头
        id: head
        condition: not 夸过
        transitions: [{to: end, condition: 分 > 9}]
        declare:
          - {var: 分, type: integer, range: [0, 10], define: 几分, on_failure: {do: default, default: 1}}
        steps:
          - topic: 问
            id: ask
            condition: true
            repeat: {until: 分 > 0, max: 2}
            done_when: 分 > 1
            transitions: [{to: end, condition: 分 > 8}]
            actions:
              - {type: ask, id: n, content: 几分, timeout: 3m, output: [{get: 分}]}
              - type: ai_say
                id: s
                content: 说说
                max_rounds: 3
                fallback: 说说。
                exit_criteria:
                  custom_conditions:
                    - {variable: 分, operator: '>', value: 1}
                    - {variable: 分, operator: '<', value: 9}
              - {type: show_form, id: f, form: mood}
              - type: user_option
                id: o
                var: 选
                choices: [{value: A, label: 甲}, {value: B, label: 乙}]
"""


@pytest.fixture(scope="module")
def rich() -> Script:
    return compile_text(RICH)


def own(found: tuple[Mutant, ...], project: str = "local") -> list[str]:
    return [mutant.id for mutant in found if mutant.project == project]


def test_everything_that_can_be_taken_away_has_a_mutant(rich: Script) -> None:
    assert own(mutants([rich])) == [
        "condition local/rich:head",
        "transition local/rich:head 1",
        "transition_condition local/rich:head 1",
        "condition local/rich:head/ask",
        "repeat local/rich:head/ask",
        "done_when local/rich:head/ask",
        "transition local/rich:head/ask 1",
        "transition_condition local/rich:head/ask 1",
        "action local/rich:head/ask/n",
        "timeout local/rich:head/ask/n",
        "action local/rich:head/ask/s",
        "fallback local/rich:head/ask/s",
        "exit_criteria local/rich:head/ask/s",
        "exit_condition local/rich:head/ask/s 1",
        "exit_condition local/rich:head/ask/s 2",
        "action local/rich:head/ask/f",
        "action local/rich:head/ask/o",
        "choice local/rich:head/ask/o 1",
        "choice local/rich:head/ask/o 2",
        "pattern local/rich 词",
        "min_length local/rich 词",
        "validate local/rich 词",
        "options local/rich 色",
        "rules local/rich 色",
        "range local/rich:head 分",
        "on_failure local/rich:head 分",
        "awareness local/praise",
        "directive local/praise then 1",
        "directive local/praise then 2",
        "directive local/praise on_unknown 1",
        "cooldown local/praise",
        "expires local/praise",
        "form_check local/mood q1",
        "form_shown local/mood q2",
        "form_check local/mood 1",
        "form_answer local/mood 1",
        "form_submit local/mood 1",
    ]
    assert {mutant.what for mutant in mutants([rich])} == set(WHATS)


def test_an_id_means_one_mutant_and_is_the_same_in_every_run(rich: Script) -> None:
    scripts = [rich, shipped("cbt/abc_intro"), shipped("cbt/first_assessment")]
    found = mutants(scripts)
    assert len({mutant.id for mutant in found}) == len(found)
    assert found == mutants(scripts)
    assert [mutant.id for mutant in mutants([rich, rich])] == [mutant.id for mutant in mutants([rich])]


def test_each_takes_away_one_thing_and_leaves_the_script_alone(rich: Script) -> None:
    before = rich.session.model_dump_json()
    for mutant in mutants([rich]):
        changed = mutated(rich, mutant)
        assert changed is not None
        differing = [
            name
            for name in ("session", "skills", "awareness", "variables", "forms")
            if getattr(changed, name) != getattr(rich, name)
        ]
        assert len(differing) == 1, mutant.id
    assert rich.session.model_dump_json() == before


def test_what_is_taken_away_is_gone(rich: Script) -> None:
    by_id = {mutant.id: mutant for mutant in mutants([rich])}

    def left(name: str) -> Script:
        changed = mutated(rich, by_id[name])
        assert changed is not None
        return changed

    topic = left("action local/rich:head/ask/s").session.phases[0].steps[0]
    assert [action.id for action in topic.actions] == ["n", "f", "o"]
    assert left("condition local/rich:head").session.phases[0].condition is None
    assert left("range local/rich:head 分").session.phases[0].declare[0].range is None
    assert [each.directive for each in left("directive local/praise then 1").awareness["local/praise"].then] == [
        "SET_VAR"
    ]
    assert "local/praise" not in left("awareness local/praise").awareness
    assert left("form_shown local/mood q2").forms["local/mood"].fields[1].show_when is None
    custom = left("exit_condition local/rich:head/ask/s 1").session.phases[0].steps[0].actions[1].peek("exit_criteria")
    assert [each.operator for each in custom.custom_conditions] == ["<"]


def test_a_script_without_it_has_no_such_mutant(rich: Script) -> None:
    other = compile_text(SCRIPT)
    for mutant in mutants([rich]):
        if mutant.project == "local":
            assert mutated(other, mutant) is None, mutant.id


def test_what_was_worked_out_of_a_node_is_not_kept(rich: Script) -> None:
    phase = rich.session.phases[0]
    assert set(phase.topics) == {"ask"}
    assert set(without(phase, ("steps", 0)).topics) == set()


def test_a_mutant_can_be_talked_to() -> None:
    script = compile_text(SCRIPT)
    spoken = {}
    for mutant in mutants([script]):
        if mutant.project == "local":
            changed = mutated(script, mutant)
            assert changed is not None
            talk = Talk(changed)
            talk.play(["三分", "A"])
            spoken[mutant.id] = [message.text for message in talk.history if message.sender == "ai"]
    assert "辛苦了。" in " ".join(spoken["range local/分"])
    assert "辛苦了。" not in " ".join(spoken["action local/hello:opening/score/low"])


# put to the tests


def put(folder: Path, *cases: str, parallel: int = 1) -> dict[str, MutantRun]:
    shelf = Shelf()
    held = list(hold(collect([laid(folder, *cases)], shelf).jobs))
    found = gathered([each.job for each in held], shelf)
    chosen = [mutant for mutant in mutants(found.scripts, found.projects) if mutant.project == "demo"]
    return {each.mutant.id: each for each in trials(chosen, witnesses(held, shelf), parallel=parallel)}


def living(found: dict[str, MutantRun]) -> list[str]:
    return [name for name, each in found.items() if not each.died]


def test_known_mutants_are_noticed_and_known_ones_are_not(tmp_path: Path) -> None:
    found = put(tmp_path, LOW, HIGH, ZERO)
    assert living(found) == [
        "choice demo/hello:opening/choose/pick 2",
        "fallback demo/hello:opening/choose/bye",
        "range demo/分",
    ]
    by = {name: each.by.case.test for name, each in found.items() if each.by is not None}
    assert by["transition demo/hello:opening/score 1"] == "九分就到这里"
    assert by["condition demo/hello:opening/score/low"] == "九分就到这里"
    assert by["awareness demo/very_low"] == "零分先呼吸"
    assert by["action demo/breathe/in"] == "零分先呼吸"


def test_a_test_that_looks_kills_what_lived(tmp_path: Path) -> None:
    found = put(tmp_path, LOW.replace("said_contains: 再见", "said_contains: 再见。"), HIGH, ZERO, WIDE)
    assert living(found) == ["choice demo/hello:opening/choose/pick 2"]
    assert found["range demo/分"].by is not None
    assert found["range demo/分"].by.case.test == "十五分不算"


def test_only_tests_that_come_there_are_run(tmp_path: Path) -> None:
    found = put(tmp_path, LOW, HIGH)
    assert found["awareness demo/very_low"] == MutantRun(found["awareness demo/very_low"].mutant, 0)
    assert found["action demo/breathe/in"].tests == 0
    assert found["action demo/hello:opening/choose/pick"].tests == 1
    assert found["range demo/分"].tests == 2
    assert found["condition demo/hello:opening/score/low"].tests == 1


def test_several_processes_find_the_same(tmp_path: Path) -> None:
    assert put(tmp_path, LOW, HIGH, ZERO, parallel=2) == put(tmp_path, LOW, HIGH, ZERO)


def test_a_mutant_that_breaks_the_engine_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: object) -> None:
        raise RuntimeError

    whole = put(tmp_path, LOW)
    plain = trials

    def breaking(*given: object, **more: object) -> object:
        monkeypatch.setattr(case_run, "outcomes", broken)
        return plain(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setitem(globals(), "trials", breaking)
    assert living(put(tmp_path, LOW)) == [name for name, each in whole.items() if not each.tests]


def test_the_test_that_speaks_of_what_is_gone_comes_first(tmp_path: Path) -> None:
    found = put(tmp_path, LOW, HIGH, ZERO, WIDE)
    by = {name: each.by.case.test for name, each in found.items() if each.by is not None}
    assert by["action demo/hello:opening/score/low"] == "三分"
    assert by["range demo/分"] == "十五分不算"
    shelf = Shelf()
    seen = witnesses(list(hold(collect([tmp_path], shelf).jobs)), shelf)
    assert {each.job.case.test: sorted(each.words) for each in seen} == {
        "三分": ["再见", "辛苦了"],
        "九分就到这里": ["辛苦了"],
        "零分先呼吸": ["breathe", "慢慢吸气"],
        "十五分不算": [],
    }
    script = Library([tmp_path], field_models()).script("demo/hello")
    action = next(mutant for mutant in mutants([script]) if mutant.id == "action demo/hello:opening/score/low")
    assert {each.job.case.test: each.looks_at(action) for each in seen}["三分"] == 1
    assert {each.job.case.test: each.looks_at(action) for each in seen}["零分先呼吸"] == 0


def test_recorded_and_live_tests_are_not_asked(tmp_path: Path) -> None:
    shelf = Shelf()
    held = list(hold(collect([laid(tmp_path, LOW)], shelf).jobs))
    recorded = LOW.replace("三分\n", "录的\n    model: recorded\n", 1)
    live = collect([laid(tmp_path, recorded)], shelf).jobs
    assert [job.case.by for job in live] == ["recorded"]
    found = witnesses([*held, type(held[0])(live[0], held[0].runs)], shelf)
    assert [each.job.case.test for each in found] == ["三分"]


def test_a_variable_counts_where_it_was_written_and_where_it_is_asked_for(tmp_path: Path) -> None:
    shelf = Shelf()
    held = list(hold(collect([laid(tmp_path, WIDE)], shelf).jobs))
    seen = witnesses(held, shelf)[0]
    script = Library([tmp_path], field_models()).script("demo/hello")
    ranged = next(mutant for mutant in mutants([script]) if mutant.id == "range demo/分")
    assert seen.sees(ranged)
    nowhere = Witness(seen.job, seen.script, frozenset(), frozenset({"分"}))
    assert nowhere.sees(ranged)
    assert not Witness(seen.job, seen.script, frozenset(), frozenset()).sees(ranged)
