"""What is offered where: parameters of the technique that is called, what it gives back, layers of prompts."""

from __future__ import annotations

from tests.authoring.material import REGISTRY, shipped_project

from heartrule.authoring.completion import completions
from heartrule.authoring.positions import Position
from heartrule.authoring.workspace import Workspace
from heartrule.workbench.templates import texts_of


def offered(texts: dict[str, str], file: str, marked: str) -> set[str]:
    """``|`` is the caret."""
    at = marked.index("|")
    text = marked[:at] + marked[at + 1 :]
    snapshot = Workspace({**texts, file: text}, REGISTRY, shipped_project).now
    position = Position(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
    return {each.text for each in completions(snapshot, file, position, REGISTRY, "en")}


def test_a_call_is_offered_the_parameters_and_results_of_its_technique() -> None:
    texts = texts_of("technique", "en", "t")
    text = texts["session.yaml"]
    block = 'input: {feeling: "{feeling_now}"}\n'
    call = text.replace(block, "input:\n                  |\n")
    assert offered(texts, "session.yaml", call) == {"feeling"}
    assert offered(texts, "session.yaml", text.replace("get: strength", "get: |")) == {"strength"}
    assert "grounding" in offered(texts, "session.yaml", text.replace("skill: grounding", "skill: |"))


def test_layers_of_prompts_are_offered_by_their_folder() -> None:
    texts = {**texts_of("empty", "en", "t"), "prompts/warm/ai_say_open.yaml": "system: x\n"}
    text = texts["session.yaml"].replace("id: session\n", "id: session\n    template_scheme: |\n")
    assert offered(texts, "session.yaml", text) == {"warm"}


def test_in_a_long_file_the_same_is_offered_as_in_a_short_one() -> None:
    texts = texts_of("first_assessment", "en", "t")
    text = texts["session.yaml"]
    marked = text.replace("id: ask_wish\n", "id: ask_wish\n                |\n")
    longer = marked.replace("    phases:\n", "    phases:\n" + "      # a line\n" * 400)
    wanted = offered(texts, "session.yaml", marked)
    assert {"condition", "timeout"} <= wanted
    assert "content" not in wanted
    assert offered(texts, "session.yaml", longer) == wanted
