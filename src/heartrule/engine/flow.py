"""Running on: from action to action, topic to topic, phase to phase, until the session waits or ends."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace

from heartrule.engine import branches, exits
from heartrule.engine.action_types import registry
from heartrule.engine.asking import ask_rounds
from heartrule.engine.awareness import alerts, crisis, hook_points, pending_notices
from heartrule.engine.dialogue import exit_policy, quick_replies, script_media
from heartrule.engine.dialogue.fixed_wording import acknowledgement, puts_a_question, way_back
from heartrule.engine.installed_types import traits_of
from heartrule.engine.memory import memory_writes, retrieval
from heartrule.engine.repair import conflict_question
from heartrule.engine.scheduling import budgets, instances, phase_queue, sensitive, topics
from heartrule.engine.scheduling.foresight import TOPIC_END, TOPIC_START
from heartrule.engine.session.events import AskedFor, Fault, Milestone, PhaseChanged
from heartrule.engine.session.io import Rest
from heartrule.engine.session.moves import Step
from heartrule.engine.session.state import ActionFrame, Cause, PhaseFrame, PlannedTopic, TopicFrame, Wait
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.session.variables import GLOBAL, SESSION
from heartrule.engine.tasks import feedback, strategies
from heartrule.engine.tasks.conditions import first_holding, truth_with
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.variables import scopes
from heartrule.engine.work import Work, identity, topic_of
from heartrule.language.lengths import length
from heartrule.language.nodes import Action, Phase, Repeat, Skill, Topic, Transition
from heartrule.language.nodes.conditions import expressions

Flow = Generator[tuple[Task, ...] | Rest, Mapping[str, Answer], None]

STEPS = 4_000
"""Actions, topics and phases that one turn may pass without waiting; more is a loop that never waits."""
SAID = 50
"""Messages that one turn may say to the person."""
TASKS = 100
"""Questions that one turn may ask the model."""
JUMPS = 100
"""Times that one target may be jumped to in a session."""


def begin(work: Work, values: Mapping[str, object]) -> None:
    """Open the session: its scope, its declared variables, what its starter brought along."""
    session = work.world.script.session
    work.state.started_at = work.world.now
    scopes.open_scope(work, GLOBAL, (), "session")
    scopes.open_scope(work, SESSION, session.declare, "session")
    for name, value in values.items():
        scopes.write(work, name, value, strategy="set", source="start")


def run_on(work: Work) -> Flow:
    """Go on until the session waits for the person or has ended."""
    while not work.state.ended:
        work.schedule.steps += 1
        much = _too_much(work)
        if much:
            work.emit(Fault(what=f"{much} without waiting"))
            work.tell(work.spoken("fault", 0))
            exits.end(work, exits.LOOP)
            return
        feedback.used(work)
        yield from hook_points.behind(work)
        if work.state.ended:
            return
        if pending_notices.act(work):
            continue
        if work.state.phase is None:
            yield from _next_phase(work, 0)
        elif work.state.running is None:
            yield from _next_topic(work)
        elif work.state.running.action is not None and work.state.running.action.wait is not None:
            conflict_question.put(work)
            return
        else:
            yield from _next_action(work)


def _too_much(work: Work) -> str:
    """What this turn has done more of than any script means it to; nothing as a rule."""
    if work.schedule.steps > STEPS:
        return f"more than {STEPS} steps"
    if work.models.number > TASKS:
        return f"more than {TASKS} questions to the model"
    if sum(message.sender == "ai" for message in work.messages) > SAID:
        return f"more than {SAID} messages"
    return ""


# phases


def _next_phase(work: Work, index: int) -> Flow:
    """Enter the first phase from ``index`` on whose condition holds; none: the session has ended."""
    phases = work.world.script.session.phases
    while index < len(phases):
        phase = phases[index]
        place = identity(phase)
        if (yield from branches.decide(work, phase.condition, f"phase {place}", place)):
            enter_phase(work, index, phase)
            return
        work.emit(PhaseChanged(id=place, state="skipped", cause="condition"))
        index += 1
    exits.end(work, "completed")


def enter_phase(work: Work, index: int, phase: Phase) -> None:
    """Begin a phase: its scope, and its topics planned."""
    work.state.phase = PhaseFrame(key=work.key("p"), index=index, id=identity(phase), entered_at=work.world.now)
    work.emit(PhaseChanged(id=identity(phase), state="entered"))
    scopes.open_scope(work, ("phase", work.state.phase.key), phase.declare, identity(phase))
    work.requeue("phase", lambda frame: frame.queue.extend(phase_queue.plan(work, phase.steps)))


def _end_phase(work: Work) -> Flow:
    phase = work.phase
    if phase.milestone:
        name = fill(work, phase.milestone, to_person=True)
        if name not in work.state.milestones:
            work.state.milestones.append(name)
        work.emit(Milestone(name=name))
    place = identity(phase)
    chosen = yield from _transition(work, phase.transitions, f"after phase {place}", place)
    if chosen is not None and (yield from _jump(work, chosen, phases_first=True)):
        return
    index = work.phase_frame.index
    exits.leave_phase(work, "ended")
    yield from _next_phase(work, index + 1)


def _transition(
    work: Work, transitions: list[Transition], where: str, place: str
) -> Generator[tuple[Task, ...], Mapping[str, Answer], str | None]:
    chosen = yield from first_holding(work, [t.condition for t in transitions], where)
    branches.come_to(work, place, transitions, chosen)
    return None if chosen is None else transitions[chosen].to


def _jump(
    work: Work, target: str, *, phases_first: bool = False
) -> Generator[tuple[Task, ...] | Rest, Mapping[str, Answer], bool]:
    """Go to a topic of this phase, to a phase, or to the end. False when there is no such place, or the same jump has
    been made too often. Where a topic and a phase have one name, a topic's transition means the topic."""
    if target == "end":
        exits.end(work, "transition")
        return True
    count = work.state.jumps.get(target, 0) + 1
    work.state.jumps[target] = count
    if count > JUMPS:
        work.emit(Fault(what=f"jumped to {target} more than {JUMPS} times"))
        return False
    phases = work.world.script.session.phases
    topic = next((i for i, each in enumerate(work.phase.steps) if target in (each.id, each.topic)), None)
    phase = next((i for i, each in enumerate(phases) if target in (each.id, each.phase)), None)
    if topic is not None and not (phases_first and phase is not None):
        phase_queue.jump(work, topic, target)
        return True
    if phase is not None:
        exits.leave_phase(work, f"jump to {target}")
        yield from _next_phase(work, phase)
        return True
    work.emit(Fault(what=f"no topic or phase {target} to go to"))
    return False


