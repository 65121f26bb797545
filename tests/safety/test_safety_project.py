"""The project itself: it loads, both languages say the same, the words are fit for someone in distress."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import re2  # type: ignore[import-untyped]
from tests.safety.shipped import FOLDER, awareness, read, said_without_a_model, skills
from tests.table import tabled

from heartrule.engine.installed_types import field_models
from heartrule.language.linting.rules import check
from heartrule.language.projects.library import Library
from heartrule.language.projects.project import load_texts, read_texts

PAIRS = {
    "crisis_support": "crisis_support_en",
    "safety_check": "safety_check_en",
    "safety_follow_up": "safety_follow_up_en",
    "safety_unsure": "safety_unsure_en",
}
FILES = ("crisis.yaml", "crisis.en.yaml")
KINDS = ("someone_else.yaml", "child.yaml", "harm_to_others.yaml", "danger.yaml", "ethics.yaml", "human.yaml")


def every_skill() -> list[dict[str, Any]]:
    return [skill for name in FILES for skill in skills(name).values()]


def words(skill: dict[str, Any]) -> list[str]:
    """Everything that a person may be shown by a skill."""
    actions = [said_without_a_model(action) for action in skill["actions"]]
    said = [action[key] for action in actions for key in ("content", "fallback") if key in action]
    said += [reply["say"] for action in skill["actions"] for reply in action.get("replies", ()) if "say" in reply]
    choices = [choice for action in skill["actions"] for choice in action.get("choices", ())]
    return said + [choice[key] for choice in choices for key in ("label", "farewell") if key in choice]


# it loads


def test_the_loader_finds_nothing_to_mend() -> None:
    texts, unread = read_texts(FOLDER)
    project = load_texts(texts, field_models())
    assert [str(found) for found in (*unread, *project.findings)] == []
    assert project.id == "safety"
    found = [str(each) for each in check(project, {"safety": project}.get)]
    assert found == []


def test_it_is_there_for_every_script_of_any_project(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(
        "sessions: [{session: 空, id: s, phases: [{phase: 一, id: p, steps: [{topic: 说, id: t, "
        "actions: [{type: say, content: 你好}]}]}]}]",
        encoding="utf-8",
    )
    script = Library([], field_models()).script(str(tmp_path / "s.yaml"))
    assert "safety/suicide_risk" in script.awareness
    assert set(PAIRS) <= {ref.partition("/")[2] for ref in script.skills}
    assert script.helplines


def test_safety_files_hold_nothing_else() -> None:
    held = {path.name for path in FOLDER.iterdir() if path.name != "tests"}
    outputs = {"output.zh-CN.yaml", "output.en.yaml"}
    explored = {"wishes.yaml", "wishes.en.yaml", "plan.yaml", "forms_safety_plan.yaml", "variables.yaml"}
    fixed = {"project.yaml", "contacts.yaml", "suicide.yaml", "escalation.yaml"}
    assert held == {*fixed, *explored, *outputs, *FILES, *KINDS}


# the awareness script


def test_it_is_p0_and_always_on() -> None:
    script = awareness()
    assert (script["id"], script["priority"], script["always"]) == ("suicide_risk", "P0", True)
    assert script["condition"]["if_unanswered"] == "rules"
    assert script["resume"] == "after"


def test_wishes_are_explored_where_a_model_answers() -> None:
    called = {"directive": "CALL_TECHNIQUE", "technique": "explore_wishes", "without_model": "safety_check"}
    assert awareness()["on_watch"] == [called]
    assert awareness()["on_wish"] == [
        {"directive": "CALL_TECHNIQUE", "technique": "explore_wishes", "params": {"said": True}}
    ]
    for name in ("wishes.yaml", "wishes.en.yaml", "plan.yaml"):
        assert all(skill["led"] for skill in skills(name).values()), "these alone"
    led = {skill["id"] for skill in every_skill() if skill.get("led")}
    assert led == {"safety_follow_up", "safety_follow_up_en"}, "asked again, a person is not asked by rote"


def test_the_two_languages_find_out_the_same_in_the_same_order() -> None:
    zh, en = skills("wishes.yaml")["explore_wishes"], skills("wishes.en.yaml")["explore_wishes_en"]
    found = [next(each["output"] for each in skill["actions"] if each["id"] == "wishes") for skill in (zh, en)]
    names = [[item["get"] for item in output] for output in found]
    assert names[0] == names[1]
    assert all(item["question"] for output in found for item in output)


@pytest.mark.parametrize(("when", "technique"), [("then", "crisis_support"), ("on_unknown", "safety_unsure")])
def test_what_each_verdict_calls(when: str, technique: str) -> None:
    assert awareness()[when] == [{"directive": "CALL_TECHNIQUE", "technique": technique}]
    assert technique in skills()


def test_the_judge_has_examples_both_ways_in_both_languages() -> None:
    examples = awareness()["condition"]["examples"]
    for side in ("hit", "miss"):
        assert len(examples[side]) >= 4
        assert any(text.isascii() for text in examples[side])
        assert any(not text.isascii() for text in examples[side])


# contacts


def test_contacts_are_dated_and_complete() -> None:
    contacts = read("contacts.yaml")
    assert date.fromisoformat(str(contacts["updated"])) >= date(2026, 11, 20)
    numbers = {locale: [each["number"] for each in listed] for locale, listed in contacts["contacts"].items()}
    assert {"12356", "110", "120"} <= set(numbers["zh-CN"])
    assert {"988", "116 123", "112", "findahelpline.com"} <= set(numbers["en"])
    assert {"999"} <= set(numbers["en-GB"])
    assert {"988", "911"} <= set(numbers["en-US"])


def test_where_no_country_is_known_none_comes_first() -> None:
    listed = read("contacts.yaml")["contacts"]
    leading = {listed[country][0]["number"] for country in ("en-US", "en-GB", "en-AU")}
    assert listed["en"][0]["number"] not in leading
    assert all(number in listed["en"][0]["note"] for number in ("911", "999", "000"))
    kinds = {each.get("for", "crisis") for each in listed["en"]}
    assert kinds == {each.get("for", "crisis") for each in listed["zh-CN"]}, "countries fall back on it"


def test_numbers_stand_in_one_place_only() -> None:
    """A number in a script would not change with the contacts."""
    for skill in every_skill():
        assert not [text for text in words(skill) if re.search(r"\d", text)]


# the techniques


@pytest.mark.parametrize("skill", every_skill(), ids=lambda skill: skill["id"])
def test_words_are_fixed(skill: dict[str, Any]) -> None:
    actions = [said_without_a_model(action) for action in skill["actions"]]
    assert {action["type"] for action in actions} <= {"say", "ask", "user_option", "set_var", "use_skill"}


@pytest.mark.parametrize("skill", every_skill(), ids=lambda skill: skill["id"])
def test_numbers_are_shown(skill: dict[str, Any]) -> None:
    wanted = "{%crisis_contacts%}" if skill["id"].startswith("crisis_support") else "{%crisis_"
    assert any(wanted in text for text in words(skill))


@pytest.mark.parametrize("name", FILES)
def test_the_whole_block_is_for_explicit_words_and_present_danger(name: str) -> None:
    for skill in skills(name).values():
        blocks = {action["id"] for action in skill["actions"] if "{%crisis_contacts%}" in action.get("content", "")}
        wanted = {"contacts", "contacts_now", "danger_yes", "call_now"}
        assert blocks == (wanted if skill["id"].startswith("crisis_support") else set())


@pytest.mark.parametrize("name", FILES)
def test_paragraphs_are_short(name: str) -> None:
    longest = 60 if name == "crisis.yaml" else 120
    for skill in skills(name).values():
        for text in words(skill):
            for paragraph in text.split("\n\n"):
                assert len(paragraph) <= longest, paragraph


FORBIDDEN = {
    "methods": "药|刀|楼|割|绳|上吊|农药|煤气|pill|knife|rope|bridge|overdose|gun|cut ",
    "promises": "保密|秘密|不告诉|一定会好|保证|secret|confidential|promise|will be fine|guarantee",
    "platitudes": "想开点|加油|振作|坚强|看开|为了.*(父母|家人)|自私|cheer up|be strong|selfish|think of your family",
    "alarm": "立刻停止|天哪|糟糕|危险人物|警告|oh no|warning",
}


@pytest.mark.parametrize("kind", FORBIDDEN)
def test_what_is_never_said(kind: str) -> None:
    for skill in every_skill():
        for text in words(skill):
            assert not re.search(FORBIDDEN[kind], text.casefold()), text


@pytest.mark.parametrize(("zh", "en"), PAIRS.items())
def test_the_two_languages_take_the_same_steps(zh: str, en: str) -> None:
    chinese, english = skills("crisis.yaml")[zh], skills("crisis.en.yaml")[en]
    assert (english["locale"], english["translation_of"]) == ("en", zh)
    assert [(a["type"], a["id"]) for a in chinese["actions"]] == [(a["type"], a["id"]) for a in english["actions"]]
    for one, other in zip(chinese["actions"], english["actions"], strict=True):
        assert set(one) == set(other)
        found = [re.findall(r"\{%?\w+%?\}", each.get("content", "")) for each in (one, other)]
        placeholders = [[each if "%" in each else "{variable}" for each in names] for names in found]
        assert placeholders[0] == placeholders[1]
        assert [c["value"] for c in one.get("choices", ())] == [c["value"] for c in other.get("choices", ())]
        picks = [[(set(r), r.get("pick")) for r in each.get("replies", ())] for each in (one, other)]
        assert picks[0] == picks[1]
    for key in ("repeat", "parameters"):
        assert (key in chinese) == (key in english)


@pytest.mark.parametrize("name", FILES)
def test_only_plain_noes_and_the_persons_own_word_lead_out(name: str) -> None:
    crisis = next(skill for skill in skills(name).values() if "repeat" in skill)
    assert set(crisis["repeat"]) == {"until"}, "no number of passes may end it"
    until = str(crisis["repeat"]["until"])
    thoughts, intent, plan, _ = (each["var"] for each in crisis["declare"] if each.get("risk"))
    actions = {action["id"]: action for action in crisis["actions"]}
    hurt, means = (actions[name]["output"][0]["get"] for name in ("hurt", "means"))
    danger, option = actions["no_danger"]["var"], actions["choice"]
    noes = f"({thoughts} == false or ({intent} == false and {plan} == false)) and {danger} == false"
    assert until == f'danger_open == true or ({noes} and {option["var"]} == "safe")'
    denied = [each for each in crisis["actions"] if each.get("var") == danger and each.get("value") is False]
    assert denied == [actions["no_danger"]], "present danger is denied in one place only, by plain noes to both"
    assert denied[0]["condition"].startswith(f"{hurt} == false and {means} == false and ")
    forgotten = {a["var"] for a in crisis["actions"] if a["type"] == "set_var" and a.get("expr") == "null"}
    assert {thoughts, intent, plan, hurt, means, danger, option["var"]} <= forgotten, "a yes is asked about anew"


@pytest.mark.parametrize("name", FILES)
def test_who_is_not_cleared_is_let_go_only_where_that_is_said_and_kept(name: str) -> None:
    crisis = next(skill for skill in skills(name).values() if "repeat" in skill)
    actions = {action["id"]: action for action in crisis["actions"]}
    (left,) = (each for each in crisis["actions"] if each.get("var") == "danger_open")
    assert left["value"] is True
    assert left["condition"] == actions["talk_on"]["condition"], "nobody is let go without these words"
    assert "{%crisis_numbers%}" in actions["talk_on"]["content"]
    assert "talk" not in [each["value"] for each in actions["choice"]["choices"]], "not before it has been asked twice"


@pytest.mark.parametrize("name", FILES)
def test_the_questions_go_from_thoughts_to_support(name: str) -> None:
    crisis = next(skill for skill in skills(name).values() if "repeat" in skill)
    asked = [action["id"] for action in crisis["actions"] if action["type"] == "ask"]
    order = [each for each in asked if not each.endswith("_again") and each != "listen"]
    assert order == ["thoughts", "intent", "plan", "hurt", "means", "time", "past", "support"]


@pytest.mark.parametrize("skill", every_skill(), ids=lambda skill: skill["id"])
def test_no_answer_is_forced_and_none_is_made_up(skill: dict[str, Any]) -> None:
    declared = {each["var"]: each for each in skill["declare"]}
    for action in skill["actions"]:
        for output in action.get("output", ()):
            rules = declared[output["get"]]
            assert rules["on_failure"] == {"do": "skip"}
            assert rules["scope"] == "topic"


@pytest.mark.parametrize("skill", every_skill(), ids=lambda skill: skill["id"])
def test_nothing_is_said_of_a_question_without_naming_it(skill: dict[str, Any]) -> None:
    assert not [text for text in words(skill) if "有一个问题" in text or "One of your answers" in text]


# reading yes and no, by the rules of the variables themselves


def read_by_rules(name: str, text: str) -> bool | None:
    variable = next(v for s in skills(name).values() for v in s["declare"] if v.get("risk"))
    for rule in (each for each in variable["rules"] if "beside" not in each):
        if re2.compile(rule["pattern"]).search(text):
            return bool(rule["value"])
    return None


@tabled(
    ("text", "value"),
    [
        ("没有", False),
        ("没", False),
        ("没有。", False),
        ("没有了", False),
        ("没有啊", False),
        ("不", False),
        ("现在没有", False),
        ("我没有", False),
        ("没有这样的念头", False),
        ("没有想过", False),
        ("没有这种想法", False),
        ("我现在真的没有", False),
        ("不想了", False),
        ("不在了", False),
        ("一点都没有", False),
        ("有", True),
        ("有的", True),
        ("有一点", True),
        ("嗯，有", True),
        ("想", True),
        ("会", True),
        ("还有", True),
        ("还在", True),
        ("有时候会", True),
        ("我想死", True),
        ("我有这样的念头", True),
        ("是的", True),
        ("可能有", True),
        ("不知道", None),
        ("说不清", None),
        ("没受伤", None),
        ("没有受伤", None),
        ("没有什么意义", None),
        ("没有办法", None),
        ("没人管我", None),
        ("不是没有", None),
        ("没有，但是我想消失", None),
        ("没有吧", None),
        ("没吧", None),
        ("应该没有", None),
        ("想回家", None),
        ("还好", None),
        ("会好的", None),
        ("在家", None),
        ("你是谁", None),
        ("没有不想", None),
        ("", None),
        ("有没有都一样", None),
        ("想不想有什么区别", None),
        ("没有想活的念头", None),
        ("没有活下去的想法", None),
    ],
)
def test_chinese_yes_and_no(text: str, value: bool | None) -> None:
    assert read_by_rules("crisis.yaml", text) is value


@tabled(
    ("text", "value"),
    [
        ("no", False),
        ("No.", False),
        ("nope", False),
        ("not now", False),
        ("no, thank you", False),
        ("I don't", False),
        ("yes", True),
        ("Yeah", True),
        ("yes, all the time", True),
        ("a little", True),
        ("I am", True),
        ("sometimes", True),
        ("maybe", None),
        ("I don't know", None),
        ("no idea", None),
        ("no but I want to", None),
        ("not really", None),
        ("not hurt", None),
        ("nobody cares", None),
        ("no one would notice", None),
        ("why", None),
        ("I don't want to live", None),
    ],
)
def test_english_yes_and_no(text: str, value: bool | None) -> None:
    assert read_by_rules("crisis.en.yaml", text) is value
