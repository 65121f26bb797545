"""What a task tells the model about the place in the script: roles, goals, variables, the transcript."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from heartrule.engine.casefile import prompt_view as casefile
from heartrule.engine.casefile import risk_picture
from heartrule.engine.session.events import Noticed, Perceived
from heartrule.engine.session.io import Message
from heartrule.engine.session.state import State
from heartrule.engine.session.tasks import Context, Line
from heartrule.engine.tasks import feedback, knowledge, manner, person_base, recollections, strategies
from heartrule.engine.variables import danger_statements, elapsed_time, topic_context
from heartrule.engine.variables.scopes import is_known, lookup, visible
from heartrule.engine.work import SAFETY, Work
from heartrule.language import placeholders
from heartrule.language.compiling.script import CRISIS, Contact
from heartrule.language.nodes import Role, Skill, Steps
from heartrule.locales import is_chinese

WINDOW = 40
"""Messages a prompt shows at most, beside those of the current block."""
BLOCK = 20
"""Old messages leave the prompt in blocks, so that its beginning stays the same for a while."""
LED = (20, 10)
"""The same two of a session that a model leads: what matters of what has left stands in its case file."""
WHOLE = (200, 40)
"""The same two for who speaks, or thinks, for the counsellor in a session that a model leads: they go by all that was
said, in the order in which it was said. It is as long as two sessions; what stays the same is cheap to read again."""


def fill(
    work: Work,
    text: str | None,
    *,
    extra: Mapping[str, str] | None = None,
    to_person: bool = False,
    unknown: str | None = None,
) -> str:
    """Placeholders filled in one pass. Where a name has no value a person sees neutral wording; in prompts it is said
    that nothing is known (in the words ``unknown``), and a name that the script does not know at all stays visible."""
    if not text:
        return ""

    def system(name: str) -> Any:
        if extra and name in extra:
            return extra[name]
        return system_value(work, name)

    def missing(placeholder: placeholders.Placeholder) -> str:
        if to_person:
            return work.spoken("missing_value", 0)
        if placeholder.kind != "script" or not is_known(work, placeholder.name):
            return placeholder.source
        return work.spoken("nothing_known", 0) if unknown is None else unknown

    def script(name: str) -> Any:
        value = lookup(work, name)
        if to_person:
            return value
        if isinstance(value, str):
            value = value.lstrip(_SEPARATORS) or None
        mark = work.world.marked
        if mark is None or value is None:
            return value
        return mark(name, placeholders.format_value(value, work.world.script.locale))

    return placeholders.fill(text, script, system, missing=missing, locale=work.world.script.locale).strip()


_SEPARATORS = "，、；,; \n"
"""What a script puts between the parts of a text that it adds to: before the first part it means nothing."""


def system_value(work: Work, name: str) -> str | None:
    """A system variable that any text of a script may read."""
    made = _SYSTEM.get(name)
    return made(work) if made is not None else topic_context.prompt_value(work, name)


def helplines(work: Work, kind: str) -> Sequence[Contact]:
    """Whom to call, of a kind: those of the country where the person's browser is, as far as it told one."""
    script = work.world.script
    listed = script.helplines_by_place.get(work.state.place, script.helplines)
    return [each for each in listed if each.kind == kind]


def _listed(work: Work, kind: str) -> str:
    left, right = ("（", "）") if is_chinese(work.world.script.locale) else (" (", ")")
    listed = ((f"{each.name} {each.number}", each.note) for each in helplines(work, kind))
    return "\n".join(whom + (f"{left}{note}{right}" if note else "") for whom, note in listed)


def _numbers(work: Work, *, talk_only: bool = False) -> str:
    """On one line; ``talk_only``: of those that one can talk to, where there are any."""
    contacts = helplines(work, CRISIS)
    whom = [each for each in contacts if each.talk or not talk_only]
    comma = "、" if is_chinese(work.world.script.locale) else ", "
    return comma.join(f"{each.name} {each.number}" for each in whom or contacts)


def _named(work: Work, told: Iterable[str]) -> str:
    """What was told of danger, each in plain words, on one line. Not in the person's: they may name a way."""
    comma = "、" if is_chinese(work.world.script.locale) else ", "
    words = (work.spoken(f"risk_told.{name}", 0) for name in told if name in danger_statements.NEAR)
    return comma.join(dict.fromkeys(words))


def _case(work: Work) -> str:
    """The case file's records; in danger also what of it is still open, and what of this place may be told."""
    return "\n".join(filter(None, (casefile.noted(work), *_in_danger(work))))


def _in_danger(work: Work) -> Iterator[str]:
    """Lines that come from the project and from code, so that no model makes up who helps and how."""
    handled, running = work.state.handled, work.state.running
    if handled.open:
        yield work.spoken("case.danger_open", 0)
    if handled.times or handled.explored or (running is not None and running.project == SAFETY):
        said = work.spoken("case.helpers", 0)
        yield said.replace("{on_duty}", _on_duty(work)).replace("{numbers}", _numbers(work))