# topics


def _next_topic(work: Work) -> Flow:
    phase, aside = work.phase_frame, work.state.suspended
    budgets.drop_planned(work)
    urgent = bool(phase.queue) and phase.queue[0].urgent
    if aside and not urgent and not (aside[-1].gives_way and phase.queue):
        yield from _resume(work)
        return
    if phase.then is not None and not urgent and (not phase.queue or phase.queue[0].timing != "after_topic"):
        target, phase.then = phase.then, None
        if (yield from _jump(work, target)):
            return
    if not phase.queue:
        yield from _end_phase(work)
        return
    yield from _begin(work, phase.queue[0])


def _begin(work: Work, planned: PlannedTopic) -> Flow:
    """Begin what is planned next, where it may."""
    if (yield from _left_out(work, planned)):
        return
    work.requeue("scheduled", lambda frame: frame.queue.__delitem__(0))
    if planned.kind == "topic" and not (yield from _may_begin(work, planned)):
        return
    for frame in work.state.suspended:
        frame.gives_way = False
    topics.start(work, planned)
    if planned.kind == "topic":
        yield from hook_points.crossed(work, TOPIC_START)


def _may_begin(work: Work, planned: PlannedTopic) -> Generator[tuple[Task, ...], Mapping[str, Answer], bool]:
    """Whether a topic runs now: it is there, is no list of its own items, and its condition holds."""
    topic = topic_of(work.phase, planned.ref)
    if topic is None:
        topics.skipped(work, planned, "no longer in the script")
        return False
    if instances.expand(work, planned, topic):
        return False
    if instances.vanished(work, planned, topic):
        topics.skipped(work, planned, "item vanished")
        return False
    work.schedule.considered = planned
    place = branches.topic_place(work.phase_frame.id, planned.ref, skill=False)
    runs = yield from branches.decide(work, topic.condition, f"topic {planned.ref}", place)
    work.schedule.considered = None
    if not runs:
        topics.skipped(work, planned, "condition")
    return runs


