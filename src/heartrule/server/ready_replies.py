"""Replies that are kept ready: those that are shipped, which are the organisation's until somebody changes or removes
them, and those that counsellors have made."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from heartrule.language.texts.plain import packaged_yaml
from heartrule.store.canned_replies import CannedReplies, CannedReply

ORGANISATION = ""
"""Whose they are that are nobody's own: everybody who may change any may change them."""
GONE = ""
"""The words of a shipped one that was removed."""


@cache
def shipped() -> Mapping[str, CannedReply]:
    found: list[dict[str, Any]] = packaged_yaml("heartrule.server", "texts", "ready_replies.yaml")
    return {each["id"]: CannedReply(**each, owner=ORGANISATION, shared=True) for each in found}


async def every(store: CannedReplies) -> list[CannedReply]:
    """By title."""
    there = {**shipped(), **{each.id: each for each in await store.all()}}
    return sorted((each for each in there.values() if each.text != GONE), key=lambda each: (each.title, each.id))


async def find(store: CannedReplies, reply: str) -> CannedReply | None:
    found = await store.find(reply) or shipped().get(reply)
    return found if found is not None and found.text != GONE else None


async def remove(store: CannedReplies, reply: CannedReply) -> None:
    """A shipped one stays away."""
    if reply.id not in shipped():
        await store.remove(reply.id)
        return
    gone = CannedReply(reply.id, ORGANISATION, reply.title, GONE, reply.locale, shared=True)
    await store.put(gone, lambda _: None)
