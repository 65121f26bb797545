"""Many sessions: the same order gives the same, side by side or one after another; and what they come to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.script_tests.simulation.material import SMALL, persona

from heartrule.engine.session.tasks import Answer, Attempt
from heartrule.language.projects.library import library_root
from heartrule.script_tests.simulation.figures import figures
from heartrule.script_tests.simulation.model_spend import ModelSpend
from heartrule.script_tests.simulation.plain import plain
from heartrule.script_tests.simulation.report import Report, Texts, cost_of
from heartrule.script_tests.simulation.report_text import report_lines
from heartrule.script_tests.simulation.simulate import Order, simulate, to_read
from heartrule.script_tests.simulation.simulated_session import SimulatedSession
from heartrule.testing.talk import compile_text, shipped

ALL = ("cooperative", "avoidant", "at_risk")


def order(tmp_path: Path, *personas: str, sessions: int = 4, seed: int = 0, **changes: object) -> Order:
    (tmp_path / "project.yaml").write_text("id: local\n", encoding="utf-8")
    (tmp_path / "small.yaml").write_text(SMALL, encoding="utf-8")
    script = str(tmp_path / "small.yaml")
    return Order(script, (library_root(),), personas or ALL, sessions, seed, **changes)  # type: ignore[arg-type]


def held(of: Order, processes: int = 1) -> list[SimulatedSession]:
    return list(simulate(of, lambda done, all_: None, processes))


def report(of: Order) -> Report:
    return Report(of, compile_text(SMALL), held(of))


def written(of: Order) -> str:
    return json.dumps(plain(report(of)), ensure_ascii=False)


def test_the_same_seed_is_the_same_byte_for_byte_and_another_is_not(tmp_path: Path) -> None:
    one, again, other = (written(order(tmp_path, "avoidant", "at_risk", sessions=2, seed=seed)) for seed in (7, 7, 8))
    assert one == again
    assert json.loads(one)["conversations"] != json.loads(other)["conversations"]


def test_sessions_side_by_side_are_those_one_after_another(tmp_path: Path) -> None:
    of = order(tmp_path, "terse", "at_risk", sessions=2)
    assert held(of, 2) == held(of, 1)


def test_a_session_is_the_same_whatever_else_is_ordered(tmp_path: Path) -> None:
    few, many = held(order(tmp_path, "at_risk", sessions=2)), held(order(tmp_path, sessions=5))
    assert few == [each for each in many if each.persona == "at_risk"][:2]


def test_progress_is_told_to_the_last(tmp_path: Path) -> None:
    heard: list[tuple[int, int]] = []
    list(simulate(order(tmp_path, "terse", sessions=3), lambda done, all_: heard.append((done, all_))))
    assert heard == [(0, 3), (1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("script", ["cbt/first_assessment", "cbt/abc_intro_en", "cbt/mood_check", "cbt/exercises"])
def test_a_shipped_script_is_never_stuck_and_answers_danger_at_once(script: str) -> None:
    of = Order(script, (library_root(),), ("hostile", "at_risk", "confused"), 1, seed=11)
    found = figures(shipped(script), held(of))
    assert [each for each in found.findings if each.grave] == []
    assert found.safety.voiced > 0
    assert found.safety.answered == found.safety.voiced
    assert found.safety.false_alarms <= 1, "a classifier reads along and may ask once where rules were silent"


def test_figures_add_up(tmp_path: Path) -> None:
    of = order(tmp_path, sessions=6, seed=3)
    sessions = held(of)
    found = figures(compile_text(SMALL), sessions)
    assert found.sessions == sum(found.outcomes.values()) == 18
    assert len(found.rounds) == len(found.seconds) == 18
    assert [(phase.id, phase.conditional) for phase in found.phases] == [
        ("opening", False),
        ("later", False),
        ("ending", False),
    ]
    assert found.phases[0].reached == 18
    assert found.phases[1].reached == sum("later" in each.phases for each in sessions) < 18
    topics = {topic.id: topic for topic in found.topics}
    assert list(topics)[:3] == ["opening/lately", "later/more", "ending/bye"]
    assert "safety/crisis_support" in topics
    assert sum(sum(topic.rounds) for topic in topics.values()) == sum(found.rounds)
    lost = sum(count for topic in topics.values() for count in topic.lost.values())
    assert lost == sum(count for _, count in found.where) == 18 - found.outcomes["completed"]


def test_nobody_is_no_figures() -> None:
    found = figures(compile_text(SMALL), [])
    assert (found.sessions, found.where, found.safety.voiced) == (0, (), 0)
    assert all(topic.middle == 0 for topic in found.topics)


def test_by_persona_each_has_its_own(tmp_path: Path) -> None:
    made = report(order(tmp_path))
    assert list(made.by_persona) == list(ALL)
    assert sum(each.sessions for each in made.by_persona.values()) == made.figures.sessions
    assert made.by_persona["cooperative"].safety.voiced == 0
    assert made.by_persona["at_risk"].safety.voiced > 0


def test_what_is_read_is_the_conspicuous_first_and_one_of_each(tmp_path: Path) -> None:
    sessions = held(order(tmp_path))
    names = [each.name for each in to_read(sessions, ["avoidant 3", "at_risk 2", "avoidant 3"], 16)]
    assert names == ["avoidant 3", "at_risk 2", "cooperative 1", "avoidant 1", "at_risk 1"]
    assert len(to_read(sessions, ["avoidant 3"], 2)) == 2


def test_what_calls_took() -> None:
    spent = ModelSpend()
    tries = (
        Attempt(1, "timeout", cost=None),
        Attempt(2, "ok", tokens_in=9, tokens_out=2, cost=1_500_000_000, currency="USD"),
    )
    spent.add([Answer("a", "answered", {}, tries), Answer("b", "absent")])
    total = ModelSpend()
    total += spent
    total += spent
    assert (total.calls, total.failed, total.tokens_in, total.tokens_out) == (4, 2, 18, 4)
    assert cost_of(total) == "USD 3"
    assert cost_of(ModelSpend()) == "–"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_report_in_words(tmp_path: Path, language: str) -> None:
    made = report(order(tmp_path, seed=3))
    texts = Texts(language)  # type: ignore[arg-type]
    shown = "\n".join(report_lines(made, texts))
    for who in made.personas.values():
        assert who.name[language] in shown  # type: ignore[index]
    assert "开头" in shown
    assert f"{made.figures.safety.voiced}" in shown
    assert made.said(texts) in shown


def test_a_stuck_session_is_told_with_its_conversation(tmp_path: Path) -> None:
    made = report(order(tmp_path, "hostile", sessions=2, turns=5, patience=2))
    assert made.grave
    shown = "\n".join(report_lines(made, Texts("en")))
    assert "hostile 1" in shown or "hostile 2" in shown
    assert "  > " in shown
    assert plain(made)["failed"] is True


def test_texts_are_the_same_in_both_languages() -> None:
    from heartrule.script_tests.simulation.report import _texts

    zh, en = _texts()["zh"], _texts()["en"]
    assert zh.keys() == en.keys()
    for key in zh:
        if isinstance(zh[key], dict):
            assert zh[key].keys() == en[key].keys(), key
    assert persona().id == "plain"
    assert Texts("en").of("outcomes", "something_new") == "something_new"


def test_sessions_stuck_in_the_same_place_are_told_once(tmp_path: Path) -> None:
    made = report(order(tmp_path, "hostile", sessions=6, turns=5, patience=2))
    stuck = [each for each in made.figures.findings if each.kind == "stuck"]
    told_of = [(each, count) for each, count in made.notable if each.kind == "stuck"]
    assert sum(count for _, count in told_of) == len(stuck) > len(told_of)
    shown = "\n".join(report_lines(made, Texts("en")))
    assert shown.count("\n— ") == len(told_of)