def _left_out(work: Work, planned: PlannedTopic) -> Generator[tuple[Task, ...], Mapping[str, Answer], bool]:
    """Whether the technique that comes next leads to a topic that will not run, as code can tell already, whatever the
    technique finds: it is skipped with its topic."""
    topic = topic_of(work.phase, planned.to) if planned.to and not planned.returns else None
    ahead = next((each for each in work.phase_frame.queue if each.kind == "topic" and each.ref == planned.to), None)
    if topic is None or ahead is None or topic.condition is None or topic.for_each is not None:
        return False
    work.schedule.considered = ahead
    names = {name for _, each in expressions(topic.condition) for name in each.names}
    known = all(scopes.lookup(work, name) is not None for name in names)
    out = known and truth_with(work, topic.condition, {}) is False
    if out:
        place = branches.topic_place(work.phase_frame.id, ahead.ref, skill=False)
        yield from branches.decide(work, topic.condition, f"topic {ahead.ref}", place)
        phase_queue.skip(work, (ahead.ref,), "condition")
    work.schedule.considered = None
    return out


def _resume(work: Work) -> Flow:
    """The topic that was put aside last comes back, at the same action and round."""
    frame = topics.come_back(work)
    interrupted = frame.because
    back = way_back(work) if crisis.called(interrupted) else work.spoken("resume", 0)
    aside = crisis.is_aside(work.world, interrupted) or crisis.was_denied(work, interrupted)
    yield from take_up(work, "" if aside else back, again=interrupted is not None)


def take_up(work: Work, back: str, *, again: bool = True) -> Flow:
    """The running topic goes on at the same action and round, behind the words ``back``; ``again``: they stand before a
    question that is put again, too."""
    frame = work.running
    if frame.action is None:
        if back and _has_words_left(work) and not _model_words_the_return(work):
            owed = acknowledgement(work) if work.flags.acknowledge else ""
            work.flags.acknowledge = False
            work.tell("\n".join(filter(None, (owed, back))))
        return
    action = _action(work)
    if action is None:
        work.mark(frame, "after", "lost")
        frame.action = None
        return
    if frame.action.settled:
        frame.action.settled = False
        frame.unfinished = sorted({*frame.unfinished, frame.action.id})
        apply(work, ask_rounds.after_crisis(work, action.peek("output") or []))
        return
    yield from _put_back(work, action, frame.action, back if again else "")


def _put_back(work: Work, action: Action, frame: ActionFrame, lead: str) -> Flow:
    """The action goes on: behind ``lead`` where it puts its question again."""
    kind = registry()[frame.type]
    if frame.wait is None or kind.leads(work, action):
        apply(work, (yield from kind.come_back(work, action)))
        return
    step = kind.again(work, action)
    if step.say and lead:
        words = _question_alone(step.say[0]) if step.choices else step.say[0]
        step = replace(step, say=(f"{lead}\n{words}", *step.say[1:]))
    apply(work, step)


def _question_alone(words: str) -> str:
    """The last paragraph, where that asks: what was explained before it stands above still, and so do the choices."""
    last = words.strip().rpartition("\n")[2]
    return last if puts_a_question(last) else words


def _model_words_the_return(work: Work) -> bool:
    """Whether the model that leads has said the way back; where danger was near, going on is theirs to say."""
    leads = work.world.script.session.led and work.world.model
    return leads and scopes.lookup(work, "near_said") is not True


