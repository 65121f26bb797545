"""What a judge is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from bench.conversations.judgement import Judgement
from bench.conversations.pace import is_chinese
from bench.conversations.sheet import FOLDER

Order = Literal["ab", "ba"]


def judge_prompt(files: tuple[Path, ...], order: Order, language: str | None = None) -> str:
    """The whole text, for one transcript or two. ``order``: which of two is read first."""
    texts = [(file.stem, file.read_text(encoding="utf-8").strip()) for file in files]
    if order == "ba":
        texts.reverse()
    chosen = language or ("zh-CN" if is_chinese(texts[0][1]) else "en")
    name = f"{'two' if len(texts) == 2 else 'one'}.{chosen}.md"
    asked = (FOLDER / "judging" / f"items.{chosen}.md").read_text(encoding="utf-8").strip()
    frame = (FOLDER / "judging" / name).read_text(encoding="utf-8").strip()
    shape = json.dumps(Judgement.model_json_schema(), ensure_ascii=False)
    shown = "\n\n".join(f"===== {code} =====\n\n{text}" for code, text in texts)
    return f"{frame}\n\n{asked}\n\nJSON Schema:\n{shape}\n\n{shown}\n"
