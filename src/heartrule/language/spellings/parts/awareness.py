"""Awareness scripts: ``- rule:`` with ``check_time``, ``if``, ``reply`` and ``call``; ``cancel_if``."""

from __future__ import annotations

import re

from heartrule.language.bilingual import Bilingual
from heartrule.language.expressions import ExpressionError, parse
from heartrule.language.spellings.conversions import number
from heartrule.language.spellings.parts.rewrite import Made, Refusal, SpelledMapping, both, senseless, taken
from heartrule.language.texts.text_edits import Edit, Piece
from heartrule.language.texts.tree import Entry

NAMES = {
    "rule": "awareness",
    "consciousness": "awareness",
    "rule_id": "id",
    "rule_name": "awareness",
    "awareness_id": "id",
    "awareness_name": "awareness",
    "consciousness_id": "id",
    "consciousness_name": "awareness",
}
_EVERY = re.compile(
    r"\s*(?:every\s+|每隔?\s*)?(\d+|[一二两三四五六七八九十])(\s*)([smh]|turns?|秒|分钟?|小时|轮)\s*\Z", re.IGNORECASE
)
_UNITS = {"秒": "s", "分钟": "m", "分": "m", "小时": "h", "轮": " turns"}
_HOOK_POINTS = {
    **dict.fromkeys(("always", "answer", "every_turn", "each_turn", "after_answer"), "answer"),
    **dict.fromkeys(("after_user_message", "after_user_reply", "after_each_message", "every_message"), "answer"),
    **dict.fromkeys(("every_reply", "every_answer", "after_every_answer", "after_every_message"), "answer"),
    **dict.fromkeys(("topic_start", "start_of_topic", "before_topic", "before_goal", "goal_start"), "topic_start"),
    **dict.fromkeys(("topic_end", "end_of_topic", "after_topic", "after_goal", "goal", "goal_end"), "topic_end"),
}
_SPEAKS = r"(?:用户|来访者|对方|访客)?(?:每次)?(?:说完?话|说完|发言|回复|回答|发消息|输入)"
_ANSWERED = re.compile(
    r"总是|一直|始终|每一?(?:轮(?:对话)?|句话?|条消息|次(?:对话|回答|回复)?)(?:之?后|时)?"
    rf"|(?:每当|每次|每一次){_SPEAKS}(?:之?后|时)?|在?{_SPEAKS}(?:之?后|时)"
)
_EDGE_OF_TOPIC = re.compile(r"(?:每个|每一个|在)?话题(?:(开始|前|之前)|(结束|后|之后|目标))(?:时|前|后|的时候)?")
_EDGE = re.compile(r"(before|after)[ _-]+([a-z_]+)\Z")
ACTION_TYPES = frozenset(
    (
        *("say", "ai_say", "ask", "ai_ask", "ai_think", "ai_guide", "set_var", "use_skill", "user_option", "user_say"),
        *("show_form", "show_pic", "ai_pic", "parallel_actions"),
    )
)
SETTINGS = frozenset(
    {"trigger_config", "loading_config", "config", "output_config", "performance_config", "safety_baseline"}
)
_SIGNS = re.compile(r"==|!=|[<>]=?|\b(?:and|or|not|in|contains)\b|[＞＜＝]|&&|\|\||\(|\)|[+*/%]")


_DIRECTIVES = {"type": "directive", "technique_id": "technique", "topic_id": "topic", "topic_ids": "topics"}


def directive(here: SpelledMapping) -> Made:
    """An item of ``then``."""
    yield from here.rename(_DIRECTIVES)


