"""The requests of the API, one function each. What they are answered with is their ``shape``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import quote, urlencode

from pydantic import TypeAdapter

from heartrule.server import shapes

T = TypeVar("T")
Reason = Literal["not_heard", "hurtful", "wrong", "unsafe", "other"]
A_TURN = 90.0
"""Seconds: a turn takes 20 at most, and waits for the one before it."""
USUAL = 30.0


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """``again``: asking twice does no more than asking once. ``seconds`` from the sending to the last byte of the
    answer, or to the first of one that is ``live``: a stream that goes on until somebody has had enough."""

    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    shape: TypeAdapter[T] | None
    token: str | None = field(default=None, repr=False)
    body: Mapping[str, Any] | None = field(default=None, repr=False)
    query: Mapping[str, Any] = field(default_factory=dict)
    again: bool = True
    seconds: float = USUAL
    live: bool = False

    @property
    def target(self) -> str:
        given = {name: value for name, value in self.query.items() if value is not None}
        return f"/api/v1{self.path}" + (f"?{urlencode(given)}" if given else "")


ABOUT = TypeAdapter(shapes.About)
SCRIPTS = TypeAdapter(list[shapes.ScriptShape])
CREATED = TypeAdapter(shapes.CreatedSession)
SESSIONS = TypeAdapter(shapes.SessionList)
SESSION = TypeAdapter(shapes.SessionShape)
MESSAGES = TypeAdapter(shapes.MessageList)
TURN = TypeAdapter(shapes.Turn)
STOPPING = TypeAdapter(shapes.StopOutcome)
REPORT = TypeAdapter(shapes.ReportShape)
REPORTS = TypeAdapter(shapes.ReportList)
RECOVERY = TypeAdapter(shapes.Recovery)


def about(locale: str | None) -> Call[shapes.About]:
    return Call("GET", "/about", ABOUT, query={"locale": locale})


def scripts() -> Call[list[shapes.ScriptShape]]:
    return Call("GET", "/scripts", SCRIPTS)


def create(
    script: str,
    token: str | None,
    *,
    variables: Mapping[str, Any] | None = None,
    locale: str | None = None,
    memory: bool | Mapping[str, Any] = True,
    debug_level: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    zone: str | None = None,
) -> Call[shapes.CreatedSession]:
    """Asked twice it makes two sessions, so it is not asked again where the first may have been heard."""
    options: dict[str, Any] = {} if memory is True else {"memory": memory}
    options |= {"debug_level": debug_level} if debug_level else {}
    body: dict[str, Any] = {"script": script}
    given = {"variables": variables, "locale": locale, "options": options, "metadata": metadata, "zone": zone}
    body |= {name: value for name, value in given.items() if value}
    return Call("POST", "/sessions", CREATED, token, body, again=False)


def sessions(token: str, *, limit: int | None = None, before: str | None = None) -> Call[shapes.SessionList]:
    return Call("GET", "/sessions", SESSIONS, token, query={"limit": limit, "before": before})


def session(session_id: str, token: str) -> Call[shapes.SessionShape]:
    return Call("GET", at(session_id), SESSION, token)


def messages(
    session_id: str, token: str, *, after: int | None = None, before: int | None = None, limit: int | None = None
) -> Call[shapes.MessageList]:
    query = {"after": after, "before": before, "limit": limit}
    return Call("GET", at(session_id, "/messages"), MESSAGES, token, query=query)


def turn(
    session_id: str,
    token: str,
    key: str,
    given: Mapping[str, Any],
    *,
    after: int | None = None,
    follows: str | None = None,
) -> Call[shapes.Turn]:
    body: dict[str, Any] = {"key": key, "input": dict(given)}
    body |= {} if after is None else {"after": after}
    body |= {} if follows is None else {"follows": follows}
    return Call("POST", at(session_id, "/turns"), TURN, token, body, seconds=A_TURN)


def stop(session_id: str, token: str) -> Call[shapes.StopOutcome]:
    return Call("POST", at(session_id, "/stop"), STOPPING, token)


def recall(session_id: str, token: str, key: str, message: int) -> Call[shapes.Turn]:
    body = {"key": key, "message": message}
    return Call("POST", at(session_id, "/recall"), TURN, token, body, seconds=A_TURN)


def report(
    session_id: str, token: str, message: int, reason: Reason, text: str | None = None
) -> Call[shapes.ReportShape]:
    body: dict[str, Any] = {"message": message, "reason": reason}
    return Call("POST", at(session_id, "/reports"), REPORT, token, body | ({"text": text} if text else {}))


def reports(session_id: str, token: str) -> Call[shapes.ReportList]:
    return Call("GET", at(session_id, "/reports"), REPORTS, token)


def pause(session_id: str, token: str, key: str) -> Call[shapes.SessionShape]:
    return Call("POST", at(session_id, "/pause"), SESSION, token, {"key": key}, seconds=A_TURN)


def resume(session_id: str, token: str, key: str) -> Call[shapes.Turn]:
    return Call("POST", at(session_id, "/resume"), TURN, token, {"key": key}, seconds=A_TURN)


def end(session_id: str, token: str, key: str) -> Call[shapes.Turn]:
    return Call("POST", at(session_id, "/end"), TURN, token, {"key": key}, seconds=A_TURN)


def recovery(session_id: str, token: str) -> Call[shapes.Recovery]:
    return Call("POST", at(session_id, "/recovery"), RECOVERY, token)


def start_over(session_id: str, token: str) -> Call[shapes.CreatedSession]:
    return Call("POST", at(session_id, "/start-over"), CREATED, token, again=False)


def events(session_id: str, token: str, last: int | None) -> Call[None]:
    return Call("GET", at(session_id, "/events"), None, token, query={"last_event_id": last}, live=True)


def at(session_id: str, rest: str = "") -> str:
    return f"/sessions/{quote(session_id, safe='')}{rest}"
