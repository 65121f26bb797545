"""Items of ``eval listening`` for tests, put together from few words, and models that answer by them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.evals.dialogues import Row, lines

from heartrule.engine.session.tasks import Answer, Task
from heartrule.evals import listening_items
from heartrule.evals.extraction_answers import RecordedAnswer
from heartrule.evals.listening_items import Item
from heartrule.evals.listening_session import Session
from heartrule.evals.session_run import unanswered
from heartrule.language.compiling.script import Script

SHIPPED = Path(__file__).parents[2] / "bench" / "listening"
NAME: Row = {"name": "称呼", "define": "希望被怎么称呼", "question": "怎么称呼你？"}
HOURS: Row = {
    "name": "睡几小时",
    "type": "number",
    "define": "一晚大约睡几个小时",
    "range": [0, 24],
    "question": "能睡几个小时？",
}
HOME: Row = {"name": "同住", "define": "和谁一起住", "question": "跟谁一起住？"}
CHOICES = [{"value": "开始", "label": "可以，开始吧"}, {"value": "改天", "label": "今天先不聊了"}]


def beginning(*said: str, told: Mapping[str, Any], wanted: Sequence[Row] = (NAME, HOURS, HOME), **more: Any) -> Row:
    return {"id": "one", "lang": "zh", "dialogue": lines(*said), "wanted": list(wanted), "told": dict(told), **more}


def refusal(question: str, text: str, *, declines: bool, covers: Sequence[str] = (), **more: Any) -> Row:
    """The first of ``wanted`` is what was asked."""
    gold = {"declines": declines, "boundary": more.pop("boundary", None), "covers": list(covers)}
    row = {"id": "no", "lang": "zh", "kind": "plain", "dialogue": lines("问我在听。", "答嗯", f"问{question}")}
    return row | {"question": question, "text": text, "wanted": [HOME, NAME], "gold": gold, **more}


def choosing(text: str, gold: str | None, **more: Any) -> Row:
    row = {"id": "pick", "lang": "zh", "said_before": "这样可以吗？", "choices": CHOICES, "kind": "plain"}
    return row | {"text": text, "gold": gold, **more}


def written(folder: Path, *rows: Row) -> Path:
    path = folder / "items.jsonl"
    path.write_text("\n".join(json.dumps(each, ensure_ascii=False) for each in rows), encoding="utf-8")
    return path


def items(folder: Path, *rows: Row) -> list[Item]:
    return listening_items.load_items([written(folder, *rows)])


def session(folder: Path, row: Row) -> Session:
    return Session.of(items(folder, row)[0])


def reply(values: Mapping[str, tuple[Any, str]] | None = None, **more: Any) -> str:
    """A reply in a stretch: ``values`` by name, each with its quote."""
    found = {name: {"value": value, "evidence": quote} for name, (value, quote) in (values or {}).items()}
    said = {"values": found, "declined": [], "asks": "", "EXIT": "NO", "content": "嗯，我在听。", **more}
    return json.dumps(said, ensure_ascii=False)


def answering(stretch: str, listen: str | None = None) -> Any:
    """Whoever answers the stretch with one text and the look beside it with another; nobody answers the rest."""
    texts = {"stretch": stretch, "listen": listen}

    async def answer(script: Script, tasks: Sequence[Task]) -> Mapping[str, Answer]:
        return {
            task.key: Answer(task.key, "answered", json.loads(text))
            if (text := texts.get(task.template)) is not None
            else Answer(task.key, "failed")
            for task in tasks
        }

    return answer


def quiet(done: int, of: int) -> None:
    pass


def recorded(sessions: Sequence[Session], texts: Mapping[str, str]) -> dict[str, RecordedAnswer]:
    """Answers to what these sessions ask first, by the id of the prompt."""
    asked = unanswered(sessions, {}, quiet)
    return {name: RecordedAnswer(name, asked[name].hash, text) for name, text in texts.items()}
