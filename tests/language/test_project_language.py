"""A script that names no language and is plainly English is taken to be; nothing else is guessed."""

from __future__ import annotations

import pytest
from tests.language.material import checked, codes, linted, loaded, only, project

from heartrule.language.findings.mends import applied

TALK = "How did you sleep last night, and when did you get up? Thank you for telling me."
SCRIPT = """sessions:
- session: check
  phases:
  - phase: p
    steps:
    - topic: t
      actions:
      - {type: say, content: "TALK"}
"""


def script(text: str = TALK, head: str = "") -> str:
    return SCRIPT.replace("TALK", text).replace("  phases:", f"{head}  phases:")


@pytest.mark.parametrize(
    ("text", "locale"),
    [
        (TALK, "en"),
        (TALK + " It’s fine – really … 🙂", "en"),
        ("Hello.", "zh-CN"),
        ("昨晚睡得怎么样？", "zh-CN"),
        (f"{TALK} 好", "zh-CN"),
        ("Wie haben Sie letzte Nacht geschlafen, und wann sind Sie aufgestanden? Danke für das Gespräch.", "zh-CN"),
        ("¿Cómo durmió anoche y a qué hora se levantó? Gracias por contármelo.", "zh-CN"),
        ("ABC PHQ-9 GAD-7 CBT SUDS HAMD SDS SAS BDI MMPI", "zh-CN"),
        ("Как вы спали этой ночью? Спасибо.", "zh-CN"),
    ],
)
def test_only_what_is_plainly_english_is_taken_for_it(text: str, locale: str) -> None:
    made = project({"a.yaml": script(text)})
    assert made.node.locale == locale
    assert ("W426" in codes(made.findings)) == (locale == "en")


@pytest.mark.parametrize(
    "files",
    [
        {"a.yaml": script(head="  locale: zh-CN\n")},
        {"a.yaml": script(), "project.yaml": "id: a\nlocale: zh-CN\n"},
        {"a.yaml": script(), "b.yaml": script("你好。")},
        {"a.yaml": script(), "b.yaml": "skills:\n- {skill: b, locale: zh-CN, actions: [{type: say, content: hi}]}\n"},
        {"a.yaml": script() + "# 说明\n"},
    ],
)
def test_what_is_named_or_written_otherwise_somewhere_counts(files: dict[str, str]) -> None:
    made = project(files)
    assert made.node.locale == "zh-CN"
    assert "W426" not in codes(made.findings)


def test_a_project_that_names_none_is_taken_for_what_its_scripts_are() -> None:
    made = project({"a.yaml": script(), "project.yaml": "id: a\n"})
    assert made.node.locale == "en"
    assert "W426" in codes(checked({"a.yaml": script()}))


HEAD = SCRIPT.partition("- session")[2].partition("- {type")[0]


def flow(text: str) -> str:
    opened = "- {session" + " ".join(HEAD.split()).replace("check ", "check, ").replace("p steps", "p, steps")
    opened = opened.replace("t actions", "t, actions").replace(": - ", ": [{").replace("actions:", "actions: [")
    return text.replace(f"- session{HEAD}- ", opened).replace('"}\n', '"}]}]}]}\n')


@pytest.mark.parametrize("text", [script(), flow(script()), script().replace("- session", "-\n  session")])
def test_the_mend_names_it(text: str) -> None:
    found = only([each for each in linted(text) if each.code == "W426"])
    assert found.mend is not None
    assert not found.mend.safe
    after = applied(text, found.mend.edits)
    assert loaded(after).sessions[0].locale == "en"
    assert "W426" not in codes(linted(after))