def _on_duty(work: Work) -> str:
    """What those on duty do in danger; where none can be reached, that nobody is told."""
    return work.world.script.on_duty if "desk" in work.world.reaches else work.spoken("case.nobody_on_duty", 0)


def _of_topic(work: Work, field: str) -> str:
    body = work.body() if work.state.running else None
    return getattr(body, field) if body else ""


def _of_phase(work: Work, field: str) -> str:
    return getattr(work.phase, field) if work.state.phase is not None else ""


def _of_action(state: State, field: str) -> str:
    frame = state.running.action if state.running else None
    value = getattr(frame, field) if frame else None
    return "" if value is None else str(value)


def moment(work: Work) -> str:
    """Date, time and day of the week: people say "tomorrow after work"."""
    now = work.world.now
    return f"{now:%Y-%m-%d %H:%M} {work.spoken('weekdays', now.weekday())}"


_SYSTEM: Mapping[str, Callable[[Work], str]] = {
    "time": moment,
    "who": lambda work: role_name(work, "ai"),
    "user": lambda work: role_name(work, "person"),
    "crisis_contacts": lambda work: _listed(work, "crisis"),
    "danger_contacts": lambda work: _listed(work, "danger"),
    "emergency_contacts": lambda work: _listed(work, "emergency"),
    "crisis_numbers": _numbers,
    "crisis_helpline": lambda work: _numbers(work, talk_only=True),
    "topic_goal": lambda work: _of_topic(work, "goal"),
    "topic_name": lambda work: _of_topic(work, "name"),
    "phase_goal": lambda work: _of_phase(work, "goal"),
    "phase_name": lambda work: _of_phase(work, "phase"),
    "session_goal": lambda work: work.world.script.session.goal,
    "session_name": lambda work: work.world.script.session.session,
    "current_round": lambda work: _of_action(work.state, "round"),
    "max_rounds": lambda work: _of_action(work.state, "max_rounds"),
    "monitor_feedback": feedback.prompt_line,
    "memory": recollections.prompt_part,
    "case_file": casefile.whole,
    "chat_history": lambda work: "\n".join(f"{line.speaker}: {line.text}" for line in lines(work)),
    "risk_picture": risk_picture.report,
    "risk_told": lambda work: _named(work, danger_statements.quotes(work)),
    "on_duty": _on_duty,
}


SHOWN_AHEAD = 80
"""Characters of the script's next words that a prompt shows."""


def ahead(work: Work) -> str:
    """What the script will say next, as far as nothing has to be decided for it: so that the model leaves it to the
    script. Empty where that is not known."""
    frame, body = work.state.running, work.body() if work.state.running else None
    if frame is None or frame.action is None or body is None:
        return ""
    for action in body.actions[frame.action.index + 1 :]:
        text = action.peek("question") or (action.peek("content") if action.traits.talks else None)
        words = fill(work, text, unknown="…")
        if words and action.condition is None:
            return clipped(words)
    return ""


def clipped(text: str) -> str:
    """On one line, and no longer than prompts show of the script's next words."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_AHEAD else f"{line[:SHOWN_AHEAD]}…"


def role_name(work: Work, role: str) -> str:
    """A role's name: the script's own variable (seed 003) first, then ``roles``, then the scheme's word."""
    own = lookup(work, "咨询师名" if role == "ai" else "用户名")
    if isinstance(own, str) and own:
        return own
    given: Role | None = work.world.script.roles.get(role)
    return given.name if given else work.spoken(f"role_{role}", 0)


def shown(work: Work) -> list[Message]:
    """The messages that prompts show, old ones dropped in blocks."""
    return _newest(work.transcript(), *(LED if _led(work) else (WINDOW, BLOCK)))


def _led(work: Work) -> bool:
    return work.world.script.session.led and work.world.model


def _newest(messages: list[Message], window: int, block: int) -> list[Message]:
    if not messages:
        return []
    last = messages[-1].number
    start = 0 if last <= window + block else (last - window) // block * block
    return [message for message in messages if message.number > start]


def lines(work: Work) -> tuple[Line, ...]:
    """The transcript as prompts show it; of a picture also what the script shows it for."""
    return _lines(work, shown(work))


def earlier(work: Work) -> tuple[Line, ...]:
    """What has left the window, for those who go by the whole of a session that a model leads."""
    if not _led(work):
        return ()
    whole = _newest(work.transcript(), *WHOLE)
    return _lines(work, whole[: len(whole) - len(shown(work))])


