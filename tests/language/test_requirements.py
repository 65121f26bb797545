"""Packages that lie in a project: what of them its scripts use, alive and restored, and what stays theirs."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from heartrule.authoring.completion import completions
from heartrule.authoring.positions import Position
from heartrule.authoring.workspace import Workspace
from heartrule.engine.installed_types import field_models
from heartrule.language.compiling.compiler import compile_session, compile_sources
from heartrule.language.projects.library import Library, library_root
from heartrule.language.projects.project import LoadedProject, load_texts
from heartrule.language.projects.requirements import LOCK

ACTIONS = field_models()
TALK = """\
sessions:
  - session: Talk
    id: talk
    locale: en
    template_scheme: warm
    phases:
      - phase: Talk
        id: talk
        steps:
          - topic: Talk
            id: talk
            actions:
              - {type: use_skill, id: go, skill: warmth/warm}
"""
WARM = "skills:\n  - skill: Warm\n    id: warm\n    actions: [{type: use_skill, id: on, skill: breathing/breathe}]\n"
BREATHE = "skills:\n  - skill: Breathe\n    id: breathe\n    actions:\n      - {type: say, id: in, content: In.}\n"
PROMPTS = {"prompts/warm/ai_ask.en.md": "warm words", "prompts/default/ai_ask.en.md": "in place of ours"}


def texts(packages: dict[str, dict[str, str]], needs: dict[str, dict[str, str]] | None = None) -> dict[str, str]:
    """A project with these packages in it, as its lock says."""
    found = {"project.yaml": "id: mine\nlocale: en\n", "talk.yaml": TALK}
    lock: dict[str, Any] = {}
    for name, files in packages.items():
        whole = {"project.yaml": f"id: {name}\nlocale: en\n", **files}
        found |= {f"packages/{name}/{path}": text for path, text in whole.items()}
        digests = {path: sha256(text.encode()).hexdigest() for path, text in whole.items()}
        lock[name] = {"version": "1.0.0", "project": name, "requires": (needs or {}).get(name, {}), "files": digests}
    return {**found, LOCK: json.dumps({"packages": lock})}


def loaded(packages: dict[str, dict[str, str]], **more: Any) -> LoadedProject:
    return load_texts(texts(packages, **more), ACTIONS)


def stopping(project: LoadedProject) -> list[tuple[str, str]]:
    return [(each.code, each.about or str(each.message.en)) for each in project.findings if each.stops]


BOTH = {"warmth": {"skills.yaml": WARM, **PROMPTS}, "breathing": {"skills.yaml": BREATHE}}


def test_techniques_and_prompts_come_from_packages_alive_and_restored() -> None:
    home = loaded(BOTH)
    safety = Library([library_root()], ACTIONS).safety
    (session,) = home.sessions
    script, reached = compile_session(session, home, lambda _: None, safety)
    assert reached.missing == []
    assert set(script.skills) >= {"warmth/warm", "breathing/breathe"}
    assert script.templates == {"warm/ai_ask.en.md": "warm words"}
    again = compile_sources(script.sources, script.id, ACTIONS, safety)
    assert (again.bundle, again.templates) == (script.bundle, script.templates)
    assert set(again.skills) == set(script.skills)


def test_an_editor_offers_and_lints_what_packages_bring() -> None:
    whole = texts(BOTH)
    room = Workspace(whole, ACTIONS, lambda _: None)
    assert [each.code for each in room.now.findings if each.stops] == []
    assert set(room.texts) == {"project.yaml", "talk.yaml"}
    line = next(n for n, text in enumerate(TALK.split("\n"), 1) if "warmth/warm" in text)
    typed = TALK.replace("skill: warmth/warm}", "skill: ")
    room.write("talk.yaml", typed)
    column = len(typed.split("\n")[line - 1]) + 1
    offered = completions(room.now, "talk.yaml", Position(line, column), ACTIONS, "en")
    assert {each.text for each in offered} >= {"warmth/warm", "breathing/breathe"}
    room.write("talk.yaml", TALK.replace("warmth/warm", "warmth/cold"))
    assert [each.code for each in room.now.findings if each.stops] == ["E203"]
    room.bring(
        {path: text for path, text in whole.items() if path.startswith("packages/")} | {LOCK: '{"packages": {}}'}
    )
    assert {each.code for each in room.now.findings if each.stops} >= {"E203", "E311"}


def test_what_the_project_has_itself_stands_before_a_packages() -> None:
    own = texts(BOTH) | {"prompts/warm/ai_say.en.md": "mine"}
    assert load_texts(own, ACTIONS).schemes == {"warm/ai_say.en.md": "mine"}


def test_a_package_stands_before_what_the_server_has_under_its_id() -> None:
    home = loaded({"cbt": {"skills.yaml": BREATHE}})
    elsewhere = load_texts({"project.yaml": "id: cbt\n"}, ACTIONS)
    assert home.finds({"cbt": elsewhere}.get)("cbt") is home.required["cbt"]


def test_no_package_stands_in_for_safety_or_for_the_project_itself() -> None:
    for taken in ("safety", "mine"):
        home = loaded({taken: {"skills.yaml": BREATHE}})
        assert [code for code, _ in stopping(home)] == ["E312"]
        assert home.required == {}


def test_packages_in_a_circle_are_told() -> None:
    home = loaded(BOTH, needs={"warmth": {"breathing": ">=1"}, "breathing": {"warmth": ">=1"}})
    ((code, told),) = stopping(home)
    assert code == "E310"
    assert "breathing → warmth → breathing" in told or "warmth → breathing → warmth" in told


def test_one_that_cannot_be_read_or_is_another_is_told_and_not_relied_on() -> None:
    for broken in ({"skills.yaml": "skills: ["}, {"project.yaml": "id: other\n"}):
        home = loaded({"breathing": broken})
        assert [code for code, _ in stopping(home)] == ["E313"]
        assert home.required == {}


def test_a_folder_is_read_with_the_packages_that_lie_in_it(tmp_path: Path) -> None:
    for path, text in texts(BOTH).items():
        (tmp_path / "mine" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mine" / path).write_text(text, encoding="utf-8")
    library = Library([tmp_path / "mine"], ACTIONS)
    assert "breathing/breathe" in library.script("mine/talk").skills
    assert {each.id for each in library.projects()} == {"mine", "safety"}
    changed = tmp_path / "mine" / "packages" / "breathing" / "skills.yaml"
    changed.write_text(BREATHE.replace("In.", "Out."), encoding="utf-8")
    own = library.project("mine")
    assert own is not None
    assert [code for code, _ in stopping(own)] == ["E311"]
