"""After a keystroke only what it touches is read again, and what is found is what reading all of it again finds."""

from __future__ import annotations

import os
import random

import pytest
from tests.authoring.material import REGISTRY, shipped, shipped_project

from heartrule.authoring.workspace import Workspace

KEYSTROKES = int(os.environ.get("HEARTRULE_EDITS", "16"))
SIGNS = "字e 1，：'"


def typed(text: str, draw: random.Random) -> str:
    at = draw.randrange(len(text))
    kind = draw.choice(["put", "put", "take", "word"])
    if kind == "put":
        return text[:at] + draw.choice(SIGNS) + text[at:]
    if kind == "take":
        return text if text[at] == "\n" else text[:at] + text[at + 1 :]
    words = ["ai_say", "exists", "称呼", "condition", "id", "var", "mood", "true"]
    word = draw.choice(words)
    return text.replace(word, word + draw.choice(["x", "_2", "好"]), 1)


@pytest.mark.parametrize("name", ["first_assessment.yaml", "skills.yaml"])
def test_what_is_found_after_a_keystroke_is_what_is_found_anew(name: str) -> None:
    quick, draw = shipped(), random.Random(name)
    quick.now.findings  # noqa: B018
    first = text = quick.texts[name]
    compared = kept = 0
    for _ in range(KEYSTROKES):
        quick.ready(name)
        before = quick.files.get(name)
        after = typed(text, draw)
        quick.write(name, after)
        again = quick.files.get(name)
        kept += again is not None and again is not before
        found = quick.now.findings
        slow = Workspace(dict(quick.texts), REGISTRY, shipped_project, "cbt")
        wanted = slow.now.findings
        if slow.now.project.files[name].whole or not any(each.code.startswith("E0") for each in wanted):
            told = [str(each) for each in found]
            assert told == [str(each) for each in wanted]
            compared += 1
        # What broke the text is taken back, so that most of it is tried on text that can be read.
        text = after if slow.now.project.files[name].whole else first
        quick.write(name, text)
    assert compared > KEYSTROKES // 4
    assert kept


def test_a_broken_topic_leaves_the_others_as_they_are() -> None:
    quick = shipped()
    text = quick.texts["first_assessment.yaml"]
    quick.now.findings  # noqa: B018
    quick.ready("first_assessment.yaml")
    at = text.index("content:", len(text) // 2) + 8
    quick.write("first_assessment.yaml", text[:at] + " [" + text[at:])
    found = quick.now.findings_of("first_assessment.yaml")
    assert {each.line for each in found} == {text.count("\n", 0, at) + 1}
    assert len(list(quick.now.project.sessions)) == len(list(shipped().now.project.sessions))
    quick.write("first_assessment.yaml", text)
    assert quick.now.findings_of("first_assessment.yaml") == ()
