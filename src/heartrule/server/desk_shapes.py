"""What counsellors on duty are answered with."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from heartrule.server.shapes import Count, FormResult, FormShape, SessionShape, Shape

Reason = Literal["escalated", "crisis", "taken_over"]


class OnDuty(Shape):
    """Who asks. ``name`` is what persons are shown. ``projects``: whose sessions they may see; ``*``: all."""

    id: str
    name: str
    role: Literal["counselor"]
    projects: list[str]


class Holder(Shape):
    """The counsellor who holds a session; ``me``: it is the one who asks."""

    id: str
    name: str
    since: datetime
    me: bool


class DeskItem(Shape):
    """A session in the list, without a word of what was said. ``reasons``: why somebody may be needed. ``since``: when
    the first of them arose. ``escalations``: how many nobody has acknowledged."""

    id: str
    project: str
    script: str
    name: str
    locale: str
    status: Literal["created", "active", "away", "suspended", "interrupted", "ended", "archived"]
    created_at: datetime
    last_active_at: datetime
    turn: Count
    reasons: list[Reason]
    since: datetime | None
    holder: Holder | None
    escalations: Count


class DeskList(Shape):
    """Those that wait for somebody first, the longest waiting before the others."""

    sessions: list[DeskItem]


class Escalation(Shape):
    """Somebody was to be told that a person needs help. ``id`` is one of its kind in the session; ``cause`` names the
    script that noticed it, ``level`` its priority. ``status`` tells of its delivery."""

    session: str
    id: str
    to: str
    cause: str
    level: str | None
    status: str
    at: datetime
    acknowledged_by: str | None
    acknowledged_at: datetime | None


class OpenedEscalation(Escalation):
    """``note``: what the script has to say with it."""

    note: str | None


class EscalationList(Shape):
    escalations: list[Escalation]


class LeftForm(Shape):
    """A form that a script left to the counsellor. ``turn``: in which it came to it. ``audience``: whom it is for; the
    person does not see what is for the ``counselor``. ``begun``: something has been answered in it."""

    form: FormShape
    turn: Count
    audience: Literal["client", "counselor", "report"]
    begun: bool


class DoneForm(FormResult):
    filled_by: Literal["person", "counselor"]


class LeftForms(Shape):
    """``waiting``: in the order in which the script came to them. ``done``: every form that was handed in, by whomever,
    oldest first."""

    waiting: list[LeftForm]
    done: list[DoneForm]


class HandedIn(Shape):
    """``form`` with what is wrong where it was not handed in; null where it was."""

    form: FormShape | None


class DeskSession(SessionShape):
    """A session as a counsellor sees it who has opened it, which stands on record."""

    project: str
    holder: Holder | None
    crisis: bool
    escalations: list[OpenedEscalation]
