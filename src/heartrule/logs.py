"""What operators read: lines on stderr through the standard library's logging, as text or as JSON. They carry ids,
hashes, kinds and numbers; never what anybody said.

Lines that belong together have one trace id: that of the request they came from, else that of the turn.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

Format = Literal["text", "json"]
Level = Literal["debug", "info", "warning", "error"]
FORMATS: tuple[Format, ...] = ("text", "json")
LEVELS: tuple[Level, ...] = ("debug", "info", "warning", "error")
_log = logging.getLogger("heartrule")
_trace: ContextVar[str] = ContextVar("heartrule_trace", default="")
_practice: ContextVar[bool] = ContextVar("heartrule_practice", default=False)
_PARENT = re.compile(r"[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?")
_PLAIN = re.compile(r"[^\s\"=]+")


class Event:
    """What has happened, by name, and its fields. What any handler prints of it is one line."""

    def __init__(self, name: str, **fields: object) -> None:
        self.name = name
        self.fields = {key: value for key, value in fields.items() if value is not None}

    def __str__(self) -> str:
        return " ".join([self.name, *(f"{key}={_shown(value)}" for key, value in self.fields.items())])


def event(name: str, *, level: int = logging.INFO, **fields: object) -> None:
    if _log.isEnabledFor(level) and not (_practice.get() and level < logging.WARNING):
        _log.log(level, Event(name, **fields))


@contextmanager
def practice() -> Iterator[None]:
    """What happens in here is in nobody's session: only what is wrong is written down."""
    token = _practice.set(True)
    try:
        yield
    finally:
        _practice.reset(token)


def fault(error: BaseException) -> str:
    """Write down a fault of ours: its kind and where it was raised, without what it says, which may quote content. The
    reference under which it stands, for people to name."""
    reference = secrets.token_hex(4)
    _log.error(Event("fault", reference=reference, kind=_kind(error), raised=_raised(error)))
    return reference


@contextmanager
def traced(parent: str | None = None) -> Iterator[str]:
    """One trace id for all lines until the end: that of ``parent`` (a W3C ``traceparent``), else the one that holds
    already, else a new one."""
    found = _PARENT.fullmatch(parent or "")
    trace = found[1] if found else _trace.get() or secrets.token_hex(16)
    token = _trace.set(trace)
    try:
        yield trace
    finally:
        _trace.reset(token)


def write(form: Format = "text", level: Level = "info", stream: Any = None) -> None:
    """From now on to ``stream`` (stderr), instead of where it went before. Of other packages' lines only warnings, and
    of their exceptions no messages."""
    handler = _Stream(stream)
    handler.setFormatter(_Json() if form == "json" else _Text())
    root = logging.getLogger()
    for old in [each for each in root.handlers if isinstance(each.formatter, _Line)]:
        root.removeHandler(old)
    root.addHandler(handler)
    _log.setLevel(level.upper())


def unheard(loop: AbstractEventLoop, context: dict[str, Any]) -> None:
    """For ``loop.set_exception_handler``: the loop's own would print what exceptions say."""
    if isinstance(error := context.get("exception"), BaseException):
        fault(error)


class _Stream(logging.Handler):
    """To ``stream``, or to what is stderr at the time. A line that cannot be written is lost, and nothing is said of
    it: the library would print what was to be written."""

    def __init__(self, stream: Any = None) -> None:
        super().__init__()
        self._stream = stream

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(Exception):
            stream = self._stream or sys.stderr
            stream.write(self.format(record) + "\n")
            stream.flush()


class _Line(logging.Formatter):
    def event(self, record: logging.LogRecord) -> Event:
        """Lines of other packages become one too."""
        if isinstance(record.msg, Event):
            return record.msg
        error = record.exc_info[1] if record.exc_info else None
        told = {"kind": _kind(error), "raised": _raised(error)} if error is not None else {}
        return Event("message", text=record.getMessage(), **told)


class _Text(_Line):
    def format(self, record: logging.LogRecord) -> str:
        found = self.event(record)
        fields = {**found.fields, "trace": _trace.get() or None}
        raised = fields.pop("raised", None)
        line = f"{_at(record)} {record.levelname} {record.name} {Event(found.name, **fields)}"
        return "\n".join([line, *(f"    {place}" for place in raised)]) if isinstance(raised, list) else line


class _Json(_Line):
    def format(self, record: logging.LogRecord) -> str:
        found = self.event(record)
        told = {"at": _at(record), "level": record.levelname.lower(), "logger": record.name, "event": found.name}
        trace = {"trace": _trace.get()} if _trace.get() else {}
        return json.dumps({**told, **trace, **found.fields}, ensure_ascii=False, default=str)


def _at(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _shown(value: object) -> str:
    if isinstance(value, list | tuple):
        value = " < ".join(map(str, value))
    text = f"{value:.1f}" if isinstance(value, float) else str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _kind(error: BaseException) -> str:
    return f"{type(error).__module__}.{type(error).__qualname__}"


def _raised(error: BaseException) -> list[str]:
    """Where it was raised, outermost first, and what it came of."""
    lines: list[str] = []
    current: BaseException | None = error
    while current is not None:
        if current is not error:
            lines.append(f"because of {_kind(current)}")
        lines += [f"{each.filename}:{each.lineno} {each.name}" for each in traceback.extract_tb(current.__traceback__)]
        current = current.__cause__ or current.__context__
    return lines
