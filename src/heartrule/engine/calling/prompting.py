"""What a task tells the model about the place in the script: roles, goals, variables, the transcript."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heartrule.engine.adapting import feedback, strategies
from heartrule.engine.calling import knowledge
from heartrule.engine.calling.tasks import Context, Line
from heartrule.engine.casefile import risk_picture
from heartrule.engine.casefile import shown as casefile
from heartrule.engine.io import Message
from heartrule.engine.remembering.told import told
from heartrule.engine.scheduling import budgets, topic_context
from heartrule.engine.scoping.scopes import is_known, lookup, visible
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.language.nodes import Role, Steps

WINDOW = 40
"""Messages a prompt shows at most, beside those of the current block."""
BLOCK = 20
"""Old messages leave the prompt in blocks, so that its beginning stays the same for a while."""
LED = (28, 14)
"""The same two of a session that a model leads: what matters of what has left stands in its case file."""


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
            value = value.lstrip(_JOINTS) or None
        mark = work.world.marked
        if mark is None or value is None:
            return value
        return mark(name, placeholders.format_value(value, work.world.script.locale))

    return placeholders.fill(text, script, system, missing=missing, locale=work.world.script.locale).strip()


_JOINTS = "，、；,; \n"
"""What a script puts between the parts of a text that it adds to: before the first part it means nothing."""


def system_value(work: Work, name: str) -> str | None:
    """A system variable that any text of a script may read."""
    match name:
        case "time":
            return moment(work)
        case "who" | "user":
            return role_name(work, "ai" if name == "who" else "person")
        case "crisis_contacts" | "danger_contacts" | "emergency_contacts":
            left, right = ("（", "）") if work.world.script.locale.startswith("zh") else (" (", ")")
            return "\n".join(
                f"{c.name} {c.number}" + (f"{left}{c.note}{right}" if c.note else "")
                for c in work.world.script.helplines
                if c.kind == name.removesuffix("_contacts")
            )
        case "crisis_numbers" | "crisis_helpline":
            whom = [c for c in work.world.script.contacts if c.talk or name == "crisis_numbers"]
            comma = "、" if work.world.script.locale.startswith("zh") else ", "
            return comma.join(f"{c.name} {c.number}" for c in whom or work.world.script.contacts)
        case "topic_goal" | "topic_name":
            body = work.body() if work.state.running else None
            return (body.goal if name == "topic_goal" else body.name) if body else ""
        case "phase_goal" | "phase_name":
            if work.state.phase is None:
                return ""
            return work.phase.goal if name == "phase_goal" else work.phase.phase
        case "session_goal" | "session_name":
            session = work.world.script.session
            return session.goal if name == "session_goal" else session.session
        case "current_round" | "max_rounds":
            frame = work.state.running.action if work.state.running else None
            value = (frame.round if name == "current_round" else frame.max_rounds) if frame else None
            return "" if value is None else str(value)
        case "monitor_feedback":
            return feedback.told(work)
        case "memory":
            return told(work)
        case "case_file":
            return casefile.whole(work)
        case "chat_history":
            return "\n".join(f"{line.speaker}: {line.text}" for line in lines(work))
        case "risk_picture":
            return risk_picture.report(work)
        case _:
            return topic_context.told(work, name)


def moment(work: Work) -> str:
    """Date, time and day of the week: people say "tomorrow after work"."""
    now = work.world.now
    return f"{now:%Y-%m-%d %H:%M} {work.spoken('weekdays', now.weekday())}"


SHOWN_AHEAD = 80
"""Characters of the script's next words that a prompt shows."""


def ahead(work: Work) -> str:
    """What the script will say next, as far as nothing has to be decided for it: so that the model leaves it to the
    script. Empty where that is not known."""
    frame, body = work.state.running, work.body() if work.state.running else None
    if frame is None or frame.action is None or body is None:
        return ""
    for action in body.actions[frame.action.index + 1 :]:
        text = action.peek("question") or (action.peek("content") if action.type in _SPEAKING else None)
        words = fill(work, text, unknown="…")
        if words and action.condition is None:
            return clipped(words)
    return ""


_SPEAKING = ("say", "ai_say", "ask", "ai_ask")


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
    messages: list[Message] = work.transcript()
    if not messages:
        return []
    last = messages[-1].number
    window, block = LED if work.world.script.session.led and work.world.model else (WINDOW, BLOCK)
    start = 0 if last <= window + block else (last - window) // block * block
    return [message for message in messages if message.number > start]


def lines(work: Work) -> tuple[Line, ...]:
    """The transcript as prompts show it."""
    return tuple(Line(speaker=m.sender, text=m.text) for m in shown(work))


def shared(work: Work, variables: Mapping[str, str] | None = None) -> Context:
    """The context all tasks of this moment have in common; ``variables`` are added to the script's. Made once for the
    tasks that are asked side by side."""
    if variables:
        return _context(work, variables)
    moment = _moment(work)
    if work.told is None or work.told[0] != moment:
        work.told = (moment, _context(work, {}))
    return work.told[1]


def _moment(work: Work) -> object:
    """Changes whenever anything does that a prompt may show: whatever happens leaves an event, but for rounds."""
    running = work.state.running
    frame = running.action if running else None
    where = (running.key, frame.index, frame.round) if running and frame else running and running.key
    return len(work.events), len(work.messages), work.state.writes, where


def strategy_of(work: Work, body: Steps) -> str:
    """How a topic goes about it, in one text."""
    held = body.strategy
    if isinstance(held, str):
        return fill(work, held)
    notes, enough = fill(work, held.notes), fill(work, held.min_completeness_requirement)
    return f"{notes} {work.spoken('completeness', 0)}{enough}".strip() if enough else notes


_PLACE = ("topic_attempts", "suspended_because", "completed_topics", "planned_topics")


def _pressed(work: Work) -> str:
    return work.spoken("time_short", 0) if budgets.short(work) else ""


def _context(work: Work, variables: Mapping[str, str]) -> Context:
    script, state = work.world.script, work.state
    body = work.body() if state.running else None
    role = script.roles.get("ai")
    values = {
        "who": role_name(work, "ai"),
        "user": role_name(work, "person"),
        "tone": role.tone if role else "",
        "project_instructions": fill(work, script.project.instructions_in(script.locale)),
        "session_instructions": fill(work, script.session.instructions),
        "session_name": script.session.session,
        "session_goal": fill(work, script.session.goal),
        "knowledge": knowledge.told(work),
        "phase_name": work.phase.phase if state.phase else "",
        "phase_goal": fill(work, work.phase.goal) if state.phase else "",
        "phase_instructions": fill(work, work.phase.instructions) if state.phase else "",
        "topic_name": body.name if body else "",
        "topic_goal": fill(work, body.goal) if body else "",
        "strategy": strategy_of(work, body) if body else "",
        "time": moment(work),
        "date": f"{work.world.now:%Y-%m-%d} {work.spoken('weekdays', work.world.now.weekday())}",
        "hour": str(work.world.now.hour),
        "strategy_prompt": " ".join(filter(None, (_pressed(work), strategies.told(work)))),
        **{name: topic_context.told(work, name) or "" for name in _PLACE},
        "memory": told(work),
        "case": casefile.noted(work) if script.session.led else "",
    }
    shown = {
        name: placeholders.format_value(value, script.locale)
        for name, value in visible(work).items()
        if value is not None
    }
    shown |= variables
    scheme = script.session.template_scheme or script.project.template_scheme
    return Context(scheme=scheme, locale=script.locale, values=values, variables=shown, history=lines(work))
