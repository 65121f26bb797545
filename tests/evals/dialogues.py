"""Items for tests, put together from few words, and answers that say exactly what their gold says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from heartrule.evals import extraction_items
from heartrule.evals.extraction_answers import RecordedAnswer, prompt_of
from heartrule.evals.extraction_items import LabelledDialogue
from heartrule.evals.extraction_round import Round

Row = dict[str, Any]
SHIPPED = Path(__file__).parents[2] / "bench" / "extract" / "items.jsonl"


def lines(*said: str) -> list[Row]:
    """``"问…"`` is the counsellor's, ``"答…"`` the person's."""
    return [{"speaker": "ai" if each[0] == "问" else "person", "text": each[1:]} for each in said]


def row(*said: str, gold: Mapping[str, Any], output: list[Row] | None = None, **more: Any) -> Row:
    """An item about texts, where ``output`` says nothing else."""
    asked = output or [{"get": name, "define": name} for name in gold]
    return {"id": "one", "brief": "了解情况。", "output": asked, "dialogue": lines(*said), "gold": dict(gold), **more}


def written(folder: Path, *rows: Row) -> Path:
    path = folder / "items.jsonl"
    path.write_text("\n".join(json.dumps(each, ensure_ascii=False) for each in rows), encoding="utf-8")
    return path


def items(folder: Path, *rows: Row) -> list[LabelledDialogue]:
    return extraction_items.load_items(written(folder, *rows))


def held(folder: Path, each: Row) -> Round:
    return Round.of(items(folder, each)[0])


def reply(values: Mapping[str, Any] | None = None, **more: Any) -> str:
    """A model's answer with these values."""
    said = {"EXIT": "NO", "values": values or {}, "content": "嗯，我在听。", "exit_reason": "还没问完", **more}
    return json.dumps(said, ensure_ascii=False)


def recorded(each: Round, text: str) -> dict[str, RecordedAnswer]:
    prompt = prompt_of(each)
    assert prompt is not None
    return {each.item.id: RecordedAnswer(each.item.id, prompt.hash, text)}


def told(item: LabelledDialogue) -> str:
    """The answer of somebody who reads as carefully as whoever wrote the gold."""
    words = "\n".join(item.answer)
    values = {
        name: {"value": likely(gold), "evidence": words}
        for name, gold in item.gold.items()
        if gold is not None and not (name in item.before and item.begins < item.asked and gold == item.before[name])
    }
    return reply(values)


def likely(gold: Any) -> Any:
    """A value that a gold value stands for: the first of each of its wordings."""
    if isinstance(gold, Mapping):
        if "any" in gold:
            return likely(gold["any"][0])
        if "has" in gold:
            return "，".join(each.split("|")[0] for each in gold["has"])
        if "items" in gold:
            return [likely(each) for each in gold["items"]]
        return {name: likely(each) for name, each in gold.items() if each is not None}
    if isinstance(gold, list):
        return [likely(each) for each in gold]
    return gold.split("|")[0] if isinstance(gold, str) else gold
