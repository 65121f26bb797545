"""The intake with eight judgements after every answer, none of which holds: the same questions, a topic each."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from bench.intake.conversation import FOLDER, PROJECT
from bench.intake.naive import steps

SCRIPT = "intake/judged"


def judgements() -> Sequence[str]:
    found: list[str] = yaml.safe_load((FOLDER / "judged.yaml").read_text(encoding="utf-8"))
    return found


def project(folder: Path) -> Path:
    """The intake's project with that script in it, in ``folder``."""
    shutil.copytree(PROJECT, folder)
    session = yaml.safe_load((PROJECT / "intake.yaml").read_text(encoding="utf-8"))["sessions"][0]
    actions = [action for phase in session["phases"] for topic in phase["steps"] for action in topic["actions"]]
    topics: list[dict[str, Any]] = []
    for number, (step, action) in enumerate(
        zip(steps(), (each for each in actions if each["type"] == "ai_ask"), strict=True), 1
    ):
        asked = {**action, "question": step.question or action["fallback"]}
        leaves = [{"to": "bye", "condition": {"judge": judgement}} for judgement in judgements()]
        topics.append({"topic": f"第{number}问", "id": f"q{number}", "actions": [asked], "transitions": leaves})
    topics.append({"topic": "道别", "id": "bye", "actions": [action for action in actions if action["id"] == "bye"]})
    phases = [{"phase": "了解", "id": "knowing", "steps": topics}]
    made = {**session, "session": "首谈六问，处处判断", "id": "judged", "phases": phases}
    text = yaml.safe_dump({"sessions": [made]}, allow_unicode=True, sort_keys=False)
    (folder / "judged.yaml").write_text(text, encoding="utf-8")
    return folder
