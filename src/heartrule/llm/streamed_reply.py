"""A reply while it is being written: what it decides first, then its sentences, each checked before it may be shown."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from heartrule.checks.checks import Checks, Objection
from heartrule.engine.session.tasks import Context, Task
from heartrule.language.sentences import Sentences
from heartrule.language.texts.visible import visible
from heartrule.llm.partial import Partial
from heartrule.llm.reply_language import in_tongue
from heartrule.llm.shape import sieve

SAYABLE = 4_000
"""Characters beyond which nothing is meant to be said to a person: such an answer has run away."""


class StreamedReply:
    """``head``: the answer's fields before ``content``, once they are all there. ``round`` counts how often the reply
    was begun: with each beginning what was heard before counts no more. That never happens once words have been
    ``released``; they are the beginning of whatever the answer will be. ``listens``: somebody looks on; else it can
    only be stopped."""

    def __init__(self, task: Task, checks: Checks | None = None, *, listens: bool = True) -> None:
        self.task = task
        self.listens = listens
        self.changed = asyncio.Event()
        self.halted = asyncio.Event()
        self.head: Mapping[str, Any] | None = None
        self.round = 0
        self.released = ""
        self.objection: Objection | None = None
        self.stopped = False
        self._checks = checks
        self._begin()

    def _begin(self) -> None:
        self._partial = Partial()
        self._sentences = Sentences()
        self._read = 0
        self._ready = ""
        self._blanks = ""
        self._over = False
        self.raw = ""

    @property
    def latched(self) -> bool:
        """Whether words of it have been shown."""
        return bool(self.released)

    def begin(self) -> None:
        """The model is asked (again): forget what it had begun to say. Not once words have been released."""
        assert not self.latched
        self._begin()
        self.head, self.objection = None, None
        self.halted.clear()
        self.round += 1
        self.changed.set()

    def resume(self, head: Mapping[str, Any], released: str) -> None:
        """Go on from words that were shown before a crash."""
        self.head, self.released = head, released

    def stop(self) -> None:
        """The person has heard enough: what has not been shown by now is not."""
        self.stopped = True
        self._ready = ""

    def hear(self, piece: str) -> None:
        """Another piece of the answer has come. Never raises."""
        if self.halted.is_set() or self.stopped:
            return
        self.raw += piece
        self._partial.feed(piece)
        if self.head is None and self._partial.head is not None and not self._partial.lost:
            head, _ = sieve(self._partial.head, self.task.schema)
            if not _due(self.task) <= head.keys():
                self._partial.lost = True
            else:
                self.head = head
                self.changed.set()
        if self.head is not None and not self._over:
            self._listen()

    def _listen(self) -> None:
        """Take the sentences that are complete by now."""
        content = visible(self._partial.content)
        found = self._sentences.feed(content[self._read :])
        self._read = len(content)
        if self._partial.closed and self._sentences.rest:
            found.append(self._sentences.rest)
            self._sentences = Sentences()
        for sentence in found:
            before = self.released + self._ready
            problem = objection(sentence, before, self.task.context, self._checks)
            if problem is not None and is_manner(problem) and before:
                self._over = True
            elif problem is not None and not self._over:
                self.objection = problem
                self.halted.set()
            if self._over or problem is not None:
                break
            self._add(sentence)
        if found:
            self.changed.set()

    def _add(self, sentence: str) -> None:
        """Blanks at the end wait for what follows: whether anything does is not known yet."""
        words = sentence.rstrip()
        if not words:
            self._blanks += sentence
            return
        lead = self._blanks if self.released or self._ready else ""
        self._ready += lead + (words if lead or self.released or self._ready else words.lstrip())
        self._blanks = sentence[len(words) :]

    @property
    def ready(self) -> str:
        """Words that may be shown and have not been."""
        return self._ready

    def release(self, size: int) -> str:
        """So many characters of what is ready are shown from now on."""
        words, self._ready = self._ready[:size], self._ready[size:]
        self.released += words
        return words


def _due(task: Task) -> set[str]:
    """The fields that must be there before ``content`` begins. Those that the schema names behind it come later."""
    named = list(task.schema.get("properties", {}))
    behind = named[named.index("content") :] if "content" in named else ["content"]
    return {*task.required, *task.schema.get("required", ())} - {*behind}


def gone_on(said: str, rest: str) -> str:
    """``said``, which ends with a sentence of which the blanks behind it may be missing, and what goes on from there:
    the two do not become one sentence."""
    if not rest.strip():
        return said
    last = len(said) + len(rest) - len(rest.lstrip())
    for separator in ("", " ", "\n"):
        at, cut = 0, Sentences()
        for sentence in cut.feed(said + separator + rest):
            at += len(sentence)
            if len(said) <= at <= last + len(separator):
                return said + separator + rest
    return f"{said}\n{rest}"


def objection(sentence: str, before: str, context: Context, checks: Checks | None) -> Objection | None:
    """Why ``sentence`` may not be shown after ``before``; None when it may."""
    said = before + sentence
    if len(said) > SAYABLE:
        return Objection("too_long", f"`content` has more than {SAYABLE} characters", "")
    if not in_tongue(said, context):
        return wrong_tongue(context)
    if checks is None or not sentence.strip():
        return None
    found = checks.objection(sentence, before) or checks.whole(said)
    return found if found is None or found.code != "locale" else None


def wrong_tongue(context: Context) -> Objection:
    return Objection("language", f"`content` must be written in {context.locale}", "")


def is_manner(found: Objection) -> bool:
    """Whether words do no harm and are only too many: the reply ends before them."""
    return found.code in MANNER


MANNER = ("questions", "length", "emoji", "markup")
