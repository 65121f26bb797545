"""A transcript that does not tell which side it is of: no names, no menus, no mark-up, the same look for all."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import groupby
from pathlib import Path

from bench.conversations.record import Record, Said
from bench.conversations.spool import written

PARTIES = {
    "zh-CN": {"counsellor": "咨询师", "visitor": "来访者"},
    "en": {"counsellor": "Counsellor", "visitor": "Visitor"},
}
FILLED = {"zh-CN": "（填了一份问卷：{answers}）", "en": "(fills in a questionnaire: {answers})"}
AFTERWARDS = {"zh-CN": "（谈完以后留下的小结）", "en": "(the written summary afterwards)"}
NAMES = {"小禾": "〔咨询师〕", "Xiaohe": "[counsellor]", "HeartRule": "〔…〕", "heartrule": "〔…〕"}
"""What would tell, and what stands there instead."""
_MARKS = (
    (re.compile(r"\*\*|__|`"), ""),
    (re.compile(r"^\s{0,3}#{1,6}\s+", re.M), ""),
    (re.compile(r"^\s*>\s?", re.M), ""),
)
_BULLET = re.compile(r"^\s*[-*•·]\s+", re.M)
_EMPTY = re.compile(r"\n{3,}")


def transcript(record: Record, summary: str = "") -> str:
    """Messages of one party that follow each other are one, numbered from 1."""
    locale = "zh-CN" if str(record.about["locale"]).startswith("zh") else "en"
    blocks: list[str] = []
    for who, group in groupby(record.said, key=lambda said: said.who):
        text = "\n".join(filter(None, (_plain(line) for said in group for line in _lines(said, locale))))
        if text:
            blocks.append(f"#{len(blocks) + 1} {PARTIES[locale][who]}: {text}")
    if summary:
        blocks.append(f"{AFTERWARDS[locale]}\n{_plain(summary)}")
    return "\n\n".join(blocks) + "\n"


def _lines(said: Said, locale: str) -> Iterator[str]:
    yield said.text
    yield from said.choices
    if said.filled:
        mark = "；" if locale == "zh-CN" else "; "
        yield FILLED[locale].format(answers=mark.join(f"{question} {answer}" for question, answer in said.filled))


def _plain(text: str) -> str:
    for mark, instead in _MARKS:
        text = mark.sub(instead, text)
    text = _BULLET.sub("", text)
    for name, instead in NAMES.items():
        text = text.replace(name, instead)
    return _EMPTY.sub("\n\n", text).strip()


def code_of(folder: Path, seed: str) -> str:
    """What stands for a conversation's folder. Without the seed nobody finds the folder from it."""
    return hashlib.sha256(f"{seed}\0{folder.resolve().name}".encode()).hexdigest()[:6]


def stripped(folders: Sequence[Path], out: Path, seed: str, key: Path, with_summary: bool = False) -> dict[str, str]:
    """Writes each transcript under its code into ``out``, and what the codes stand for into ``key``, beside those that
    stand there already. Returns the codes by folder."""
    known: dict[str, str] = json.loads(key.read_text(encoding="utf-8")) if key.exists() else {}
    codes = {}
    for folder in folders:
        code = code_of(folder, seed)
        if known.get(code, str(folder)) != str(folder):
            raise ValueError(f"{code} stands for {known[code]} already; take another seed")
        page = folder / "summary.html"
        summary = text_of(page.read_text(encoding="utf-8")) if with_summary and page.exists() else ""
        written(out / f"{code}.txt", transcript(Record.read(folder), summary))
        codes[str(folder)], known[code] = code, str(folder)
    written(key, json.dumps(dict(sorted(known.items())), ensure_ascii=False, indent=1) + "\n")
    return codes


def text_of(page: str) -> str:
    """What can be read on a page."""
    body = re.sub(r"<(head|style|script)\b.*?</\1>", "", page, flags=re.DOTALL | re.IGNORECASE)
    lines = re.sub(r"</(?:p|li|h\d|tr|dd|dt|div|section|header)>|<br\s*/?>", "\n", body, flags=re.IGNORECASE)
    text = unescape(re.sub(r"<[^>]+>", "", lines))
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())
