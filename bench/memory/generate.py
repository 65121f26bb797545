"""Histories of ten sessions of sixty turns a person, with facts that are told in passing, changed and contradicted, and
questions about them; in our own form of ``heartrule eval memory``."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

FACTS, UNSEEN = (Path(__file__).with_name(name) for name in ("facts.yaml", "unseen.yaml"))
SESSIONS, TURNS, PERSONS = 10, 60, 10
_BEGIN = datetime(2025, 1, 6, 9, tzinfo=UTC)


def histories(
    persons: int = PERSONS, seed: int = 7, facts: Path = FACTS, *, both: bool = False
) -> Iterator[dict[str, Any]]:
    """Half in Chinese, half in English. ``both``: what stands in ``facts`` is told beside what stands in the first."""
    first, second = (yaml.safe_load(each.read_text("utf-8")) for each in (FACTS, facts))
    told = {**first, **second}
    if both:
        told |= {language: {**second[language], **first[language]} for language in second}
    for number in range(persons):
        yield _history(number, "zh-CN" if number % 2 == 0 else "en", told, random.Random(seed * 1000 + number))


def _history(number: int, locale: str, told: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    language = locale[:2]
    facts, filler, replies = told[language], told["filler"][language], told["filler"][f"ask_{language}"]
    placed: dict[tuple[int, int], tuple[str, str]] = {}
    questions: list[dict[str, Any]] = []
    for key, fact in facts.items():
        values = chance.sample(fact["values"], 2)
        first = _free(placed, chance, range(SESSIONS // 2))
        placed[first] = (chance.choice(fact["say"]).format(v=values[0]), key)
        question = {"kind": "fact", "about": key, "ask": chance.choice(fact["ask"]), "evidence": [_id(*first)]}
        if "change" in fact:
            second = _free(placed, chance, range(SESSIONS // 2, SESSIONS))
            placed[second] = (chance.choice(fact["change"]).format(v=values[1]), key)
            question |= {"kind": "update", "evidence": [_id(*second)], "older": [_id(*first)]}
        questions.append(question)
    sessions = []
    for session in range(SESSIONS):
        at, said = _BEGIN + timedelta(days=7 * session), []
        for turn in range(TURNS):
            said.append({"id": f"s{session + 1}:a{turn + 1}", "who": "ai", "text": chance.choice(replies)})
            text = placed[session, turn][0] if (session, turn) in placed else chance.choice(filler)
            said.append({"id": _id(session, turn), "who": "person", "text": text})
        sessions.append({"at": at.isoformat(), "said": said})
    return {"id": f"p{number + 1}", "locale": locale, "sessions": sessions, "questions": questions}


def _free(taken: dict[tuple[int, int], Any], chance: random.Random, sessions: range) -> tuple[int, int]:
    while (place := (chance.choice(sessions), chance.randrange(TURNS))) in taken:
        pass
    return place


def _id(session: int, turn: int) -> str:
    return f"s{session + 1}:p{turn + 1}"


def write(file: Path, persons: int = PERSONS, facts: Path = FACTS) -> None:
    lines = (json.dumps(each, ensure_ascii=False) for each in histories(persons, facts=facts))
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def as_text(history: dict[str, Any]) -> str:
    """As somebody reads it who writes questions: a session a chapter, a message a line, with its id."""
    lines: list[str] = []
    for session in history["sessions"]:
        lines += ["", f"## {session['at'][:10]}", ""]
        lines += [f"[{said['id']}] {said['who']}: {said['text']}" for said in session["said"]]
    return "\n".join(lines).lstrip() + "\n"
