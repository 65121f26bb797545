"""What counsellors on duty are answered with."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from heartrule.identity.principal import Role
from heartrule.server.shapes import Count, FormResult, FormShape, SessionShape, Shape

Reason = Literal["escalated", "crisis", "taken_over"]


class OnDuty(Shape):
    """Who asks. ``role``: as it stands on record; ``name``: what persons are shown. ``projects``: whose sessions they
    may see; ``*``: all. ``here``: they have said that they are there, and persons who ask for a human are told so.
    ``absent_minutes``: so long after they went off duty, or gave a last sign of life, what they hold goes back to the
    program."""

    id: str
    name: str
    role: str
    roles: list[Role]
    projects: list[str]
    here: bool
    absent_minutes: float


class WakeSettings(Shape):
    """Whether this browser is woken by Web Push when somebody is needed and no page is open. ``key``: what it
    subscribes with (``applicationServerKey``, base64url); None where this server sends none."""

    key: str | None
    on: bool


class Holder(Shape):
    """The counsellor who holds a session; ``me``: it is the one who asks."""

    id: str
    name: str
    since: datetime
    me: bool


class Called(Shape):
    zh: str
    en: str


class PersonShape(Shape):
    """A person as they are told apart at the desk: the same in all their sessions, and nothing of theirs. ``hue``: of a
    colour, in degrees."""

    key: str
    pseudonym: Called
    hue: Annotated[int, Field(ge=0, le=359)]


class SeenShape(Shape):
    """Who looked last when; ``me``: the one who asks."""

    id: str
    name: str
    at: datetime
    me: bool


class Colleague(Shape):
    """``here``: there for persons who ask for a human; ``online``: at a page of the desk. ``holds``: so many
    sessions."""

    id: str
    name: str
    here: bool
    online: bool
    holds: Count
    me: bool


class AssignedTo(Shape):
    id: str
    name: str
    me: bool


class AssignmentShape(Shape):
    to: AssignedTo
    by: str
    at: datetime
    note: str


class HandOverShape(Shape):
    """Left for the next shift."""

    by: str
    at: datetime
    note: str


class DeskItem(Shape):
    """A session in the list, without a word of what was said. ``reasons``: why somebody may be needed; ``since``: when
    the first of them arose; ``urgent``: nobody holds it who could help. ``escalations``: how many nobody has
    acknowledged. ``waiting_since``: the person has written and the human who holds the session has not answered.
    ``unread``: messages of theirs since you looked last. What counsellors wrote with it is shown."""

    id: str
    project: str
    script: str
    name: str
    locale: str
    status: Literal["created", "active", "away", "suspended", "interrupted", "ended", "archived"]
    created_at: datetime
    last_active_at: datetime
    ended_at: datetime | None
    turn: Count
    person: PersonShape
    reasons: list[Reason]
    since: datetime | None
    urgent: bool
    holder: Holder | None
    escalations: Count
    waiting_since: datetime | None
    last_person_at: datetime | None
    unread: Count
    seen: list[SeenShape]
    tags: list[str]
    assigned: AssignmentShape | None
    handover: HandOverShape | None
    notes: Count


class DeskList(Shape):
    """Those that wait for somebody first, the longest waiting before the others. ``more``: there are others."""

    sessions: list[DeskItem]
    more: bool = False


class Colleagues(Shape):
    colleagues: list[Colleague]


class NoteShape(Shape):
    id: str
    session: str
    text: str
    by: AssignedTo
    at: datetime
    edited_at: datetime | None


class NoteList(Shape):
    """``earlier``: of other sessions of the same person that whoever asks may see."""

    notes: list[NoteShape]
    earlier: list[NoteShape]


class Tags(Shape):
    tags: list[str]


class CannedShape(Shape):
    """``filled``: with what stands for its placeholders in this session. ``mine``: you may change it; those of the
    organisation all may."""

    id: str
    title: str
    text: str
    filled: str
    locale: str
    shared: bool
    mine: bool


class HoursShape(Shape):
    """When a counsellor means to be there. ``since`` and ``until``: the present or next time."""

    id: str
    who: AssignedTo
    days: list[int]
    date: str | None
    start: str
    end: str
    zone: str
    since: datetime
    until: datetime


class RotaShape(Shape):
    """What comes first stands first; what is over is left out."""

    hours: list[HoursShape]


class CannedList(Shape):
    canned: list[CannedShape]


class Hit(Shape):
    """Words that were looked for, with what stands round them; in a ``message``, or in a ``note``."""

    session: str
    message: int | None
    note: str | None
    at: datetime
    sender: str
    before: str
    match: str
    after: str
    item: DeskItem


class Hits(Shape):
    """``complete``: everything was looked at."""

    hits: list[Hit]
    complete: bool


class DoneDeed(Shape):
    """What you did. ``item``: null where the session is no more."""

    at: datetime
    what: str
    detail: str | None
    session: str
    item: DeskItem | None


class ShiftShape(Shape):
    """``waiting``: nobody holds them; ``handover``: left by the shift before; ``done``: of the last twelve hours."""

    now: datetime
    colleagues: list[Colleague]
    waiting: list[DeskItem]
    mine: list[DeskItem]
    assigned: list[DeskItem]
    handover: list[DeskItem]
    done: list[DoneDeed]


class Waited(Shape):
    """Seconds from a call to its acknowledgement."""

    count: Count
    p50: float | None
    p95: float | None
    longest: float | None


class OfDay(Shape):
    day: str
    calls: Count
    taken_over: Count


class FiguresShape(Shape):
    """``cleared``: by reason; ``ended``: by a counsellor; ``vanished``: given back since one gave no sign of life;
    ``open``: calls that nobody has acknowledged."""

    days: Count
    calls: Count
    acknowledged: Count
    open: Count
    taken_over: Count
    handed_back: Count
    ended: Count
    vanished: Count
    cleared: dict[str, Count]
    waiting: Waited
    by_day: list[OfDay]


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
    """A session as a counsellor sees it who has opened it, which stands on record. ``next``: what is done on handing it
    back, unless something else is asked for."""

    project: str
    next: Literal["on", "wait"]
    holder: Holder | None
    crisis: bool
    escalations: list[OpenedEscalation]
    item: DeskItem


class Hello(Shape):
    """The first event of the desk's stream."""

    now: datetime


class ItemChanged(Shape):
    """``item``: null where the session is no more."""

    session: str
    item: DeskItem | None


class AlertShape(Shape):
    """``crisis``, ``escalated``: somebody is needed; ``assigned``: by a colleague, to you; ``message``: the person of a
    session that you hold has written."""

    session: str
    kind: Literal["crisis", "escalated", "assigned", "message"]
    at: datetime
