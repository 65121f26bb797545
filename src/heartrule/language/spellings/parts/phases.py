"""What stands among the actions and is meant for all of them: ``- open_rule:``, ``- close_rule:``, ``- scene:``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from heartrule.language.spellings.parts.rewrite import Made, Refusal, SpelledMapping, both, senseless
from heartrule.language.texts.page import scalar
from heartrule.language.texts.text_edits import Edit, Piece
from heartrule.language.texts.tree import Entry, Tree

_SWITCHES = {"open_rule": "enable", "close_rule": "disable"}
KEYS = frozenset({*_SWITCHES, "scene"})


def spelled(here: SpelledMapping) -> Made:
    """A phase with such items in its topics."""
    found = list(_items(here.node))
    if not found:
        return
    spans = {name: _span(here, marks) for name, marks in _marks(here, found).items() if len({k for _, k in marks}) > 1}
    clash = {name for name, span in spans.items() if span is None}
    refused = [_unfit(item) or _clashing(item, clash) or _twice(here, item, set(spans)) for _, _, item in found]
    yield from (refusal for refusal in refused if refusal)
    fit = [each for each, refusal in zip(found, refused, strict=True) if refusal is None]
    whole = {name: span for name, span in spans.items() if span is not None}
    if fit:
        yield _edits(here, fit, {} if any(refused) else whole)


class Span(NamedTuple):
    """The topics from the one in which a rule is opened (or closed) to the one in which it is closed (or opened)."""

    key: str
    topics: list[Tree]


def _marks(here: SpelledMapping, found: list[Found]) -> dict[str, list[tuple[int, str]]]:
    """By rule: in which topics it is opened and closed."""
    marks: dict[str, list[tuple[int, str]]] = {}
    numbers = {id(topic.get("actions")): number for number, topic in enumerate(_topics(here.node))}
    for actions, _, item in found:
        key = _SWITCHES.get(item.entries[0].name)
        for name in _named(item.entries[0].value) if key else ():
            marks.setdefault(name, []).append((numbers[id(actions)], str(key)))
    return marks


def _span(here: SpelledMapping, marks: list[tuple[int, str]]) -> Span | None:
    """None where a rule is opened and closed more than once, or the topics switch rules by a word of their own."""
    if len(marks) != 2:
        return None
    (first, key), (last, _) = marks
    topics = _topics(here.node)[first : last + 1]
    return None if any(topic.get("awareness") for topic in topics) else Span(key, topics)


def _topics(phase: Tree) -> list[Tree]:
    steps = phase.get("steps", "topics")
    return [item for item in steps.value.items if item.get("actions")] if steps else []


def stray(here: SpelledMapping) -> Made:
    """The same in a technique, which stands in no phase."""
    for _, _, item in _of(here.node):
        yield senseless(
            item.entries[0],
            "技术不属于任何阶段；写在叫它的阶段里，或者写成意识脚本的 ENABLE、DISABLE。",
            "A technique stands in no phase: write it in the phase that calls it, or as ENABLE, DISABLE of an awareness"
            " script.",
        )


Found = tuple[Entry, int, Tree]


def _items(phase: Tree) -> list[Found]:
    steps = phase.get("steps", "topics")
    if steps is None:
        return []
    scenes = [(steps, index, item) for index, item in enumerate(steps.value.items) if _is_scene(item)]
    return [*scenes, *(found for topic in steps.value.items for found in _of(topic))]


def _is_scene(item: Tree) -> bool:
    return bool(item.entries) and item.entries[0].name == "scene" and item.get("actions") is None


def _of(topic: Tree) -> list[Found]:
    actions = topic.get("actions")
    if actions is None:
        return []
    items = enumerate(actions.value.items)
    return [(actions, index, item) for index, item in items if item.entries and item.entries[0].name in KEYS]


def _unfit(item: Tree) -> Refusal | None:
    entry = item.entries[0]
    strange = next((each for each in item.entries[1:] if entry.name != "scene" or each.name == "condition"), None)
    if strange is not None:
        return senseless(
            strange,
            "它是对整个阶段说的，旁边不能有别的字段；要看条件，写成意识脚本。",
            "It is meant for the whole phase, with no key beside it; for a condition write an awareness script.",
        )
    good = _scene(item) if entry.name == "scene" else _named(entry.value)
    if not good:
        return senseless(entry, "写上名字或一段文字。", "Give it a name or a text.")
    return None


def _clashing(item: Tree, clash: set[str]) -> Refusal | None:
    entry = item.entries[0]
    if entry.name not in _SWITCHES or not clash & set(_named(entry.value)):
        return None
    return senseless(
        entry,
        "同一个阶段里开关了不止一次，说不清从哪里起：每个话题写 awareness: {enable: […]}；或者这几行都删掉，"
        "改成意识脚本的 ENABLE、DISABLE。",
        "It is opened and closed in one phase more than once: write awareness: {enable: […]} of each topic, or delete"
        " the lines and use ENABLE and DISABLE of an awareness script.",
    )


def _twice(here: SpelledMapping, item: Tree, spanned: set[str]) -> Refusal | None:
    """The phase has a word of its own for it."""
    entry = item.entries[0]
    if entry.name in _SWITCHES and spanned.issuperset(_named(entry.value)):
        return None
    taken = here.get("instructions" if entry.name == "scene" else "awareness")
    return both(entry, taken.name) if taken else None


def _named(value: Tree) -> list[str]:
    texts = [item.text() for item in value.items] if value.kind == "list" else [value.text()]
    return [text for text in texts if text]


def _scene(item: Tree) -> str:
    """Where one is, who speaks and how, as a sentence for the model."""
    if len(item.entries) > 1:
        return _pairs(item)
    return _pairs(item.entries[0].value)


def _pairs(value: Tree) -> str:
    if value.kind == "mapping":
        pairs = [(entry.name, "、".join(_named(entry.value))) for entry in value.entries]
        return "；".join(f"{key}：{text}" for key, text in pairs) if all(text for _, text in pairs) else ""
    return "；".join(_named(value))


def _edits(here: SpelledMapping, found: list[Found], spans: dict[str, Span]) -> list[Edit]:
    page, edits = here.page, list(_switched(here, spans))
    names: dict[str, list[str]] = {"enable": [], "disable": []}
    scenes: list[str] = []
    for listed, index, item in found:
        entry = item.entries[0]
        if entry.name == "scene":
            scenes.append(_since(listed, index) + _scene(item))
        else:
            names[_SWITCHES[entry.name]] += [name for name in _named(entry.value) if name not in spans]
    head = here.node.get("steps", "topics")
    assert head is not None
    written: list[Piece] = []
    break_ = ", " if here.node.flow else "\n" + " " * page.column(head.key.start)
    switches = [f"{key}: [{', '.join(scalar(name) for name in listed)}]" for key, listed in names.items() if listed]
    if switches:
        written += [f"awareness: {{{', '.join(switches)}}}", break_]
    if scenes:
        written += [f"instructions: {scalar('；'.join(scenes))}", break_]
    edits += [Edit(head.key.start, head.key.start, tuple(written))] if written else []
    by_list: dict[int, tuple[Entry, list[int]]] = {}
    for actions, index, _ in found:
        by_list.setdefault(actions.key.start, (actions, []))[1].append(index)
    for actions, gone in by_list.values():
        edits += _without(here, actions, gone)
    return edits


def _switched(here: SpelledMapping, spans: dict[str, Span]) -> Iterator[Edit]:
    """What each topic switches."""
    for topic in _topics(here.node):
        names: dict[str, list[str]] = {}
        for name, span in spans.items():
            if any(each is topic for each in span.topics):
                names.setdefault(span.key, []).append(scalar(name))
        told = ", ".join(f"{key}: [{', '.join(listed)}]" for key, listed in names.items())
        actions = topic.get("actions")
        if told and actions:
            yield from here.page.before(topic, actions, f"awareness: {{{told}}}")


def _since(listed: Entry, index: int) -> str:
    """The topic that a scene among the topics comes before, where it is not the first."""
    items = listed.value.items
    topics = [item for item in items if not _is_scene(item)]
    following = next((item for item in items[index:] if not _is_scene(item)), None)
    named = following.get("topic", "topic_name", "goal") if following and following is not topics[0] else None
    return f"【{named.value.text()}】" if named and listed.name in ("steps", "topics") else ""


def _without(here: SpelledMapping, actions: Entry, gone: list[int]) -> list[Edit]:
    """A list of actions without some of them; comments stay."""
    page, value = here.page, actions.value
    if value.flow:
        kept = [item for index, item in enumerate(value.items) if index not in gone]
        pieces: list[Piece] = []
        for item in kept:
            pieces += [", "] if pieces else []
            pieces.append((item.start, item.end))
        return [Edit(value.start + 1, value.end - 1, tuple(pieces))]
    edits = []
    for index in gone:
        item = value.items[index]
        dash = page.dash(value, index)
        written = page.inner(dash, item.end, item)
        behind = page.behind(item.end)
        above = value.items[index - 1] if index and not written and not behind else None
        start, stop = page.line(dash), page.past(item.end, above)
        lines: list[Piece] = []
        for comment in [*written, *([behind] if behind else [])]:
            lines += [page.text[start:dash], comment, "\n"]
        edits += [Edit(start, stop, tuple(lines)), *page.settled(item.end, page.column(dash))]
    if len(gone) == len(value.items):
        edits.append(Edit(actions.key.end + 1, actions.key.end + 1, (" []",)))
    return edits
