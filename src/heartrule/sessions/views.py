"""What sessions show to whoever drives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from heartrule.engine import takeover_end
from heartrule.engine.session.io import Request, Turn
from heartrule.engine.session.state import Choice, Scale, State
from heartrule.engine.work import identity
from heartrule.language.compiling.script import Script
from heartrule.language.lengths import length
from heartrule.sessions import forms
from heartrule.sessions.session_status import Life
from heartrule.store.records import (
    HumanRecord,
    MessageRecord,
    SessionRecord,
    StoreError,
    TurnRecord,
    VariableRecord,
)

TAKEN_BACK, REWOUND = "taken_back", "rewound"
"""Under these names the outcome of the turn that takes messages back says which, and whether all that came of them."""
ExecutionStatus = Literal["completed", "waiting_input", "error"]


class NoSuchSession(StoreError):
    """There is no session of this id, or it has been erased."""


class Closed(StoreError):
    """The session has ended or is archived: it can be read, and nothing can be added."""


class CannotRestore(StoreError):
    """The session's state cannot be loaded by this version. A new one can be started that keeps messages and
    variables (``Sessions.start_over``)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished turn as its sender gets it. ``messages`` are all of this turn's, the person's own words first. ``at``
    is when its last input was accepted. ``human``: who holds the session after it. ``taken_back``: the numbers of the
    messages that it took back; ``rewound``: with all that came of them."""

    turn: int
    status: str
    messages: tuple[MessageRecord, ...]
    execution_status: ExecutionStatus
    position: Mapping[str, Any]
    exit: Mapping[str, str] = field(repr=False)
    request: Request
    progress: Mapping[str, Any] = field(repr=False)
    at: datetime | None = None
    human: HumanRecord | None = None
    taken_back: tuple[int, ...] = ()
    rewound: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A session as it stands. ``model``: a provider is configured (otherwise it runs in script mode).
    ``last_message`` is the number of the newest message, 0 when there is none."""

    session: SessionRecord
    life: Life
    messages: tuple[MessageRecord, ...]
    last_message: int
    request: Request
    position: Mapping[str, Any]
    progress: Mapping[str, Any] = field(repr=False)
    variables: tuple[VariableRecord, ...]
    model: bool


@dataclass(frozen=True, slots=True)
class Why:
    """A decision of the recent past and what it rests on."""

    turn: int
    kind: str
    action: str | None
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)


def position_of(state: State) -> dict[str, Any]:
    """Where the session stands: script ids and numbers only. ``danger_open``: the crisis technique was left with danger
    not ruled out, and nothing has ruled it out since, or danger was told to the human who holds the session; absent
    otherwise."""
    position: dict[str, Any] = {"phase": None, "topic": None, "action": None}
    if state.handled.open or takeover_end.told_a_human(state):
        position["danger_open"] = True
    if state.quiet is not None:
        position["quiet"] = True
    if state.ended_in:
        position["topic"] = {"index": 0, "id": state.ended_in, "kind": "skill"}
    if state.phase is not None:
        position["phase"] = {"index": state.phase.index, "id": state.phase.id}
    if state.running is not None:
        done = len(state.phase.finished) if state.phase else 0
        position["topic"] = {"index": done, "id": state.running.ref, "kind": state.running.kind}
        frame = state.running.action
        if frame is not None:
            position["action"] = {"index": frame.index, "id": frame.id}
            position |= {
                "action_type": frame.type,
                "current_round": frame.round,
                "max_rounds": frame.max_rounds,
            }
    return position


def progress_of(script: Script, state: State) -> dict[str, Any]:
    """How far the session has come, phase by phase, with the milestones reached. A phase that depends on a condition
    is shown once it has been entered: until then nobody knows whether it comes. It is not counted, so that the number
    of steps stays what it was; ``minutes_left`` goes by those that are."""
    current = None if state.ended else state.phase.id if state.phase else identity(script.session.phases[0])
    shown = []
    for phase in script.session.phases:
        name = identity(phase)
        done = name in state.left and name != current
        if done or name == current or phase.condition is None:
            counted = phase.condition is None
            shown.append(
                {"id": name, "name": phase.phase, "done": done, "current": name == current, "counted": counted}
            )
    return {
        "phases": shown,
        "milestones": list(state.milestones),
        "minutes_left": None if state.ended else _minutes_left(script, shown),
    }


def _minutes_left(script: Script, shown: Sequence[Mapping[str, Any]]) -> int | None:
    """Of the time that the script says it takes, the share of the steps that are not behind."""
    whole = length(script.session.duration or "")
    counted = [each for each in shown if each["counted"]]
    if whole is None or not counted:
        return None
    behind = sum(1 for each in counted if each["done"])
    share = (len(counted) - behind) / len(counted)
    return max(1, round(whole.total_seconds() / 60 * share)) if share else None


def request_data(request: Request) -> dict[str, Any]:
    form = {"form": forms.request_data(request.form)} if request.form is not None else {}
    more: dict[str, Any] = {"offers": list(request.offers)} if request.offers else {}
    if request.scale is not None:
        more["scale"] = request.scale.model_dump(mode="json")
    return {"kind": request.kind, "choices": [choice.model_dump() for choice in request.choices], **form, **more}


def _request(data: Mapping[str, Any]) -> Request:
    form = forms.request_of(data["form"]) if "form" in data else None
    return Request(
        data["kind"],
        tuple(Choice(**choice) for choice in data["choices"]),
        form,
        offers=tuple(data.get("offers", ())),
        scale=Scale.model_validate(data["scale"]) if "scale" in data else None,
    )


def outcome_data(script: Script, status: str, turn: Turn) -> dict[str, Any]:
    """What is kept of how a turn ended, for whoever asks for it again."""
    held = turn.state.human
    human = {"id": held.id, "name": held.name, "since": held.since.isoformat()} if held is not None else None
    return {
        **({"human": human} if human is not None else {}),
        "status": status,
        "execution_status": turn.status,
        "position": position_of(turn.state),
        "exit": dict(turn.exit),
        "request": request_data(turn.request),
        "progress": progress_of(script, turn.state),
    }


def outcome_of(record: TurnRecord) -> Outcome:
    data = record.outcome
    return Outcome(
        turn=record.seq,
        status=data["status"],
        messages=record.messages,
        execution_status=data["execution_status"],
        position=data["position"],
        exit=data["exit"],
        request=_request(data["request"]),
        progress=data["progress"],
        at=record.at,
        human=_human(data.get("human")),
        taken_back=tuple(data.get(TAKEN_BACK, ())),
        rewound=data.get(REWOUND, False),
    )


def _human(data: Mapping[str, str] | None) -> HumanRecord | None:
    return None if data is None else HumanRecord(data["id"], data["name"], datetime.fromisoformat(data["since"]))


def latest(messages: Sequence[MessageRecord]) -> int:
    """The number of the newest message, 0 when there is none."""
    return messages[-1].number if messages else 0


def moment(value: datetime) -> str:
    return value.isoformat()
