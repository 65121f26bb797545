"""A reply that was wrong, as a conversation test that an author can take into the project: what the person did up to
it, and that the program does not say it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import yaml

from heartrule.server.masking import veiled
from heartrule.sessions import Sessions, forms
from heartrule.store.records import InboxEntry, MessageRecord, SessionRecord

ABOUT = """\
# 来访者说过的话在这里。放进项目之前，请改成不属于任何人的话。
# These are words of a person. Change them into nobody's before they go into a project.
"""
BARE = ("pause", "resume", "end")


async def test_of(sessions: Sessions, record: SessionRecord, message: int) -> str | None:
    """As YAML; None where the program has not said it, or it has been taken back. Numbers, addresses and links are
    covered."""
    found = next(iter(await sessions.store.messages(record.id, message - 1, 1)), None)
    if found is None or found.number != message or found.sender != "ai" or not found.text:
        return None
    came = await sessions.store.inbox(record.id)
    asked = await sessions.store.attempts(record.id)
    turns = list(_moves([each for each in came if each.turn is not None and each.turn <= found.turn]))
    expect = {"never_says": _lines(found)}
    if turns and isinstance(turns[-1], dict):
        turns[-1] = {**turns[-1], "expect": expect}
    else:
        turns = [{"start": expect}, *turns] if not turns else [*turns[:-1], {turns[-1]: True, "expect": expect}]
    case = {
        "test": f"{record.script.partition('/')[2]}: {record.id[:8]}, {message}",
        "group": "correction",
        "model": "live" if any(each.provider is not None for each in asked) else "none",
        "turns": turns,
    }
    held = {"script": record.script, "locale": record.locale, "tests": [case]}
    return ABOUT + yaml.safe_dump(held, allow_unicode=True, sort_keys=False, width=120)


def _lines(message: MessageRecord) -> list[str]:
    return [line.strip() for line in message.text.split("\n") if line.strip()]


def _moves(came: Sequence[InboxEntry]) -> Iterable[Any]:
    """What the person did, turn by turn; what came by itself, and what counsellors did, is left out."""
    ordered = sorted(came, key=lambda each: (each.turn or 0, each.number))
    for _, each in groupby(ordered, key=lambda one: one.turn):
        entries = [item.entry for item in each]
        said = [veiled(one.text) for one in entries if one.kind == "message" and one.text]
        if said:
            yield {"say": said[0] if len(said) == 1 else said}
        for one in entries:
            if one.kind == "choice" and one.choice:
                yield {"choose": one.choice}
            elif one.kind in forms.KINDS:
                yield _filled(one.kind, one.text)
            elif one.kind in BARE:
                yield one.kind


def _filled(kind: str, text: str | None) -> dict[str, Any]:
    values = {
        name: veiled(value) if isinstance(value, str) else value
        for name, value in forms.decode_answers(text).values.items()
    }
    filled: dict[str, Any] = {"fill": values} if values else {}
    if kind == "form_cancel":
        return {**filled, "cancel": True}
    if kind == "form_draft":
        return {**filled, "submit": False}
    return filled or {"submit": True}
