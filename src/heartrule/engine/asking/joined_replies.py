"""Fused transitions: where it is certain what the model will be asked to open next, the reply that ends this action
opens it too, as a person would, and no further call is waited for.

It is certain where the next action is a question in the model's words, comes in any case, be it in the next topic, and
reads nothing that is written on the way. If code then decides otherwise than the model, the opening is left out and
made anew; how often that happens is recorded.
"""

from __future__ import annotations

import re

from heartrule.engine.awareness import hook_points
from heartrule.engine.casefile.known_facts import need_not_ask
from heartrule.engine.memory import retrieval
from heartrule.engine.scheduling import next_action
from heartrule.engine.session.events import Fused
from heartrule.engine.session.opening_words import OpeningWords
from heartrule.engine.tasks import strategies
from heartrule.engine.tasks.prompt_context import ahead, clipped, fill
from heartrule.engine.variables.evidence import gets, is_stretch
from heartrule.engine.variables.scopes import lookup
from heartrule.engine.work import Work, identity
from heartrule.language import placeholders
from heartrule.language.nodes import Action, Set, Skill, Topic
from heartrule.locales import is_chinese

SHOWN = 600
"""Characters of the next action's brief that a prompt shows."""
_ENDS = re.compile(r"[。！？；]|[.!?;](?=\s)")
_BRIEFS = ("content", "topic_content", "follow_up", "tone")


def following(work: Work) -> str:
    """What the next action is about, for the prompt of the running one; empty where it is not certain."""
    place = _next(work)
    if place is None:
        return ""
    how = strategies.prompt_line_of(work.state, place.topic, place.name)
    brief = _brief(" ".join(fill(work, place.action.peek("content")).split()))
    zh = is_chinese(work.world.script.locale)
    if not how:
        return brief
    return f"{brief}（{how}）" if zh else f"{brief} ({how})"


def _brief(text: str) -> str:
    """At most so much as a prompt shows, to the end of a sentence."""
    if len(text) <= SHOWN:
        return text
    ends = [found.end() for found in _ENDS.finditer(text, 0, SHOWN)]
    return text[: ends[-1]] if ends else f"{text[:SHOWN]}…"


def prompt_values(work: Work) -> dict[str, str]:
    """What comes next, as prompts show it: the script's own words, or what the reply that ends this may open."""
    brief = following(work)
    return {"following": brief, "following_open": _open(work), "next": "" if brief else upcoming(work)}


def _open(work: Work) -> str:
    """What the stretch that comes next has still to find out, where the reply may open one."""
    place = _next(work)
    output = place.action.peek("output") or [] if place is not None else []
    names = [item.get for item in gets(output) if lookup(work, item.get) is None] if is_stretch(output) else []
    if not names:
        return ""
    zh = is_chinese(work.world.script.locale)
    return f"（要弄清：{'、'.join(names)}）" if zh else f" (to find out: {', '.join(names)})"


def upcoming(work: Work) -> str:
    """The script's own words that certainly come next, with the choices that it offers; else what is likely."""
    words = ""
    for place in next_action.certain(work):
        action = place.action
        if action.traits.passes_at_once:
            continue
        if literal := action.traits.literal and action.peek(action.traits.literal):
            said = fill(work, literal, unknown="…")
            words = f"{words} {said}".strip()
            if not action.traits.says:
                break
            continue
        if action.traits.offers == "choice":
            labels = [fill(work, option.label, to_person=True) for option in action.peek("choices") or ()]
            words = f"{words} [{' | '.join(labels)}]".strip()
        break
    return clipped(words) if words else ahead(work)


def _next(work: Work) -> next_action.Place | None:
    """The place of the action that certainly comes next, and is opened by the model."""
    body, frame = work.body(), work.running.action
    action = work.action_at(frame.index) if frame is not None else None
    if body is None or frame is None or action is None or not work.model:
        return None
    if work.state.pending:  # something that was noticed may come before it
        return None
    written = _writes(action)
    for place in next_action.certain(work):
        if place.action.traits.passes_at_once:
            written |= _writes(place.action)
            continue
        return place if _is_opened(work, place, written) else None
    return None


def _is_opened(work: Work, place: next_action.Place, written: set[str]) -> bool:
    """Whether the model opens it, it is not passed over, and it reads nothing that is written on the way."""
    action = place.action
    if not action.traits.opened or action.peek("question") or action.peek("literal"):
        return False
    if strategies.waited_for(work, action, place.topic, place.name):
        return False
    if action.peek("review") or _is_known(work, action) or retrieval.reads(work, action):
        return False
    return not _reads(action) & written


def _is_known(work: Work, action: Action) -> bool:
    """Whether it may be passed over, or begin by a word of its own, because its answers are known."""
    wanted = gets(action.peek("output") or [])
    known = [lookup(work, item.get) is not None for item in wanted]
    when = action.peek("when_known")
    if when is None:
        return bool(wanted) and need_not_ask(work, wanted)
    return (when == "skip" and all(known)) or (when == "confirm" and any(known))


def _reads(action: Action) -> set[str]:
    texts = [action.peek(name) for name in _BRIEFS]
    return {place.name.partition(".")[0] for text in texts if text for place in placeholders.names(text)}


def _writes(action: Action) -> set[str]:
    output = action.peek("output") or []
    names = {item.set if isinstance(item, Set) else item.get for item in output}
    names |= {action.peek("tolist") or "", action.peek("var") or ""}
    return {name.partition(".")[0] for name in names}


def certain(work: Work, wished: bool) -> bool:
    """Whether the reply may open the next action: the model meant to (``wished``) and nothing comes between."""
    place = _next(work) if wished and not work.flags.interrupted else None
    if place is None:
        return False
    before = f"before {place.action.type}"
    return not hook_points.impending(work, f"after {work.frame.type}", "topic_end", "topic_start", before)


def hand_on(work: Work, words: str, *, opened: bool) -> None:
    """The running action ends with these words; ``opened``: they open the next one as well."""
    work.emit(Fused(action=work.frame.id, kept=opened))
    place = _next(work) if opened else None
    if place is not None:
        work.schedule.opening = OpeningWords(identity(place.phase), _ref(place.body), place.index, words)


def taken(work: Work) -> str:
    """The words by which the action that is entered has been opened already."""
    opening, work.schedule.opening = work.schedule.opening, None
    if opening is None:
        return ""
    here = (work.phase_frame.id, work.running.ref, work.frame.index)
    return opening.words if (opening.phase, opening.topic, opening.index) == here else ""


def _ref(body: Topic | Skill) -> str:
    return identity(body) if isinstance(body, Topic) else body.id or body.skill