def _lines(work: Work, messages: Sequence[Message]) -> tuple[Line, ...]:
    return tuple(Line(speaker=m.sender, text=m.text + _shown_for(work, m)) for m in messages)


def _shown_for(work: Work, message: Message) -> str:
    if not message.media:
        return ""
    words = work.spoken("shown_for", 0)
    return "".join(
        words.replace("{alt}", each.alt).replace("{purpose}", each.purpose) for each in message.media if each.purpose
    )


def shared(work: Work, variables: Mapping[str, str] | None = None) -> Context:
    """The context all tasks of this moment have in common; ``variables`` are added to the script's. Made once for the
    tasks that are asked side by side."""
    if variables:
        return _context(work, variables)
    moment = _moment(work)
    if work.models.told is None or work.models.told[0] != moment:
        work.models.told = (moment, _context(work, {}))
    return work.models.told[1]


def is_current(work: Work, context: Context) -> bool:
    """Whether a prompt with this context, asked now, would read as it did."""
    return work.models.told is not None and work.models.told[1] is context and work.models.told[0] == _moment(work)


def _moment(work: Work) -> object:
    """Changes whenever anything does that a prompt may show: whatever happens leaves an event, but for rounds. That
    words were looked at is no change: what came of it leaves one of its own."""
    running = work.state.running
    frame = running.action if running else None
    where = (running.key, frame.index, frame.round) if running and frame else running and running.key
    happened = sum(not isinstance(event, _LOOKED) for event in work.events)
    return happened, len(work.messages), work.state.writes, where


_LOOKED = (Noticed, Perceived)


def strategy_of(work: Work, body: Steps) -> str:
    """How a topic goes about it, in one text."""
    held = body.strategy
    if isinstance(held, str):
        return fill(work, held)
    notes, enough = fill(work, held.notes), fill(work, held.min_completeness_requirement)
    return f"{notes} {work.spoken('completeness', 0)}{enough}".strip() if enough else notes


def _parameters(work: Work, body: Steps) -> str:
    """What a technique was called with, as far as it says what that is."""
    if not isinstance(body, Skill):
        return ""
    told = [(each, fill(work, f"{{{each.name}}}", unknown="")) for each in body.parameters if each.define]
    rows = [f"{each.name}（{each.define}）：{value}" for each, value in told if value]
    return work.spoken("given", 0) + "；".join(rows) if rows else ""


_PLACE = ("topic_attempts", "suspended_because", "completed_topics", "planned_topics")


def _pressed(work: Work) -> str:
    return work.spoken("time_short", 0) if elapsed_time.short(work) else ""


def _context(work: Work, variables: Mapping[str, str]) -> Context:
    script, state = work.world.script, work.state
    body = work.body() if state.running else None
    role = script.roles.get("ai")
    values = {
        "who": role_name(work, "ai"),
        "user": role_name(work, "person"),
        "tone": role.tone if role else "",
        "domain": script.project.domain_in(script.locale),
        "project_instructions": fill(work, script.project.instructions_in(script.locale)),
        "session_instructions": fill(work, script.session.instructions),
        "session_name": script.session.session,
        "session_goal": fill(work, script.session.goal),
        "knowledge": knowledge.prompt_part(work),
        "person": person_base.prompt_line(work),
        "phase_name": work.phase.phase if state.phase else "",
        "phase_goal": fill(work, work.phase.goal) if state.phase else "",
        "phase_instructions": fill(work, work.phase.instructions) if state.phase else "",
        "topic_name": body.name if body else "",
        "topic_goal": fill(work, body.goal) if body else "",
        "strategy": f"{strategy_of(work, body)} {_parameters(work, body)}".strip() if body else "",
        "time": moment(work),
        "date": f"{work.world.now:%Y-%m-%d} {work.spoken('weekdays', work.world.now.weekday())}",
        "hour": str(work.world.now.hour),
        "strategy_prompt": " ".join(filter(None, (_pressed(work), strategies.prompt_line(work)))),
        **{name: topic_context.prompt_value(work, name) or "" for name in _PLACE},
        "memory": recollections.prompt_part(work),
        "manner": manner.prompt_line(work),
        "case": _case(work) if script.session.led else "",
    }
    shown = {
        name: placeholders.format_value(value, script.locale)
        for name, value in visible(work).items()
        if value is not None
    }
    shown |= variables
    scheme = script.session.template_scheme or script.project.template_scheme
    return Context(
        scheme=scheme, locale=script.locale, values=values, variables=shown, history=lines(work), earlier=earlier(work)
    )


_NOTES = re.compile(r"^\s*【[^】\n]{1,40}】", re.MULTILINE)


def without_notes(content: str) -> str:
    """An ``ai_say`` content as it may be spoken: without the author's notes, which begin at a 【…】 heading."""
    found = _NOTES.search(content)
    return (content[: found.start()] if found else content).strip()