def _has_words_left(work: Work) -> bool:
    """Whether the running topic has something to say still, as far as that can be told."""
    body, frame = work.body(), work.running
    return body is not None and any(not action.traits.silent for action in body.actions[frame.next :])


def _end_topic(work: Work) -> Flow:
    frame, body = work.running, work.body()
    where, place = f"after topic {frame.ref}", branches.running(work)
    if frame.kind == "topic" and not frame.left and (yield from hook_points.crossed(work, TOPIC_END)):
        return
    repeat = body.repeat if body is not None and not frame.left else None
    if repeat is not None and not (yield from _repeated_enough(work, repeat, where, place)):
        return
    if body is not None and not (yield from branches.decide(work, body.done_when, where, place, "done_when")):
        frame.unfinished = sorted({*frame.unfinished, "done_when"})
    target: str | None = None
    if isinstance(body, Topic):
        target = yield from _transition(work, body.transitions, where, place)
    _finish(work, frame, body)
    if target is not None:
        if any(planned.timing == "after_topic" for planned in work.phase_frame.queue[:1]):
            work.phase_frame.then = target
        else:
            yield from _jump(work, target)


def _finish(work: Work, frame: TopicFrame, body: Topic | Skill | None) -> None:
    """It is over: what it found is handed on, and lists that it went through are gone through further."""
    crisis.finished(work)
    alerts.finished(work)
    handed = topics.finish(work)
    if frame.kind == "skill" and work.state.suspended and handed:
        _hand_back(work, handed)
    else:
        for name, value in handed:
            scopes.write(work, name, value, strategy="set", source=frame.ref)
    if isinstance(body, Topic):
        instances.grow(work, frame, body)
    left = topics.replaced(work, frame)
    if left is not None and isinstance(known := work.body(left), Topic):
        instances.grow(work, left, known)


def _hand_back(work: Work, handed: list[tuple[str, object]]) -> None:
    """Write a skill's returns in its caller's place."""
    caller = work.state.running = work.state.suspended[-1]
    for name, value in handed:
        scopes.write(work, name, value, strategy="set", source=caller.action.id if caller.action else caller.ref)
    work.state.running = None


def _repeated_enough(
    work: Work, repeat: Repeat, where: str, place: str
) -> Generator[tuple[Task, ...], Mapping[str, Answer], bool]:
    frame = work.running
    if (yield from branches.decide(work, repeat.until, where, place, "repeat")):
        return True
    if repeat.max is not None and frame.passes >= repeat.max:
        frame.unfinished = sorted({*frame.unfinished, "repeat"})
        return True
    frame.passes += 1
    topics.attempt(work, frame)
    frame.next = 0
    topics.as_written(work, frame)
    return False


# actions


def _action(work: Work) -> Action | None:
    """The script's action that the running frame stands at."""
    frame = work.running.action
    action = work.action_at(frame.index) if frame is not None else None
    return action if action is not None and frame is not None and action.type == frame.type else None


def present_action(work: Work) -> Action | None:
    """The action that is waiting, as the script has it; None when the script no longer does."""
    return _action(work) if work.state.running and work.state.running.action else None


def _next_action(work: Work) -> Flow:
    frame, body = work.running, work.body()
    if body is None:
        work.emit(Fault(what=f"{frame.ref} is no longer in the script"))
        topics.drop(work, frame, "no longer in the script")
        work.state.running = None
        return
    if frame.action is not None:
        _resume_stranded(work)
        return
    if sensitive.due(work):
        sensitive.put(work)
        body = work.body() or body
    if frame.next >= len(body.actions):
        yield from _end_topic(work)
        return
    index = frame.next
    action = body.actions[index]
    name = action.id or f"{frame.ref}#{index + 1}"
    place = branches.action_place(branches.running(work), frame.ref, name)
    if not (yield from branches.decide(work, action.condition, f"action {name}", place)):
        frame.next = index + 1
        return
    if (yield from hook_points.crossed(work, f"before {action.type}")):
        return
    frame.action = ActionFrame(index=index, id=name, type=action.type, entered_at=work.world.now)
    work.mark(work.running, "before")
    retrieval.entered(work, action)
    step = yield from registry()[action.type].enter(work, action)
    if step.wait:
        budgets.shorten(work)
        crisis.put(work, name)
    apply(work, step)
    if step.risk:
        crisis.call(work, Cause(kind="risk variable of", ref=name))


