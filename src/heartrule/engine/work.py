"""The working copy of one turn: the state as it becomes, and what is to be written down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal

from heartrule.engine import topic_plan
from heartrule.engine.session.events import Event, Marker, QueueChanged
from heartrule.engine.session.io import Message, World
from heartrule.engine.session.media import Media
from heartrule.engine.session.state import ActionFrame, PhaseFrame, State, TopicFrame
from heartrule.engine.session.turn_parts import Flags, Models, Schedule, TurnFindings
from heartrule.engine.session.variables import GLOBAL, SESSION, ScopeKey, Variables
from heartrule.language.nodes import Action, Phase, Skill, Topic, VariableRules
from heartrule.language.texts.visible import visible

SPOKEN_FALLBACK = "……"
SAFETY = "safety"
"""The project whose topics speak fixed words and are read by rules only, whether or not a model is configured; but for
techniques that are ``led``."""


@dataclass(slots=True)
class Work:
    """One turn being worked out. Made anew, from the world, each time the turn is worked out again. What is noted on
    the way stands in its parts (``session/turn_parts.py``)."""

    world: World
    state: State
    variables: Variables
    messages: list[Message] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    findings: TurnFindings = field(default_factory=TurnFindings)
    models: Models = field(default_factory=Models)
    schedule: Schedule = field(default_factory=Schedule)
    flags: Flags = field(default_factory=Flags)
    exit: dict[str, str] = field(default_factory=dict)
    defined: dict[object, tuple[ScopeKey, VariableRules | None]] = field(default_factory=dict)
    """What names mean (``engine/variables/definitions.py``), by the place where they are read: a turn asks some seventy
    times for a dozen."""
    recorded: list[dict[str, Any]] | None = None
    """Where writes are noted down that are put off (``engine/variables/deferred_writes.py``)."""
    memories: Variables = field(default_factory=Variables)
    branches: dict[str, None] = field(default_factory=dict)
    """The ways that this turn took where the script has several, in the order in which they were come to."""

    @classmethod
    def of(cls, world: World) -> Work:
        state = State.model_validate_json(world.state.model_dump_json())
        return cls(world=world, state=state, variables=world.variables.copy(), memories=world.memories.copy())

    # where we are

    @property
    def running(self) -> TopicFrame:
        assert self.state.running is not None
        return self.state.running

    @property
    def frame(self) -> ActionFrame:
        """The running action's frame."""
        action = self.running.action
        assert action is not None
        return action

    @property
    def phase_frame(self) -> PhaseFrame:
        assert self.state.phase is not None
        return self.state.phase

    @property
    def phase(self) -> Phase:
        return self.world.script.session.phases[self.phase_frame.index]

    def body(self, frame: TopicFrame | None = None) -> Topic | Skill | None:
        """The topic or skill that a frame runs, with the actions of its actual plan; None when the script no longer
        has it."""
        frame = frame or self.running
        node = self.script_node(frame)
        return node if node is None or frame.plan is None else topic_plan.body(node, frame.ref, frame.plan)

    def action_at(self, index: int, frame: TopicFrame | None = None) -> Action | None:
        """The action that stands there in what a frame (else the running one) runs; None when the script no longer has
        it."""
        body = self.body(frame) if frame is not None or self.state.running is not None else None
        return body.actions[index] if body is not None and index < len(body.actions) else None

    def script_node(self, frame: TopicFrame) -> Topic | Skill | None:
        """The same as the script has it."""
        if frame.kind == "skill":
            return self.world.script.skills.get(frame.ref)
        return topic_of(self.phase, frame.ref)

    @property
    def model(self) -> bool:
        """Whether the running topic may use the model."""
        running = self.state.running
        return self.world.model and (running is None or running.project != SAFETY or self.led)

    @property
    def led(self) -> bool:
        """Whether a technique of the safety project is running in which a model speaks."""
        running = self.state.running
        if running is None or running.project != SAFETY or not self.world.model:
            return False
        skill = self.world.script.skills.get(running.ref)
        return skill is not None and skill.led

    def chain(self) -> tuple[ScopeKey, ...]:
        """Scopes that can be seen from here, inner first."""
        inner: list[ScopeKey] = []
        if self.state.running is not None:
            inner.append(("topic", self.state.running.key))
        if self.state.phase is not None:
            inner.append(("phase", self.state.phase.key))
        return (*inner, SESSION, GLOBAL)

    def key(self, letter: str) -> str:
        """A name no other frame of this session has."""
        self.state.keys += 1
        return f"{letter}{self.state.keys}"

    def task_key(self, name: str) -> str:
        return self.models.key(name)

    # what happens

    def emit(self, event: Event) -> None:
        self.events.append(event)
        if self.world.observer is not None:
            self.world.observer(self, event)

    def tell(
        self,
        text: str,
        *,
        choice: bool = False,
        form: bool = False,
        action: str | None = None,
        media: tuple[Media, ...] = (),
    ) -> int:
        """Say something to the person. ``form``: a form is shown with it, or read out. Returns the message's number."""
        card = any(each.kind == "card" for each in media)
        kind = "choice" if choice else "form" if form else "card" if card else "text"
        return self._add("ai", visible(text).strip(), kind, action, media=media)

    def receive(self, text: str, *, withheld: bool = False, choice: bool = False) -> int:
        return self._add("person", text, "choice" if choice else "text", None, withheld)

    def note(self, text: str) -> int:
        """A remark about the session itself, which nobody says."""
        return self._add("system", text.strip(), "text", None)

    def speak(self, text: str, name: str) -> int:
        """A counsellor's own words."""
        return self._add("human", text, "text", None, name=name)

    def _add(
        self,
        sender: str,
        text: str,
        kind: str,
        action: str | None,
        withheld: bool = False,
        name: str = "",
        media: tuple[Media, ...] = (),
    ) -> int:
        self.state.messages += 1
        self.messages.append(
            Message(
                number=self.state.messages,
                sender=sender,  # type: ignore[arg-type]
                text=text,
                at=self.world.now,
                content_type=kind,  # type: ignore[arg-type]
                action=action,
                withheld=withheld,
                name=name,
                media=media,
            )
        )
        return self.state.messages

    def withhold(self) -> None:
        """Mark this turn's words of the person as not to be read for extraction."""
        self.messages = [
            Message(m.number, m.sender, m.text, m.at, m.content_type, m.action, withheld=True)
            if m.sender == "person"
            else m
            for m in self.messages
        ]

    def spoken(self, key: str, turn: int | None = None) -> str:
        """One of the scheme's own sentences; variants take turns."""
        known = self.world.spoken
        variants = (
            known.get(key) or known.get("not_understood" if key.startswith("repair_") else "") or (SPOKEN_FALLBACK,)
        )
        return variants[(self.state.seq if turn is None else turn) % len(variants)]

    def requeue(self, cause: str, change: Callable[[PhaseFrame], None]) -> None:
        """Change the topic queue, recording what it was and became."""
        with self.rescheduling(cause):
            change(self.phase_frame)

    @contextmanager
    def rescheduling(self, cause: str) -> Iterator[None]:
        """Record what was planned, put aside and running before and after."""
        before, aside, running = self._schedule()
        yield
        after, aside_now, running_now = self._schedule()
        if (before, aside) != (after, aside_now):
            self.emit(
                QueueChanged(
                    cause=cause,
                    before=before,
                    after=after,
                    running_before=running,
                    running_after=running_now,
                    suspended_before=aside,
                    suspended_after=aside_now,
                )
            )

    def _schedule(self) -> tuple[list[str], list[str], str | None]:
        running = self.state.running
        planned = [planned.ref for planned in self.phase_frame.queue] if self.state.phase else []
        return planned, [frame.ref for frame in self.state.suspended], running.ref if running else None

    def mark(self, topic: TopicFrame, edge: Literal["before", "after"], outcome: str = "") -> None:
        """The boundary of the action that ``topic`` stands at."""
        frame = topic.action
        assert frame is not None
        self.emit(
            Marker(
                action=frame.id,
                edge=edge,
                phase=self.phase_frame.id,
                topic=topic.ref,
                topic_key=topic.key,
                index=frame.index,
                type=frame.type,
                round=frame.round,
                message=self.state.messages,
                write=self.state.writes,
                outcome=outcome,
            )
        )

    def elapsed(self, name: str) -> float | None:
        """Seconds since the session or the phase began."""
        begun = self.state.started_at
        if name == "phase":
            begun = self.state.phase.entered_at if self.state.phase else None
        if begun is None:
            return None
        return max(0.0, (self.world.now - begun) / timedelta(seconds=1))

    def transcript(self) -> list[Message]:
        """The window of the conversation, this turn's messages included."""
        return [*self.world.history, *self.messages]


def topic_of(phase: Phase, ref: str) -> Topic | None:
    """A topic of this phase by the id (or, without one, the name) that a frame remembers."""
    return phase.topics.get(ref)


def identity(node: Topic | Phase) -> str:
    """A node's id, or its name while it has none."""
    return node.id or (node.topic if isinstance(node, Topic) else node.phase)
