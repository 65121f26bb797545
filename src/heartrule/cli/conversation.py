"""A session held line by line: show what was said, read a line, take it, until the session has ended."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from enum import IntEnum
from uuid import uuid4

from heartrule import logs
from heartrule.cli.commands import COMMANDS, Desk, End, Leave
from heartrule.cli.conversation_ui import ConversationUI, Due, Line
from heartrule.cli.form_prompt import COMMANDS as FORM_COMMANDS
from heartrule.cli.form_prompt import FormDialog
from heartrule.cli.options import picked
from heartrule.cli.streamed_output import StreamedOutput
from heartrule.cli.terminal_session import TerminalSession, TurnListener
from heartrule.cli.words import Words
from heartrule.engine.session.io import FormRequest, Request
from heartrule.language.projects.project import SAFETY
from heartrule.sessions import CannotRestore, Closed, NoSuchSession, Outcome
from heartrule.sessions.forms import encode_answers
from heartrule.store.records import Entry, MessageRecord

PAUSES_BEFORE_TRYING_AGAIN = (0.2, 1.0)
"""Seconds, where nobody is there to be asked."""
SHOWN_AGAIN = 6
"""Messages of the past that are shown when a session goes on."""

Turn = Callable[[TurnListener], Outcome]


class Result(IntEnum):
    """Exit codes of ``heartrule chat``."""

    COMPLETED = 0
    FAILED = 1
    UNFINISHED = 3


class Stopped(Exception):
    """A line could not be taken and nobody is there to try again."""


class Conversation:
    def __init__(self, held: TerminalSession, front: ConversationUI, words: Words) -> None:
        self._held = held
        self._front = front
        self._words = words
        self._desk = Desk(held, front, words)
        self._aloud = StreamedOutput(front, words)
        self._request = Request("message")
        self._filling = FormDialog(words)
        self._seen = 0
        self._seen_before = 0
        self._pending: Turn | None = None
        self._ending = False
        self._topic = ""

    @property
    def in_crisis(self) -> bool:
        """Whether the session stands in a technique of the project ``safety``."""
        return self._topic.startswith(f"{SAFETY}/")

    def hold(self, *, resumed: bool = False) -> Result:
        """From the first turn, or from where the session stands, to its end or until the person leaves. Raises
        ``CannotRestore``, ``Closed`` and ``NoSuchSession``: trying again does not help."""
        try:
            self._turn(self._come_back if resumed else self._held.start, 0)
            while self._request.kind != "none" or self._pending:
                self._round()
        except Leave:
            return Result.UNFINISHED
        except Stopped:
            return Result.FAILED
        self._front.note(self._words("completed"))
        return Result.COMPLETED

    def _come_back(self, hearing: TurnListener) -> Outcome:
        """What was waiting to be worked out is; then the last words are shown again, in their order."""
        outcome = self._held.take(Entry(key=_key("resume"), kind="resume"))
        messages = [message for message in self._held.view().messages if message.turn <= outcome.turn]
        self._front.note(self._words("resumed"))
        self._front.say(messages[-SHOWN_AGAIN:])
        self._seen = max((message.number for message in messages), default=0)
        return outcome

    def _round(self) -> None:
        asked = self._offer() if not self._pending else self._request
        due = self._held.due()
        try:
            line = self._front.read(asked, due[1] if due else None)
        except Due:
            if due:
                self._turn(self._taking(Entry(key=f"timer {due[0].isoformat()}", kind="timer")), 0)
            return
        if line is None:
            if not self._front.patient:
                self._front.note(self._words("input_ended"))
            raise Leave
        if self._pending and not self._try_again(line):
            return
        self._take(line)

    def _offer(self) -> Request:
        """What may be picked now; of a form, the question that it has come to."""
        asked = self._request
        if asked.form is not None:
            question, asked = self._filling.question()
            self._front.note(question)
        self._front.offer(asked)
        return asked

    def _try_again(self, line: Line) -> bool:
        """Sends once more what could not be taken; whether ``line`` is to be looked at as well."""
        if self._pending is None or line.text.strip() in COMMANDS:
            return True
        self._turn(self._pending, line.number)
        return self._pending is None and bool(line.text.strip())

    def _take(self, line: Line) -> None:
        name = line.text.strip()
        if name in COMMANDS and line.text.startswith("/"):
            self._command(name, line)
        elif line.text.startswith("/") and self._front.patient and not self._is_of_form(name):
            self._front.note(self._words("unknown_command", command=name.split()[0]))
        elif self._request.form is not None and not line.early:
            self._fill(self._request.form, line)
        elif name or self._request.kind == "press":
            self._ending = False
            self._turn(self._taking(self._entry(line)), line.number)

    def _is_of_form(self, name: str) -> bool:
        return self._request.form is not None and name in FORM_COMMANDS

    def _fill(self, form: FormRequest, line: Line) -> None:
        """A line below a question of a form. What is no answer to it is said, as anywhere else."""
        self._ending = False
        sent = self._filling.take(line.text)
        if sent.kind == "note":
            if sent.note:
                self._front.note(sent.note)
        elif sent.kind == "message":
            self._turn(self._taking(self._entry(line)), line.number)
        else:
            text = encode_answers(form.key, sent.values)
            self._turn(self._taking(Entry(key=_key("form"), kind=sent.kind, text=text)), line.number)

    def _command(self, name: str, line: Line) -> None:
        try:
            COMMANDS[name](self._desk)
        except End:
            if self._ending or not self._front.patient:
                self._turn(self._taking(Entry(key=_key("end"), kind="end")), line.number)
            else:
                self._ending = True
                self._front.note(self._words("end_again"))

    def _entry(self, line: Line) -> Entry:
        """What a line means, given what was on the screen when it was typed."""
        key = _key("line")
        if line.early:
            return Entry(key=key, kind="message", text=line.text, after=self._seen_before)
        choices = self._request.choices
        pressed = self._request.kind == "press" and not line.text.strip()
        choice = choices[0] if pressed and choices else picked(line.text, choices)
        if choice is not None:
            return Entry(key=key, kind="choice", choice=choice.value, after=self._seen)
        return Entry(key=key, kind="message", text=line.text, after=self._seen)

    def _taking(self, entry: Entry) -> Turn:
        """The same key whenever it is tried again, so that a line counts once."""
        return lambda hearing: self._held.take(entry, hearing)

    def _turn(self, turn: Turn, number: int) -> None:
        for pause in (*(() if self._front.patient else PAUSES_BEFORE_TRYING_AGAIN), None):
            try:
                with self._front.thinking():
                    outcome = turn(self._aloud)
                    missed = self._missed(outcome)
            except (CannotRestore, Closed, NoSuchSession):
                self._aloud.end()
                raise
            except Exception as error:
                self._aloud.end()
                if pause is not None:
                    time.sleep(pause)
                    continue
                self._failed(turn, number, logs.fault(error))
            else:
                self._pending = None
                self._show(outcome, missed)
            return

    def _failed(self, turn: Turn, number: int, reference: str) -> None:
        if self._front.patient:
            self._pending = turn
            self._front.note(self._words("line_failed", reference=reference))
        else:
            key = "line_in_doubt" if number else "turn_in_doubt"
            self._front.note(self._words(key, number=number, reference=reference))
            raise Stopped

    def _missed(self, outcome: Outcome) -> list[MessageRecord]:
        """What was said on this session elsewhere, at another terminal, between what stands here and ``outcome``; not
        what it took over from an older session."""
        first = min((message.number for message in outcome.messages), default=None)
        if first is not None and first <= self._seen + 1:
            return []
        return [
            message
            for message in self._held.view().messages
            if message.number > self._seen
            and 0 < message.turn <= outcome.turn
            and (first is None or message.number < first)
        ]

    def _show(self, outcome: Outcome, missed: Sequence[MessageRecord]) -> None:
        """An answer goes with what its writer has seen: ``_seen`` counts nothing that was not shown."""
        spoken = [message for message in outcome.messages if message.sender != "person" and message.number > self._seen]
        if missed:
            begun = [message for message in spoken if self._aloud.begun(message)]
            self._aloud.say(begun)
            spoken = [message for message in spoken if message not in begun]
            self._front.note(self._words("said_elsewhere"))
            self._front.say(missed)
        self._aloud.say(spoken)
        self._seen_before = self._seen
        self._seen = max((message.number for message in (*missed, *outcome.messages)), default=self._seen)
        self._request = outcome.request
        if outcome.request.form is not None:
            for told in self._filling.goes_on(outcome.request.form):
                self._front.note(told)
        self._topic = str((outcome.position.get("topic") or {}).get("id", ""))


def _key(kind: str) -> str:
    return f"{kind}-{uuid4().hex}"
