"""What the tests of the language share: the real action types, and scripts in few words."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from heartrule.engine.installed_types import field_models
from heartrule.language.findings import Finding
from heartrule.language.linting.lint import lint_text
from heartrule.language.linting.rules import check
from heartrule.language.nodes import Action
from heartrule.language.projects.loader import LoadedFile, load
from heartrule.language.projects.project import LoadedProject, load_texts

ACTIONS: Mapping[str, type[Action]] = field_models()
SAY = "- {type: say, content: 你好}"


def session(
    actions: str = SAY, *, head: str = "", phase: str = "", topic: str = "", after: str = "", name: str = "初次会谈"
) -> str:
    """A session of one phase with one topic; each part is written without indentation and put in its place."""
    return (
        f"sessions:\n  - session: {name}\n"
        + _at(4, head)
        + "    phases:\n      - phase: 开场\n"
        + _at(8, phase)
        + "        steps:\n          - topic: 问候\n"
        + _at(12, topic)
        + "            actions:\n"
        + _at(14, actions)
        + _plain(after)
    )


def skill(actions: str = SAY, *, name: str = "呼吸练习", head: str = "") -> str:
    """A skill; several of them need their ``skills:`` line once only."""
    return f"skills:\n  - skill: {name}\n" + _at(4, head) + "    actions:\n" + _at(6, actions)


def awareness(
    then: str = "- {directive: END_SESSION}", *, head: str = "always: true", judge: str = "来访者是否在抗拒"
) -> str:
    return (
        f"awareness:\n  - awareness: 抗拒\n{_at(4, head)}    condition: {{judge: {judge}}}\n    then:\n{_at(6, then)}"
    )


def loaded(text: str | bytes, name: str = "script.yaml") -> LoadedFile:
    return load(text, name, ACTIONS)


def meaning(file: LoadedFile) -> list[dict[str, Any]]:
    """All that a file holds, places aside."""
    nodes = [*file.sessions, *file.skills, *file.awareness, *file.variables, *file.roles]
    return [node.model_dump(by_alias=True, serialize_as_any=True) for node in nodes]


ABOUT_VALUES = frozenset({"W248", "W249", "W258", "W402", "W412", "W440", "W441"})
"""What is said of values that come from nowhere or go nowhere, and of what holds no actions. Scripts in few words are
full of them; those rules have tests of their own (``test_rules_flow.py``, ``test_rules_texts.py``), and examples of
documents are held to them as well."""


def linted(text: str | bytes) -> list[Finding]:
    """All findings but those about values that come from nowhere."""
    return [found for found in linted_whole(text) if found.code not in ABOUT_VALUES]


def linted_whole(text: str | bytes) -> list[Finding]:
    return lint_text(text, ACTIONS)


def project(files: Mapping[str, str | bytes], others: Mapping[str, LoadedProject] | None = None) -> LoadedProject:
    return load_texts(files, ACTIONS)


def checked(files: Mapping[str, str | bytes], **others: LoadedProject) -> list[Finding]:
    """All findings of a project, shape and rules, with the other projects that it can refer to."""
    own = project(files)
    found = [*own.findings, *check(own, {own.id: own, **others}.get)]
    return [each for each in found if each.code not in ABOUT_VALUES]


def at(found: list[Finding]) -> list[tuple[str, int]]:
    """Codes and lines, in order."""
    return [(each.code, each.line) for each in found]


def codes(found: list[Finding]) -> list[str]:
    return [each.code for each in found]


def only(found: list[Finding], code: str | None = None) -> Finding:
    """The one finding there is (of a code)."""
    chosen = [each for each in found if code in (None, each.code)]
    assert len(chosen) == 1, [str(each) for each in found]
    return chosen[0]


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Files in a folder, by their path."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def _plain(text: str) -> str:
    text = textwrap.dedent(text).strip("\n")
    return text + "\n" if text else ""


def _at(indent: int, text: str) -> str:
    return textwrap.indent(_plain(text), " " * indent)
