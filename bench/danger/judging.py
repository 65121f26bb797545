"""What a judge is asked about one conversation."""

from __future__ import annotations

import json
from pathlib import Path

from bench.conversations.pace import is_chinese
from bench.danger.judgement import Judgement
from bench.danger.sheets import FOLDER


def judge_prompt(file: Path, language: str | None = None) -> str:
    """The whole text. ``language``: by default the transcript's."""
    text = file.read_text(encoding="utf-8").strip()
    chosen = language or ("zh-CN" if is_chinese(text) else "en")
    asked = (FOLDER / "judging" / f"{chosen}.md").read_text(encoding="utf-8").strip()
    shape = json.dumps(Judgement.model_json_schema(), ensure_ascii=False)
    return f"{asked}\n\nJSON Schema:\n{shape}\n\n===== {file.stem} =====\n\n{text}\n"