def spelled(here: SpelledMapping) -> Made:
    trigger = here.get("trigger")
    if trigger is not None and trigger.value.kind == "mapping":
        lifted = here.page.hoist(here.node, trigger)
        if lifted:
            yield lifted
            return
    names = dict(NAMES)
    if here.get("rule") or here.get("consciousness"):
        names.pop("rule_name", None)
    yield from here.rename(names)
    when = here.get("check_time")
    if when is not None:
        yield from _when(here, when)
    elif here.get("rule", "consciousness_id") and (edits := _unsaid(here)):
        yield edits
    elif here.get("rule") and not here.get("priority", "at", "every", "always"):
        # Without a time a rule is read whenever the person has said something.
        yield here.page.after(here.node, _named(here), *_fields(here, "priority: P1", "at: [answer]"))
    if here.get("rule") or here.get("consciousness_id"):
        yield from here.rename({"trigger": "if", "trigger_condition": "if", "trigger_timing": "check_time"})
        yield from _orders(here)
        said = here.get("condition")
        if said and said.value.single and not _computed(str(said.value.value), here.names):
            yield _judged(here, said)
    for entry in here.node.entries:
        if entry.name in SETTINGS:
            yield senseless(
                entry,
                "写 condition（一个问题）、at 或 every（何时看）和 then（看到以后做什么），"
                "见《脚本语言》的“意识”一节。",
                "Write condition (a question), at or every (when to look) and then (what to do), as the section on"
                " awareness of the language's page says.",
            )
    if (condition := here.get("if")) is not None:
        yield from _if(here, condition)
    ends = [entry for entry in here.node.entries if entry.name in ("cancel_if", "cancel_when")]
    for entry in ends:
        if here.get("expires") or len(ends) > 1:
            yield both(entry, "expires: {condition: …}")
        else:
            yield here.page.nest(here.node, entry, "expires", "condition")
    yield from _then(here)


_USUALLY = {"P1": ("at", "[topic_start, topic_end]"), "P2": ("every", "5m")}
_WHEN = Bilingual(
    "写明什么时候看：P1 写 at，P2 写 every。",
    "Say when it watches: at for P1, every for P2.",
)


def _unsaid(here: SpelledMapping) -> Refusal | None:
    """When a script watches that says no more than its priority."""
    priority = here.get("priority")
    key, usual = _USUALLY.get(here.text("priority") or "", ("", ""))
    if priority is None or not key or here.get("at", "every", "check_time", "trigger_timing"):
        return None
    return taken(priority, key, usual, _WHEN, here.page.after(here.node, priority, f"{key}: {usual}"))


def _named(here: SpelledMapping) -> Entry:
    entry = here.get("rule")
    assert entry is not None
    return entry


def _fields(here: SpelledMapping, *fields: str) -> tuple[str, ...]:
    break_ = ", " if here.node.flow else "\n" + " " * here.page.column(here.node.entries[0].key.start)
    return (break_.join(fields),)


def _orders(here: SpelledMapping) -> Made:
    """``action: {…}`` or ``actions: […]`` of a rule → ``then``."""
    entry = here.get("action", "actions", "interventions")
    if entry is None:
        return
    if here.get("then"):
        yield both(entry, "then")
    elif entry.value.kind == "list":
        yield here.page.rename(entry, "then")
    elif entry.value.kind == "mapping" and not entry.value.flow:
        at = entry.value.entries[0].key.start
        yield [*here.page.rename(entry, "then"), Edit(at, at, ("- ",)), *here.page.shift(at, entry.value.end, 2)]


def _judged(here: SpelledMapping, said: Entry) -> list[Edit]:
    """``condition`` in words, with a ``threshold`` beside it → a question for the model."""
    edits = here.page.nest(here.node, said, "condition", "judge")
    threshold = here.get("threshold")
    if threshold is None or here.node.flow:
        return edits
    at = here.page.end_of_line(said.value.end)
    indent = " " * (here.page.column(said.key.start) + 2)
    written = f"\n{indent}threshold: {here.page.text[threshold.value.start : threshold.value.end]}"
    return [*edits, Edit(at, at, (written,)), *here.page.remove(here.node, threshold)]


