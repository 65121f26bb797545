"""The two doors of a conversation, as small programs that a reader runs one step at a time."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.conversations.record import closed, over
from bench.conversations.spool import Spool, of_model, of_visitor

PRINTED, BAD, OVER, NOTHING = 0, 1, 3, 4
"""Exit codes: there was something, it was not taken, it is over, nothing came in time."""
SIBLINGS = 1.0
"""Seconds that calls may begin after one another and still be printed together."""
AT_ONCE = 4
LOOKS = 0.2
_HEAD = re.compile(r"^===[ \t]*(\d{1,4})[ \t]*$", re.MULTILINE)
_SHOWN, _TOLD = ".shown", "sheet.shown"


# the model's


def next_model(folder: Path, wait: float, short: bool) -> int:
    """Prints all requests that wait. ``short``: what a request has in common with the beginning of one that was printed
    before is left out, for a reader who has that before them."""
    spool, until = of_model(folder), time.monotonic() + wait
    while not (waiting := spool.waiting()):
        if closed(folder):
            print(f"=== OVER: {over(folder)}")
            return OVER
        if time.monotonic() > until:
            print("=== NOTHING WAITS YET; run this again")
            return NOTHING
        time.sleep(LOOKS)
    time.sleep(SIBLINGS)
    for number in (spool.waiting() or waiting)[:AT_ONCE]:
        print(f"=== {number:04}")
        print(_shown(spool, number, short))
        spool.mark(number, _SHOWN)
    print("=== ANSWER EACH OF THEM, each by itself")
    return PRINTED


def answer_model(folder: Path, answers: Sequence[tuple[int, str]], as_is: bool) -> int:
    spool = of_model(folder)
    waiting, bad = set(spool.waiting()), False
    for number, text in answers:
        if number not in waiting:
            print(f"=== {number:04} does not wait for an answer")
            continue
        fault = None if as_is else _fault(json.loads(spool.question(number))["schema"], text)
        if fault or not text.strip():
            print(f"=== {number:04} NOT TAKEN: {fault or 'there is nothing in it'}")
            bad = True
            continue
        spool.answer(number, _bare(text))
    return BAD if bad or not answers else PRINTED


def answers_in(text: str) -> list[tuple[int, str]]:
    """Answers below lines ``=== number``."""
    parts = _HEAD.split(text)
    return [(int(number), said.strip()) for number, said in zip(parts[1::2], parts[2::2], strict=True)]


def _shown(spool: Spool, number: int, short: bool) -> str:
    text = request_text(json.loads(spool.question(number)))
    if not short:
        return text
    best, of = "", 0
    for earlier in spool.numbers():
        if earlier < number and (spool.folder / f"{earlier:04}{_SHOWN}").exists():
            same = _same(text, request_text(json.loads(spool.question(earlier))))
            if len(same) > len(best):
                best, of = same, earlier
    if len(best) < 200:
        return text
    last = next(line for line in reversed(best.splitlines()) if line.strip())
    return f"(begins as {of:04} does, {len(best)} characters, up to the line: {last})\n{text[len(best) :]}"


def _same(one: str, other: str) -> str:
    """The whole lines that both begin with."""
    lines, others = one.splitlines(keepends=True), other.splitlines(keepends=True)
    count = next(
        (n for n, (a, b) in enumerate(zip(lines, others, strict=False)) if a != b), min(len(lines), len(others))
    )
    return "".join(lines[:count])


def request_text(asked: dict[str, Any]) -> str:
    """All that a model is sent, as text."""
    parts = [f"[{message['role']}]\n{message['content']}" for message in asked["messages"]]
    if asked["schema"]:
        parts.append(f"[answer with JSON of this schema, and nothing else]\n{_json(asked['schema'])}")
    else:
        parts.append("[answer with what you say, and nothing else]")
    return "\n\n".join(parts)


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)


def _bare(text: str) -> str:
    """Without the fence that readers like to put round JSON."""
    found = re.fullmatch(r"\s*```(?:json)?\s*\n(.*?)\n?```\s*", text, re.DOTALL)
    return found[1] if found else text.strip()


def _fault(schema: dict[str, Any] | None, text: str) -> str | None:
    """What a provider that holds answers to a schema would not have let through."""
    if not schema:
        return None
    try:
        data = json.loads(_bare(text))
    except ValueError as error:
        return f"it is not JSON ({error})"
    if not isinstance(data, dict):
        return "it is not an object"
    missing = [name for name in schema.get("required", ()) if name not in data]
    return f"it lacks {', '.join(missing)}" if missing else None


# the visitor's


def next_visitor(folder: Path, wait: float, sheet: bool) -> int:
    """Prints the sheet once, and every page that is new."""
    spool, until = of_visitor(folder), time.monotonic() + wait
    while not (found := list(_pages(spool))):
        if reason := over(folder):
            print(f"=== OVER: {reason}")
            return OVER
        if time.monotonic() > until:
            print("=== NOTHING NEW YET; run this again")
            return NOTHING
        time.sleep(LOOKS)
    told = folder / _TOLD
    if sheet or not told.exists():
        print((folder / "sheet.md").read_text(encoding="utf-8"))
        told.touch()
    for number, page in found:
        print(f"=== PAGE {number:04}\n{page}")
    return PRINTED


def _pages(spool: Spool) -> Iterator[tuple[int, str]]:
    """What has not been shown yet; else what waits for an answer."""
    new = [number for number in spool.numbers() if not spool.mark(number, _SHOWN)]
    for number in new or spool.waiting()[:1] if not _is_over(spool) else new:
        yield number, spool.question(number)


def _is_over(spool: Spool) -> bool:
    return over(spool.folder.parent) is not None


def answer_visitor(folder: Path, said: str) -> int:
    spool = of_visitor(folder)
    waiting = spool.waiting()
    if not waiting or not said.strip():
        print("=== NO PAGE WAITS FOR AN ANSWER" if not waiting else "=== NOTHING WAS SAID; to stay silent write [wait]")
        return BAD
    spool.answer(waiting[-1], said)
    return PRINTED


def read(file: str | None) -> str:
    return sys.stdin.read() if file in (None, "-") else Path(str(file)).read_text(encoding="utf-8")
