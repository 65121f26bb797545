"""An index whose packages require each other, for tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from heartrule.engine.installed_types import field_models
from heartrule.packages.builder import make
from heartrule.packages.index import add
from heartrule.signing import new_key

BREATHE = """\
skills:
  - skill: Breathe together
    id: breathe
    actions:
      - {{type: say, id: breathe_in, content: "{words}"}}
"""
FORM = """\
forms:
  - form: How calm
    id: calm
    fields:
      - {name: calm, label: How calm are you?, type: integer, range: [0, 10]}
"""
WARM = """\
skills:
  - skill: Warm up
    id: warm
    actions:
      - {type: say, id: welcome, content: "Welcome. Make yourself comfortable."}
      - {type: use_skill, id: first_breath, skill: breathing/breathe}
"""
COURSE = """\
sessions:
  - session: Calm down
    id: calm_down
    locale: en
    phases:
      - phase: Calm
        id: calm
        steps:
          - topic: Begin
            id: begin
            actions:
              - {type: use_skill, id: warm_up, skill: warmth/warm}
              - {type: use_skill, id: breathe, skill: breathing/breathe}
              - {type: say, id: bye, content: "See you."}
"""
TESTS = """\
script: calm_down
tests:
  - test: it breathes
    turns:
      - start: {said_contains: ["In, and out.", "See you."], ended: true}
"""


class Shelf:
    """An index in a folder, and whoever puts packages into it."""

    def __init__(self, place: Path) -> None:
        self.place, self.index = place, place / "index"
        place.mkdir(parents=True, exist_ok=True)
        self.key = new_key(place / "key.pem")

    def put(self, name: str, version: str, files: Mapping[str, str], requires: Mapping[str, str] | None = None) -> None:
        folder = self.place / f"{name}-{version}"
        about = {"name": name, "version": version, "licence": "MIT", "description": {"en": f"About {name}"}}
        written = {
            "project.yaml": f"id: {name}\nlocale: en\n",
            "package.yaml": json.dumps({**about, **({"requires": dict(requires)} if requires else {})}),
            **files,
        }
        for path, text in written.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        _, raw = make(folder, field_models(), self.key)
        add(self.index, raw)

    def breathing(self, version: str, words: str = "In, and out.", **more: str) -> None:
        self.put("breathing", version, {"skills.yaml": BREATHE.format(words=words), "forms.yaml": FORM, **more})

    def warmth(self, version: str = "1.0.0", wanted: str = ">=1,<2") -> None:
        self.put("warmth", version, {"skills.yaml": WARM}, {"breathing": wanted})

    def course(self, version: str = "1.0.0") -> None:
        files = {"talk.yaml": COURSE, "tests/talk.test.yaml": TESTS}
        self.put("course", version, files, {"warmth": ">=1,<2", "breathing": ">=1,<2"})


def shelved(place: Path) -> Shelf:
    """One that has a course, and the two packages that it requires."""
    shelf = Shelf(place)
    shelf.breathing("1.0.0")
    shelf.warmth()
    shelf.course()
    return shelf
