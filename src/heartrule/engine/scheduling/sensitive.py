"""Topics that may be hard to talk about (``sensitive``): announced before their first action, in the scheme's own
words, and the person decides whether they are talked about now, later in the phase, or not at all.

Asked once for a topic in a phase, whatever its passes and instances; once more where it was put off. A technique is
announced wherever it is called, unless it is the safety project's or called for P0: nothing stands between a person in
danger and help.
"""

from __future__ import annotations

from heartrule import parsing
from heartrule.engine import topic_plan
from heartrule.engine.action_types import registry
from heartrule.engine.installed_types import traits_of
from heartrule.engine.scheduling import phase_queue, topics
from heartrule.engine.session.events import Announced, TopicChanged
from heartrule.engine.session.io import World
from heartrule.engine.session.state import Cause, Choice, PlannedAction, PlannedTopic, TopicFrame
from heartrule.engine.variables.definitions import lookup
from heartrule.engine.work import SAFETY, Work, identity
from heartrule.language.nodes import Skill, Topic
from heartrule.parsing.murmurs import is_bare
from heartrule.parsing.yes_no import read_yes_no

GO_ON, LATER, SKIP = "go_on", "later", "skip"
PUT_OFF, LEFT_OUT = Cause(kind="put off by the person"), "left out by the person"
_ID = "sensitive"
_PARTICLES = "吧啊呀哦嘛呢"


def due(work: Work) -> bool:
    """Whether the running topic, which is about to begin, is announced first."""
    frame, node = work.running, work.script_node(work.running)
    if node is None or not node.sensitive or frame.next or frame.passes > 1 or _is_for_safety(work.world, frame):
        return False
    return work.phase_frame.announced.get(_key(frame)) != GO_ON


def is_ahead(work: Work, topic: Topic) -> bool:
    """Whether a topic that has not begun would be announced: nobody can say whether it is gone into."""
    if not topic.sensitive:
        return False
    here = work.state.phase is not None and any(each is topic for each in work.phase.steps)
    return not here or work.phase_frame.announced.get(f"topic {identity(topic)}") != GO_ON


def _is_for_safety(world: World, frame: TopicFrame) -> bool:
    caller = world.script.awareness.get(frame.awareness or "")
    return frame.project == SAFETY or (caller is not None and caller.priority == "P0")


def _key(frame: TopicFrame) -> str:
    return f"{frame.kind} {frame.ref}"


def agreed(work: Work) -> None:
    """The running topic is gone into without having been announced: the session begins in it."""
    node = work.script_node(work.running)
    if node is not None and node.sensitive:
        work.phase_frame.announced[_key(work.running)] = GO_ON


def put(work: Work) -> None:
    """Stand the announcement before the topic's actions."""
    frame, node = work.running, work.script_node(work.running)
    if node is not None:
        plan = frame.plan if frame.plan is not None else topic_plan.as_written(node)
        frame.plan = [PlannedAction(id=_ID, changes={"type": _announcement()}), *plan]


# what is said and heard


def question(work: Work) -> str:
    node = work.script_node(work.running)
    key = "sensitive_again" if _was_put_off(work) else "sensitive"
    return work.spoken(key, 0).replace("{topic}", node.name if node is not None else work.running.name)


def choices(work: Work) -> tuple[Choice, ...]:
    """``LATER`` only where there is one: something else comes first in the phase, and it was not put off before."""
    values = (GO_ON, LATER, SKIP) if _may_wait(work) else (GO_ON, SKIP)
    return tuple(Choice(value=value, label=work.spoken(f"sensitive_{value}", 0)) for value in values)


def explained(work: Work, key: str, time: int) -> str:
    """What the announcement means, or why it is made, in other words than its own."""
    node = work.script_node(work.running)
    return work.spoken(key, time).replace("{topic}", node.name if node is not None else work.running.name)


def hesitates(text: str) -> bool:
    """Whether the words are a sound or a shrug, or trail off: nobody has agreed by them."""
    return is_bare(text) or "…" in parsing.normalise(text)


def meant(work: Work, text: str, repair: str | None, *, plainly: bool = False) -> str | None:
    """The choice that words make, as with any choice; the scheme's further words for each count as well. Who would
    rather speak of it later, where there is no later, leaves it out. Nobody agrees by a murmur, but to a plain question
    of yes or no (``plainly``)."""
    if plainly and read_yes_no(text) is True:
        return GO_ON
    offered = [(choice.value, choice.label) for choice in choices(work)]
    picked = _in_other_words(work.world, text) or parsing.match_choice(text, offered, work.world.script.locale)
    if picked is None:
        picked = SKIP if repair in ("skip", "stop") else GO_ON if read_yes_no(text) is True else None
    if picked == GO_ON and hesitates(text):
        return None
    return SKIP if picked == LATER and not _may_wait(work) else picked


