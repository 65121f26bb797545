"""E209: a bare name where a text in quotes was meant (``性别 == 女``). W210: a name in a condition, W211: in a text,
W230: in a ``for_each``, that nothing declares or writes. W424: a comparison in words (``压力分大于5``), read as
a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from heartrule.language.bilingual import Bilingual
from heartrule.language.expressions import Expression
from heartrule.language.expressions.natural_conditions import TRUTHS, in_signs
from heartrule.language.findings import Finding, clip, finding, mends
from heartrule.language.findings.mends import Mend
from heartrule.language.linting.domains import Domains
from heartrule.language.linting.trials import Rules
from heartrule.language.linting.view import View, nearest
from heartrule.language.names import COUNTERS, SCOPES, NameUse, aliases, head_of
from heartrule.language.nodes import Node, Place, Session

_FILLED_BY_ENGINE = frozenset({"topic_content"})


def check(view: View) -> Iterator[Finding]:
    if not view.project.whole:
        return
    everywhere = set(view.globals) | _awareness_writes(view) | _FILLED_BY_ENGINE
    domains = view.once(Domains)
    for session in view.project.sessions:
        known = everywhere | _session_names(session, view)
        for node, own, rules in _session_nodes(session, view, domains):
            yield from _unknown(view, node, known | own if own else known, rules)
    anywhere = everywhere.union(*(_session_names(session, view) for session in view.project.sessions))
    for variable in view.project.variables:
        yield from _unknown(view, variable, anywhere | {variable.var}, view.globals.get)
    seen = anywhere.union(*(view.names_in(body) for body in view.bodies))
    for watcher in view.project.awareness if view.project.files and any(view.project.sessions) else ():
        yield from _unknown(view, watcher, seen, view.globals.get)
    for body in view.bodies:
        if body.session is None:
            known = anywhere | view.names_in(body)
            for node in (body.steps, *body.steps.actions):
                yield from _unknown(view, node, known | set(aliases(node)), partial(domains.in_body, body))


def _session_nodes(session: Session, view: View, domains: Domains) -> Iterator[tuple[Node, set[str], Rules]]:
    yield session, set(), view.globals.get
    for phase in session.phases:
        yield phase, set(), partial(domains.in_phase, session, phase)
    for body in view.of(session):
        own, rules = set(aliases(body.steps)), partial(domains.in_body, body)
        yield body.steps, own, rules
        for action in body.steps.actions:
            yield action, own | set(aliases(action)), rules


def _session_names(session: Session, view: View) -> set[str]:
    found = {variable.var for variable in session.declare}
    for phase in session.phases:
        found |= {variable.var for variable in phase.declare}
    return found.union(*(view.names_in(body) for body in view.of(session)))


def _awareness_writes(view: View) -> set[str]:
    return {write.head for node in view.project.awareness for write in view.names.writes(node)}


def _unknown(view: View, node: Node, known: set[str], rules: Rules) -> Iterator[Finding]:
    for read in view.names.reads(node):
        if read.head in known or read.name in COUNTERS or _own_value(read) or "depends_on" in read.keys:
            continue
        place = view.project.within(node, read.offset, *read.keys)
        name = clip(read.name)
        mend = _renamed(view, place, read, known)
        if read.keys[-1] == "in":
            yield finding("W230", place, mend=mend, name=name, advice=_near(read.head, known))
        elif read.expression is None:
            yield finding("W211", place, mend=mend, name=name, advice=_near(read.head, known))
        elif (signs := _in_signs(read.expression, known, rules)) is not None:
            start = view.project.within(node, 0, *read.keys)
            mend = _whole(view, start, read.expression.source, signs)
            yield finding("W424", start, mend=mend, text=clip(read.expression.source, 60), mended=signs)
        elif where_a_text_stands(read):
            yield unquoted(view, place, read, rules)
        else:
            yield finding("W210", place, mend=mend, name=name, advice=_near(read.head, known))


def unquoted(view: View, place: Place, read: NameUse, rules: Rules) -> Finding:
    """A bare name that a text stands for, or one of the values that what it is compared with may have."""
    assert read.expression is not None
    source, at = read.expression.source, read.offset
    left = next((each.name for each in read.expression.comparisons() if each.right_offset == at and each.other), None)
    new = _word(rules, left, read.name) if left is not None else f"'{read.name}'"
    mended = clip(f"{source[:at]}{new}{source[at + len(read.name) :]}", 80)
    mend = _put(view, place, read.name, new)
    return finding("E209", place, mend=mend, name=clip(read.name), mended=mended)


def _in_signs(expression: Expression, known: set[str], rules: Rules) -> str | None:
    """A condition whose operators are words (``压力分大于5``), in signs."""

    def is_known(name: str) -> bool:
        return head_of(name) in known or name in COUNTERS

    return in_signs(expression.source, is_known, partial(_word, rules))


def _whole(view: View, place: Place, source: str, new: str) -> Mend | None:
    """All of a condition, in quotes that do not end those of the value."""
    known = view.project.maps.get(place.file)
    if known is None:
        return None
    if known.value(place.path).style == "'":
        new = new.replace("'", '"')
    return mends.exactly(known, place, source, new, safe=False)


def _word(rules: Rules, left: str, word: str) -> str:
    """What a bare word stands for where ``left`` is compared with it."""
    held = rules(left)
    if held is not None and held.type == "boolean" and word.casefold() in TRUTHS:
        return TRUTHS[word.casefold()]
    if held is not None and held.type in ("integer", "number") and (digits := re.match(r"\d+(?:\.\d+)?", word)):
        return digits[0]
    near = mends.near(word, [str(option) for option in held.options or ()]) if held is not None else None
    return f"'{near[0] if near is not None else word}'"


def _own_value(read: NameUse) -> bool:
    """A bare scope or ``for_each`` part that is no variable of its own."""
    return read.name in SCOPES


def where_a_text_stands(read: NameUse) -> bool:
    """On the right of a comparison, or an item of a list; bare and without a dot."""
    assert read.expression is not None
    if "." in read.name:
        return False
    for use in read.expression.uses():
        if use.offset == read.offset and use.name == read.name:
            if use.braced:
                return False
            before = read.expression.source[: use.offset].rstrip()
            listed = before.endswith(("[", "［")) or (before.endswith((",", "，")) and "[" in before.replace("［", "["))
            return use.right or listed
    return False


def _renamed(view: View, place: Place, read: NameUse, known: set[str]) -> Mend | None:
    """The head of the name becomes the known one that is near; a person decides whether it was meant."""
    near = mends.one_near(read.head, sorted(known))
    if near is None:
        return None
    name = read.name.replace(read.head, near, 1) if read.scope is None else f"{read.scope}.{near}"
    return view.replaced(place, read.name, name, safe=False, inside=True)


def _put(view: View, place: Place, name: str, new: str) -> Mend | None:
    """What belongs there, in quotes that do not end those of the value."""
    source = view.project.maps.get(place.file)
    if source is not None and source.value(place.path).style == "'":
        new = new.replace("'", '"')
    return view.replaced(place, name, new, inside=True)


def _near(name: str, known: set[str]) -> Bilingual:
    advice = nearest(name, sorted(known))
    return advice if "?" in advice.en else Bilingual("", "")
