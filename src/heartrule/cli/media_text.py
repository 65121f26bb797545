"""What stands beside a message's words, in words: a terminal shows no pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from heartrule.cli.words import Words
from heartrule.engine.session.media import Media
from heartrule.sessions.rows import MEDIA
from heartrule.store.records import MessageRecord

_PARTS = ("in", "hold", "out", "rest")


def message_text(message: MessageRecord, words: Words) -> str:
    """The message's text with what stands beside it."""
    lines = [line for each in message.metadata.get(MEDIA, ()) for line in _lines(Media.load(each), message.text, words)]
    return "\n".join([message.text, *lines])


def _lines(media: Media, text: str, words: Words) -> Iterator[str]:
    match media.kind:
        case "picture":
            if media.alt != text:
                yield words("picture", alt=media.alt)
            if media.caption and media.caption != text:
                yield media.caption
        case "audio":
            yield words("recording", caption=media.caption or "—")
            yield words("transcript", text=media.transcript)
        case "card":
            yield from _card(media.data)
        case "chart":
            yield words("chart", title=media.data["title"])
            yield from (f"  {point['label']}  {point['value']}" for point in media.data["points"])
        case "pacer":
            parts = ((part, media.data[part]) for part in _PARTS if media.data[part])
            yield " · ".join(words("breath", part=words.of("breaths", part), seconds=count) for part, count in parts)


def _card(data: Mapping[str, Any]) -> Iterator[str]:
    yield f"┌ {data['title']}"
    for line in (str(data.get("text") or "")).splitlines():
        yield f"│ {line}"
    for item in data.get("items", ()):
        yield f"│ - {item}"