def put_again(work: Work, lead: str = "") -> None:
    """The waiting action's question once more, behind ``lead`` where there is one."""
    action = present_action(work)
    if action is not None and work.frame.wait is not None:
        step = registry()[action.type].again(work, action)
        first = "\n".join(filter(None, (lead, *step.say[:1])))
        apply(work, replace(step, say=(first, *step.say[1:])) if first else step)


def _resume_stranded(work: Work) -> None:
    """An action that neither waits nor has ended: its call has gone; it ends."""
    work.emit(Fault(what="an action was left without a wait", action=work.frame.id))
    apply(work, Step(done=True, outcome="refused"))


def apply(work: Work, step: Step, *, silent: bool = False) -> None:
    """Do what an action's step says. ``silent``: its words are held back, because something more urgent comes first."""
    if step.call:
        return
    if not silent:
        _say(work, step)
        work.flags.acknowledge = work.flags.acknowledge or step.acknowledge
    if step.done:
        _end_action(work, step)
    else:
        _wait(work, step, silent=silent)


def _end_action(work: Work, step: Step) -> None:
    frame = work.frame
    exit_policy.ended(work, step.outcome)
    work.mark(work.running, "after", step.outcome)
    memory_writes.ended(work, _action(work))
    hook_points.ended(work)
    strategies.forget(work)
    work.running.action = None
    work.running.next = frame.index + 1
    if traits_of(frame.type).announces:
        if sensitive.decided(work, step.outcome):
            exits.skip_topic(work, sensitive.LEFT_OUT)
    elif step.ends:
        exits.end(work, "ended by the person")
    elif step.leave_topic or step.pass_over:
        body = work.body()
        work.running.next = len(body.actions) if body else 0
        if step.leave_topic:
            topics.leave(work, frame.index)


def _wait(work: Work, step: Step, *, silent: bool) -> None:
    action, frame = _action(work), work.frame
    limit = length(action.timeout) if action and action.timeout and not frame.timed_out else None
    due, frame.waited = step.after or limit, True
    frame.wait = Wait(
        kind=step.wait or "message",
        since=work.world.now,
        choices=list(step.choices),
        due=work.world.now + due if due else None,
    )
    frame.asked = frame.asked if step.still else work.state.messages
    _offered(frame, [each.value for each in step.choices])
    names = registry()[action.type].asks_for(work, action) if action is not None and not silent else []
    if names:
        work.emit(AskedFor(action=frame.id, names=names))
    if action is not None and frame.wait.kind == "message" and len(names) == 1:
        frame.wait.offers, frame.wait.scale = quick_replies.offer_and_scale(work, action, names[0])


def _offered(frame: ActionFrame, choices: list[str]) -> None:
    if frame.choices != choices:
        frame.offered, frame.choices = frame.asked, choices


def _say(work: Work, step: Step) -> None:
    """The step's words, with the word of acknowledgement that is still owed where a question follows."""
    frame = work.frame
    texts = [text for text in step.say if text]
    if work.flags.acknowledge and (texts or step.wait):
        work.flags.acknowledge = False
        if not traits_of(frame.type).says:
            owed = acknowledgement(work)
            texts = [f"{owed}\n{texts[0]}", *texts[1:]] if texts else [owed]
    action = _action(work) if texts else None
    media = (*step.media, *(script_media.beside(work, action) if action is not None else ()))
    for index, text in enumerate(texts):
        form = traits_of(frame.type).offers == "form"
        work.tell(text, action=frame.id, choice=step.wait == "choice", form=form, media=media if index == 0 else ())


def say_before(work: Work, line: str) -> None:
    """Say it before the question that waits, which is put once more."""
    action = present_action(work)
    if not line or work.state.ended:
        return
    if action is None or action.traits.says == "model":
        work.tell(line)
    else:
        put_again(work, line)
