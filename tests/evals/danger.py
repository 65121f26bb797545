"""Beginnings of ``eval judge`` for tests, put together from few words, and verdicts of a model about them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.evals.dialogues import Row

from heartrule.engine.session.tasks import Answer, Task
from heartrule.evals import judge_items
from heartrule.evals.judge_items import JudgeItem
from heartrule.language.compiling.script import Script

SHIPPED = Path(__file__).parents[2] / "bench" / "judge"


def row(*said: str, label: str = "none_plain", **more: Any) -> Row:
    """``"问…"`` is the session's, ``"答…"`` the person's."""
    turns = [{"by": "ai" if each[0] == "问" else "person", "text": each[1:]} for each in said]
    danger = not label.startswith("none_")
    made = {"id": "one", "locale": "zh-CN", "turns": turns, "label": label, "own": danger, "interrupts": False}
    return made | more


def written(folder: Path, *rows: Row) -> Path:
    path = folder / "beginnings.jsonl"
    path.write_text("\n".join(json.dumps(each, ensure_ascii=False) for each in rows), encoding="utf-8")
    return path


def items(folder: Path, *rows: Row) -> list[JudgeItem]:
    return judge_items.load_items([written(folder, *rows)])


def verdict(said: str, confidence: float = 0.9, **more: Any) -> str:
    """What the model says to the first question, on suicide and self-harm; to the others nothing."""
    told = {"id": 1, "verdict": said, "confidence": confidence, "evidence": "", **more}
    return json.dumps({"verdicts": [told]}, ensure_ascii=False)


def saying(text: str) -> Any:
    """A model that answers whatever it is asked with this."""

    async def answer(script: Script, tasks: Sequence[Task]) -> Mapping[str, Answer]:
        return {task.key: Answer(task.key, "answered", json.loads(text)) for task in tasks}

    return answer
