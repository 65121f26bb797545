"""Sentences that are said without a model."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest
from tests.llm.material import script
from tests.table import tabled

import heartrule
from heartrule.engine.variables.missing_reasons import Reason
from heartrule.prompts.fixed_sentences import spoken, spoken_table
from heartrule.prompts.library import LOCALES
from heartrule.prompts.template import TemplateError

ENGINE = Path(heartrule.__file__).parent / "engine"
PROMISED = (
    *("acknowledge", "heard_last", "ask_from_define", "ask_open"),
    *("not_understood", "out_of_range", "need_number", "need_yes_no"),
    *(
        "need_option",
        "need_date",
        "need_year",
        "need_day",
        "clarify",
        "resume",
        "unfinished",
        "choose_again",
    ),
    *("explain_again", "press_again", "fault", "missing_value", "role_ai", "role_person", "tell_more"),
    *("timed_out", "asked_who", "asked_help", "asked_private", "corrected", "correction_unclear"),
    *("correction_too_late", "choice_late", "choice_too_late", "form_late", "form_late_open"),
    *("confirm_known", "confirm_several", "mention_known", "lengths.few", "lengths.many"),
    *(f"{before}{reason}" for before in ("", "why.") for reason in get_args(Reason)),
)


@tabled("locale", LOCALES)
@tabled("key", PROMISED)
def test_there_is_a_sentence_for_every_occasion(key: str, locale: str) -> None:
    assert spoken(None, key, locale=locale).strip()


@pytest.mark.parametrize("locale", LOCALES)
def test_the_engine_never_asks_for_a_sentence_that_is_not_there(locale: str) -> None:
    asked = set()
    for path in ENGINE.rglob("*.py"):
        asked |= set(re.findall(r"""\bspoken\(["']([a-z_]+)["']""", path.read_text(encoding="utf-8")))
    assert asked
    assert asked - set(spoken_table(locale=locale)) == set()


HUMANS = (
    *("human_joins", "human_leaves", "human_leaves_quiet", "human_vanished", "human_ends"),
    *("program_again", "program_here", "after_human", "after_human_cleared"),
)
"""What is said when a counsellor comes and goes."""


@pytest.mark.parametrize("locale", LOCALES)
def test_nothing_repeats_and_only_what_is_known_is_left_to_fill_in(locale: str) -> None:
    table = spoken_table(locale=locale)
    known = {"ask_from_define": "{define}"} | dict.fromkeys(HUMANS, "{name}")
    known |= dict.fromkeys(("alert_hit", "alert_miss"), "{examples}")
    known |= dict.fromkeys(("not_mentioned", "vague", "contradicted", "unproved"), "{define}")
    known |= {"contradictory": "{define} {earlier}", "why.contradictory": "{earlier}"}
    known |= {"confirm_known": "{label} {value}", "confirm_several": "{known}", "mention_known": "{known}"}
    known |= dict.fromkeys(("form_submitted", "form_cancelled", "form_late", "form_late_open"), "{form}")
    known |= dict.fromkeys(("choice_late", "choice_too_late", "choice_sure"), "{label}")
    known |= {"corrected": "{now}", "shown_for": "{alt} {purpose}"}
    known |= {"which_counts": "{before} {now}"} | dict.fromkeys(("sensitive", "sensitive_again"), "{topic}")
    known |= {"sensitive_explained": "{topic}", "memory_quote": "{quote}"}
    known |= dict.fromkeys(("stretch.known", "stretch.refused", "stretch.hot"), "{what}")
    known |= dict.fromkeys(
        ("stretch.danger", "stretch.missing", "stretch.needed", "stretch.let_be", "stretch.moot"), "{what}"
    )
    known |= {"stretch.pace": "{round} {about} {most}", "stretch.pace_time": "{minutes} {of}"}
    known |= {"stretch.pace_list": "{in_a_row}", "stretch.pace_late": "{needed}"}
    known |= {"stretch.pace_needed": "{left} {needed}", "case.helpers": "{on_duty} {numbers}"}
    known |= {"memory_whom.one": "{word} {who}", "memory_whom.several": "{word} {who}", "memory_whom.nobody": "{word}"}
    known |= {"memory_score.both": "{then} {last}", "memory_score.same": "{then}", "memory_score.unknown": "{last}"}
    for key, variants in table.items():
        assert len(set(variants)) == len(variants), key
        for said in variants:
            assert set(re.findall(r"\{[^}]*\}", said)) == set(known.get(key, "").split())
            if key.startswith(("say_kinds.", "memory_whom.", "memory_score.")):  # a part of a prompt
                continue
            assert len(said) < (140 if said.isascii() else 60 if locale == "zh-CN" else 140)
    assert len(table["acknowledge"]) >= 6


@pytest.mark.parametrize("locale", LOCALES)
def test_what_stands_before_a_question_asks_nothing(locale: str) -> None:
    table = spoken_table(locale=locale)
    leads = [
        key for key in table if key.startswith(("need_", "repair_", "not_", "out_", "tell_", "acknowledge", "asked_"))
    ] + ["vague", "contradicted", "unproved"]
    assert len(leads) > 10
    for key in leads:
        assert not any(said.endswith(("?", "？")) for said in table[key]), key


def test_both_locales_know_the_same_occasions() -> None:
    chinese, english = (spoken_table(locale=locale) for locale in LOCALES)
    assert {key: len(said) for key, said in chinese.items()} == {key: len(said) for key, said in english.items()}


def test_neighbours_differ_and_turns_come_round() -> None:
    said = [spoken(None, "acknowledge", index) for index in range(12)]
    assert all(one != other for one, other in pairwise(said))
    assert said[:6] == said[6:]


def test_the_locale_of_the_script_decides() -> None:
    assert spoken(script(locale="en"), "resume").isascii()
    assert not spoken(script(locale="zh-CN"), "resume").isascii()
    assert spoken(script(locale="fr"), "resume").isascii()


OWN = {
    "own/spoken.zh-CN.yaml": "acknowledge: [收到。]\nextra: {deep: 更深一层}\nunfinished: ''\nclarify: [1, '']\n",
}


def test_a_scheme_says_it_its_own_way_and_leaves_the_rest_to_ours() -> None:
    own = script(OWN)
    assert spoken(own, "acknowledge", 5) == "收到。"
    assert spoken(own, "extra.deep") == "更深一层"
    for key in ("unfinished", "clarify", "resume"):
        assert spoken(own, key) == spoken(None, key), "an empty entry says nothing"


def test_the_table_is_the_same_in_one_piece() -> None:
    table = spoken_table(script(OWN))
    assert table["acknowledge"] == ("收到。",)
    assert table["extra.deep"] == ("更深一层",)
    assert table["unfinished"] == spoken_table()["unfinished"]
    assert set(spoken_table()) < set(table)


def test_the_scheme_of_the_project_counts_when_the_session_names_none() -> None:
    assert spoken(script(OWN, scheme="own"), "acknowledge") == "收到。"
    assert spoken(script(OWN, scheme=None), "acknowledge") != "收到。"


def test_an_occasion_nobody_knows() -> None:
    with pytest.raises(KeyError):
        spoken(None, "no_such_occasion")
    with pytest.raises(KeyError):
        spoken(None, "acknowledge.deeper")


@pytest.mark.parametrize("text", ["[1, 2]", "just words", "a: [", ""])
def test_a_file_that_is_no_table_is_an_error_that_names_it(text: str) -> None:
    with pytest.raises(TemplateError, match=r"own/spoken\.zh-CN\.yaml"):
        spoken(script({"own/spoken.zh-CN.yaml": text}), "acknowledge")