def is_worded(world: World, text: str) -> bool:
    """Whether the words are, whole, one of the scheme's for a choice."""
    return _in_other_words(world, text) is not None


def _in_other_words(world: World, text: str) -> str | None:
    said = parsing.fold(parsing.normalise(text)).casefold()
    forms = {said, said.rstrip(_PARTICLES)} - {""}
    for value in (GO_ON, LATER, SKIP):
        if forms & {parsing.fold(each).casefold() for each in world.spoken.get(f"sensitive_{value}", ())}:
            return value
    return None


def record(work: Work, choice: str = "", *, by_words: bool = False) -> None:
    """Record the announcement (no ``choice``), or what was decided."""
    frame = work.running
    offered = [each.value for each in choices(work)]
    work.emit(Announced(topic=frame.ref, topic_key=frame.key, offered=offered, choice=choice, by_words=by_words))


def _was_put_off(work: Work) -> bool:
    return work.phase_frame.announced.get(_key(work.running)) == LATER


def _may_wait(work: Work) -> bool:
    """Whether something else comes before the end of the phase, and nothing hangs on its being done now."""
    frame, aside = work.running, work.state.suspended
    others = [p for p in work.phase_frame.queue if p.timing != "after_phase" and p.ref != frame.ref]
    if _was_put_off(work) or not (others or aside):
        return False
    if frame.kind == "topic":
        return True
    return not frame.returns and not frame.awareness and not (aside and _is_used(work, aside[-1]))


def _is_used(work: Work, caller: TopicFrame) -> bool:
    """Whether the caller goes on with what the technique finds."""
    action = caller.action
    return action is not None and traits_of(action.type).calls and _hangs_on(work, caller)


def _hangs_on(work: Work, caller: TopicFrame) -> bool:
    """Whether a technique is called once for each item, or in the place of what is left of its caller."""
    call = work.action_at(caller.action.index, caller) if caller.action is not None else None
    return call is None or call.peek("for_each") is not None or call.peek("resume") == "skip"


# what is decided


def decided(work: Work, choice: str) -> bool:
    """Carry out what the person has chosen, now that the announcement has ended. Whether the topic is left out."""
    frame = work.running
    node = work.script_node(frame)
    plan = (frame.plan or [])[1:]
    frame.plan = None if node is None or plan == topic_plan.as_written(node) else plan
    frame.next = 0
    work.phase_frame.announced[_key(frame)] = choice
    if choice == LATER:
        _put_off(work, frame, node)
    elif choice == SKIP:
        _leave_others(work, frame)
    return choice == SKIP


def _put_off(work: Work, frame: TopicFrame, node: Topic | Skill | None) -> None:
    """Plan it anew, with its other instances, behind all that the phase has planned."""
    names = [parameter.name for parameter in node.parameters] if isinstance(node, Skill) else []
    given = {name: lookup(work, f"topic.{name}") for name in names}
    planned = PlannedTopic(
        key=frame.key,
        kind=frame.kind,
        ref=frame.ref,
        name=frame.name,
        priority=frame.priority,
        item=frame.item,
        params={name: value for name, value in given.items() if value is not None},
        cause=PUT_OFF,
        timing="after_phase" if frame.kind == "skill" else None,
    )
    with work.rescheduling(str(PUT_OFF)):
        queue = work.phase_frame.queue
        others = [each for each in queue if _is_instance_of(each, frame)]
        for each in others:
            each.urgent, each.over, each.resume = False, None, "after"
        rest = [each for each in queue if each not in others]
        at = phase_queue.before_the_end(rest)
        work.phase_frame.queue = [*rest[:at], planned, *others, *rest[at:]]
        topics.withdraw(work, frame)
    work.emit(TopicChanged(key=frame.key, ref=frame.ref, state="planned", cause=str(PUT_OFF)))


def _leave_others(work: Work, frame: TopicFrame) -> None:
    """What was asked once for all instances is decided for all: those of a topic, and the further calls of a technique
    that is called once for each item."""
    others = [each for each in work.phase_frame.queue if _is_instance_of(each, frame)]
    if others:
        phase_queue.leave(work, others, LEFT_OUT)
    caller = work.state.suspended[-1] if frame.kind == "skill" and work.state.suspended else None
    if caller is not None and caller.action is not None:
        registry()[caller.action.type].left_out(caller.action)


def _is_instance_of(planned: PlannedTopic, frame: TopicFrame) -> bool:
    return frame.item is not None and planned.item is not None and planned.ref == frame.ref


def _announcement() -> str:
    """The type of action that a sensitive topic begins with."""
    return next(name for name, kind in registry().items() if kind.traits.announces)
