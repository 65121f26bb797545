"""Cassettes: answers of a real model kept in a JSON file by prompt hash, so that tests run on real traffic and offline.

For tests and demonstrations only: a cassette holds prompts and answers in the clear.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from heartrule.llm.provider import Heard, NeverDegrade, Provider, Reply, Request

_DIFF_LINES = 40
_COMPARED = 20_000


class NotRecorded(NeverDegrade):
    """The cassette has no answer for this prompt. ``difference``: the lines of a unified diff from the nearest recorded
    prompt to this one; none when nothing is recorded."""

    def __init__(self, cassette: Path, told: str, difference: tuple[str, ...] = ()) -> None:
        self.cassette, self.difference = cassette, difference
        super().__init__("\n".join([told, *difference]))


class RecordedProvider:
    """Replays ``cassette``. With ``source`` it records instead: what is not on the cassette is asked there and kept.

    The file is ``{hash: {"messages": [[role, text], …], "schema": …, "temperature": …, "reply": {…}}}``, written
    after every new answer, keys sorted so that changes read well in a diff. Faults are never recorded.
    """

    def __init__(self, cassette: Path, source: Provider | None = None) -> None:
        self._path = cassette
        self._source = source
        self._tape: dict[str, dict[str, Any]] = _load(cassette)
        self._heard: set[str] = set()

    @property
    def name(self) -> str:
        return f"recorded:{self._path.stem}"

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        """What is replayed is heard in one piece."""
        kept = self._tape.get(request.hash)
        self._heard.add(request.hash)
        if kept is None:
            if self._source is None:
                raise self._missing(request)
            reply = await self._source.complete(request, heard)
            self._tape[request.hash] = _entry(request, reply)
            self._save()
            return reply
        try:
            reply = Reply(**kept["reply"])
        except (KeyError, TypeError):
            raise NotRecorded(
                self._path, f"{self._path.name}: the entry {request.hash[:12]} is not well-formed"
            ) from None
        if heard is not None and reply.text:
            heard(reply.text)
        return reply

    async def aclose(self) -> None:
        if self._source is not None:
            await self._source.aclose()

    def forget(self) -> int:
        """Take what nobody has asked for since this began off the cassette. Returns how much that was."""
        gone = [each for each in self._tape if each not in self._heard]
        for each in gone:
            del self._tape[each]
        if gone:
            self._save()
        return len(gone)

    def _save(self) -> None:
        """Whole or not at all: written beside the file and moved over it."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self._tape, ensure_ascii=False, indent=1, sort_keys=True)
        draft = self._path.with_suffix(".part")
        draft.write_text(f"{text}\n", encoding="utf-8")
        draft.replace(self._path)

    def _missing(self, request: Request) -> NotRecorded:
        head = f"{self._path.name} has no answer for prompt {request.hash[:12]}"
        if not self._tape:
            return NotRecorded(self._path, f"{head}; the cassette is empty or missing, record it first")
        wanted = _shown(_entry(request, Reply("")))
        near = max(self._tape, key=lambda each: _likeness(_shown(self._tape[each]), wanted))
        lines = list(
            difflib.unified_diff(
                _shown(self._tape[near]).splitlines(),
                wanted.splitlines(),
                f"recorded {near[:12]}",
                "asked",
                lineterm="",
                n=1,
            )
        )
        more = [f"… {len(lines) - _DIFF_LINES} more lines"] if len(lines) > _DIFF_LINES else []
        return NotRecorded(self._path, f"{head}; the nearest one differs in:", (*lines[:_DIFF_LINES], *more))


def _entry(request: Request, reply: Reply) -> dict[str, Any]:
    return {
        "messages": [[message.role, message.text] for message in request.messages],
        "schema": request.schema,
        "temperature": request.temperature,
        "reply": asdict(reply),
    }


def _shown(entry: Mapping[str, Any]) -> str:
    """An entry as lines that can be compared."""
    said = [f"[{role}]\n{text}" for role, text in entry.get("messages", [])]
    schema = json.dumps(entry.get("schema"), ensure_ascii=False, indent=1, sort_keys=True)
    return "\n".join([*said, f"[schema]\n{schema}", f"[temperature]\n{entry.get('temperature')}"])


def _likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one[:_COMPARED], other[:_COMPARED], autojunk=False).quick_ratio()


def _load(path: Path) -> dict[str, dict[str, Any]]:
    if not path.exists():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise NotRecorded(path, f"{path.name} is not JSON") from None
    if not isinstance(found, dict):
        raise NotRecorded(path, f"{path.name} is not a cassette")
    return found
