"""A script in other spellings → the same text in ours, with every comment, and the way back to each place.

The text is edited again and again, a layer at a time, until nothing is left to edit. The loader reads what comes out;
``heartrule fmt`` writes it down. So both mean the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from heartrule.language import spellings
from heartrule.language.spellings.parts import (
    actions,
    awareness,
    cases,
    choices,
    files,
    flow,
    form_fields,
    literals,
    notes,
    phases,
    roles,
    skills,
    variables,
)
from heartrule.language.spellings.parts.rewrite import Made, Quietly, Refusal, SpelledMapping
from heartrule.language.texts.page import Page
from heartrule.language.texts.text_edits import Edit, Edits, Piece, TracedText
from heartrule.language.texts.tree import Tree, trees

_PASSES = 12
_RULES: Mapping[str, tuple[Callable[[SpelledMapping], Made], ...]] = {
    "": (files.spelled,),
    "sessions": (flow.spelled, flow.cancelled),
    "phases": (flow.spelled, phases.spelled, flow.cancelled),
    "steps": (flow.spelled, flow.cancelled),
    "skills": (skills.spelled, phases.stray, flow.cancelled),
    "parameters": (skills.parameter,),
    "strategy": (flow.strategy,),
    "actions": (actions.spelled,),
    "choices": (choices.choice,),
    "global": (variables.spelled,),
    "declare": (variables.spelled,),
    "output": (variables.spelled,),
    "awareness": (awareness.spelled,),
    "roles": (roles.spelled,),
    "then": (awareness.directive,),
    "forms": (form_fields.spelled,),
    "fields": (form_fields.field,),
    "options": (form_fields.option,),
    "transitions": (flow.transition,),
}
_LISTS = {
    "declare": "declare",
    "variables": "declare",
    "actions": "actions",
    "transitions": "transitions",
    "strategy": "strategy",
}
BELOW: Mapping[str, Mapping[str, str]] = {
    "": {
        **{kind: kind for kind in ("sessions", "skills", "awareness", "global", "forms")},
        "session": "sessions",
        "rules": "awareness",
        "consciousness": "awareness",
        "variables": "global",
        "roles": "roles",
        "form": "forms",
    },
    "awareness": {"then": "then", "actions": "then"},
    "forms": {"fields": "fields"},
    "fields": {"options": "options", "choices": "options"},
    "sessions": {**_LISTS, "phases": "phases", "stages": "phases"},
    "phases": {**_LISTS, "steps": "steps", "topics": "steps"},
    "steps": _LISTS,
    "skills": {**_LISTS, "parameters": "parameters"},
    "actions": {"output": "output", "choices": "choices", "actions": "actions", "exit_criteria": "exit_criteria"},
}

_MERGED = frozenset({"actions", "output", "declare", "global", "choices", "fields"})
"""Where what is taken over (``<<``) may be a part of such a mapping, so that it is read on its own."""


@dataclass(slots=True)
class RewrittenScript:
    """``first``: where in the original the first other spelling stands, None where there is none. Refusals stand where
    they do in the original too."""

    traced: TracedText
    first: int | None = None
    refusals: list[Refusal] = field(default_factory=list)


def respelled(text: str) -> RewrittenScript:
    """A text that is known to be good YAML, in our spelling."""
    newline = "\r\n" if "\r\n" in text else "\n"
    made = RewrittenScript(TracedText.of(text))
    documents = trees(text)
    left_out: list[Refusal] = []
    broken: set[_Key] = set()
    for _ in range(_PASSES):
        edits = Edits(made.traced.text)
        refusals: list[Refusal] = []
        quiet: set[int] = set()
        keys: list[_Key] = []
        for found in _found(made.traced.text, documents):
            group = list(found.without) if isinstance(found, Refusal) else found
            key = _key(made.traced, group)
            fits = bool(group) and key not in broken and edits.take(group)
            keys += [key] if fits else []
            if isinstance(found, Refusal):
                (left_out if fits else refusals).append(found._replace(at=made.traced.origin[found.at]))
            elif fits and isinstance(found, Quietly):
                quiet |= {edit.start for edit in found}
        made.refusals = [*left_out, *refusals]
        if not edits.groups:
            break
        whole = _Whole(made.traced, documents, newline)
        good = whole.of(edits.groups)
        kept = {id(group) for group in good}
        broken |= {key for key, group in zip(keys, edits.groups, strict=True) if id(group) not in kept}
        if not good:
            continue
        told = [made.traced.origin[edit.start] for group in good for edit in group if edit.start not in quiet]
        made.first = min((*told, *([] if made.first is None else [made.first])), default=None)
        made.traced, documents = whole.traced, whole.documents
    return made


_Key = tuple[tuple[int, tuple[Piece, ...]], ...]


def _key(traced: TracedText, group: list[Edit]) -> _Key:
    """Edits, by where they stand in the original."""
    return tuple((traced.origin[edit.start], tuple(p for p in edit.pieces if isinstance(p, str))) for edit in group)


@dataclass(slots=True)
class _Whole:
    """Which edits leave a text whole: it can be read, its aliases stand for something, and
    no comment has become a part of what is said. One that breaks it
    is none; what is left is told, at its place, as a spelling that cannot be read."""

    traced: TracedText
    documents: list[Tree]
    newline: str
    _before: TracedText = field(init=False)
    _comments: set[str] = field(init=False)

    def __post_init__(self) -> None:
        self._before = self.traced
        self._comments = set(_comments(self.traced.text, self.documents))

    def of(self, groups: list[list[Edit]], good: list[list[Edit]] | None = None) -> list[list[Edit]]:
        """Those that can be carried out together, beside those that are known to be good."""
        kept = good or []
        if self._fits([*kept, *groups]):
            return [*kept, *groups]
        if len(groups) == 1:
            return kept
        half = len(groups) // 2
        kept = self.of(groups[:half], kept)
        return self.of(groups[half:], kept)

    def _fits(self, groups: list[list[Edit]]) -> bool:
        edited = self._before.edited([edit for group in groups for edit in group], self.newline)
        documents = trees(edited.text)
        leaves = (leaf for document in documents for leaf in document.leaves())
        if not documents or any(leaf.kind == "alias" and leaf.target is None for leaf in leaves):
            return False
        told = "\n".join(_comments(edited.text, documents))
        if any(comment not in told for comment in self._comments):
            return False
        self.traced, self.documents = edited, documents
        return True


def _comments(text: str, documents: list[Tree]) -> Iterator[str]:
    page = Page(text)
    return (text[start:end].rstrip() for start, end in page.inner(0, len(text), *documents))


def _found(text: str, documents: list[Tree]) -> Iterator[Any]:
    page = Page(text)
    names = frozenset(_names(documents))
    seen: set[tuple[int, str]] = set()
    for document in documents:
        yield from _below(page, document, "", (), names, seen)


def _below(
    page: Page,
    node: Tree,
    kind: str,
    above: tuple[tuple[str, Tree], ...],
    names: frozenset[str],
    seen: set[tuple[int, str]],
) -> Made:
    """What an alias stands for is read as what it is used for, once."""
    node = node.target or node
    if (id(node), kind) in seen:
        return
    seen.add((id(node), kind))
    if node.kind == "list":
        for item in node.items:
            if (item.target or item).kind == "mapping":
                yield from _below(page, item, kind, above, names, seen)
    if node.kind != "mapping" or (not node.flow and _explicit(page, node)):
        return
    here = SpelledMapping(page, node, kind, above, names)
    for rule in (cases.spelled, literals.spelled, *_RULES.get(kind, ()), notes.spelled):
        yield from rule(here)
    if kind in _MERGED:
        for source in reversed(list(node.merged())):
            yield from _below(page, source, kind, above, names, seen)
    below = BELOW.get(kind, {})
    for entry in node.entries:
        if entry.name in below:
            yield from _below(page, entry.value, below[entry.name], (*above, (kind, node)), names, seen)


def _explicit(page: Page, node: Tree) -> bool:
    """``? key``: nobody writes that, and its columns are not what they seem."""
    return any(
        page.text[page.line(entry.key.start) : entry.key.start].rstrip(" ").endswith("?") for entry in node.entries[:1]
    )


def _names(nodes: list[Tree]) -> Iterator[str]:
    """Names that are declared, found out or set somewhere."""
    stack = list(nodes)
    while stack:
        node = stack.pop()
        stack += node.items
        for entry in node.entries:
            stack.append(entry.value)
            if entry.name in ("var", "get", "set", "target_variable", "extract_to") and (text := entry.value.text()):
                yield text


def spelled_otherwise(documents: list[Any]) -> bool:
    """Whether it is worth looking closer: some key or value of the kind that is written elsewhere."""
    return any(_otherwise(document, "") for document in documents)


def _otherwise(data: Any, kind: str) -> bool:
    if isinstance(data, list):
        return any(_otherwise(item, kind) for item in data)
    if not isinstance(data, dict):
        return False
    foreign = spellings.foreign(kind)
    if any(
        key in foreign or cases.cased(str(key)) or (isinstance(value, str) and spellings.canonical(kind, key, value))
        for key, value in data.items()
    ):
        return True
    if not kind and any(files.aside(str(key)) for key in data):
        return True
    if kind == "actions" and (not isinstance(data.get("type"), str) or _lists(data)):
        return True
    if literals.otherwise(data) or (kind == "actions" and actions.otherwise(data)):
        return True
    if kind in ("sessions", "phases", "steps") and isinstance(data.get(flow.OWN[kind]), dict):
        return True
    declared = data.get("declare")
    if isinstance(declared, list) and any(isinstance(each, str) for each in declared):
        return True
    if kind in ("declare", "global", "output") and variables.otherwise(data):
        return True
    if kind == "fields" and str(data.get("type")).lower() in form_fields.TYPES:
        return True
    if kind == "roles" and data.get("role") not in ("ai", "person"):
        return True
    if not kind and any(isinstance(data.get(name), dict) for name in ("awareness", "form")):
        return True
    if kind == "skills" and "skill" not in data:
        return True
    if kind == "steps" and "topic" not in data:
        return True
    if kind == "choices" and len(data) == 1:
        return True
    below = BELOW.get(kind, {})
    return any(_otherwise(value, below[key]) for key, value in data.items() if key in below)


def _lists(action: dict[Any, Any]) -> bool:
    """Where a mapping belongs, or without a name for what comes back."""
    if isinstance(action.get("choices"), dict):
        return True
    if action.get("type") != "use_skill":
        return False
    output = action.get("output")
    back = isinstance(output, list) and any(not isinstance(item, dict) or "get" not in item for item in output)
    return back or isinstance(action.get("input"), list)