def _when(here: SpelledMapping, when: Entry) -> Made:
    value = when.value
    written = [item.text() or "" for item in value.items] if value.kind == "list" else [value.text() or ""]
    every = _EVERY.match(written[0]) if len(written) == 1 else None
    if every:
        unit = _UNITS.get(every[3]) or every[2] + every[3]
        fields: tuple[str, ...] = ("priority: P2", f"every: {number(every[1])}{unit}")
    else:
        hook_points = [_hook_point(each) for each in written]
        if not written or None in hook_points:
            yield senseless(
                when,
                "写 always（来访者每说一次话）、topic_start、topic_end、before ask、after ai_say（或别的动作类型），"
                "或者 5m、6 turns。",
                "It may be always (each time the person has spoken), topic_start, topic_end, before ask, after ai_say"
                " (or another type of action), or 5m, 6 turns.",
            )
            return
        fields = ("priority: P1", f"at: [{', '.join(str(hook_point) for hook_point in hook_points)}]")
    if here.get("priority"):
        fields = fields[1:]
    if taken := here.get("at", "every"):
        yield both(when, taken.name)
    else:
        yield [Edit(when.key.start, value.end, _fields(here, *fields))]


def _hook_point(written: str) -> str | None:
    told = written.strip().lower()
    place = re.sub(r"[\s-]+", "_", told)
    if place in _HOOK_POINTS:
        return _HOOK_POINTS[place]
    if _ANSWERED.fullmatch(told):
        return "answer"
    if of_topic := _EDGE_OF_TOPIC.fullmatch(told):
        return "topic_start" if of_topic[1] else "topic_end"
    edge = _EDGE.match(told)
    return f"{edge[1]} {edge[2]}" if edge and edge[2] in ACTION_TYPES else None


def _if(here: SpelledMapping, entry: Entry) -> Made:
    if here.get("condition"):
        yield both(entry, "condition")
    elif not entry.value.single or _computed(str(entry.value.value), here.names):
        yield here.page.rename(entry, "condition")
    else:
        yield here.page.nest(here.node, entry, "condition", "judge")


def _computed(text: str, names: frozenset[str]) -> bool:
    """Whether it is an expression, and not a question in words."""
    if text.lower() in ("true", "false") or text.strip("{} ") in names:
        return True
    if not _SIGNS.search(text):
        return False
    try:
        parse(text)
    except ExpressionError:
        return False
    return True


_ORDERS = {"reply": ("FEEDBACK", "text"), "call": ("CALL_TECHNIQUE", "technique")}


def _then(here: SpelledMapping) -> Made:
    """``reply`` and ``call`` → ``then``, in the order in which they stand."""
    page, node = here.page, here.node
    told = [entry for entry in node.entries if entry.name in _ORDERS and entry.value.single]
    if not told:
        return
    if here.get("then"):
        yield both(told[0], "then")
        return
    first, *more = told
    order, key = _ORDERS[first.name]
    if node.flow:
        end = max(first.value.end, first.key.end)
        rest: list[Piece] = []
        edits: list[Edit] = []
        for entry in more:
            rest += [f", {{directive: {_ORDERS[entry.name][0]}, {_ORDERS[entry.name][1]}: "]
            rest += [*page.copied(entry.value, 0), "}"]
            edits += page.remove(node, entry, copied=True)
        opened = f"then: [{{directive: {order}, {key}"
        yield [Edit(first.key.start, first.key.end, (opened,)), Edit(end, end, ("}", *rest, "]")), *edits]
        return
    indent = " " * (page.column(first.key.start) + 2)
    opened = f"then:\n{indent}- directive: {order}\n{indent}  {key}"
    edits = [Edit(first.key.start, first.key.end, (opened,)), *page.shift(first.key.start, first.value.end, 4)]
    at = page.end_of_line(first.value.end)
    rest = []
    for entry in more:
        order, key = _ORDERS[entry.name]
        rest += [f"\n{indent}- directive: {order}\n{indent}  {key}: ", *page.copied(entry.value, 4)]
        edits += page.remove(node, entry, copied=True)
    settled = page.settled(at, page.column(first.key.start))
    yield [*edits, Edit(at, at, tuple(rest)), *settled] if rest else edits
