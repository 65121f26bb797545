"""E209: a bare name where a text in quotes was meant (``性别 == 女``). W210: a name in a condition, W211: in a text,
W230: in a ``for_each``, that nothing declares or writes."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding, mends
from heartrule.language.findings.mends import Mend
from heartrule.language.linting.view import View, nearest
from heartrule.language.names import COUNTERS, SCOPES, Read, aliases
from heartrule.language.nodes import Node, Place, Session
from heartrule.language.said import Said

_FILLED_BY_ENGINE = frozenset({"topic_content"})


def check(view: View) -> Iterator[Finding]:
    if not view.project.whole:
        return
    everywhere = set(view.globals) | _awareness_writes(view) | _FILLED_BY_ENGINE
    for session in view.project.sessions:
        known = everywhere | _session_names(session, view)
        for node, own in _session_nodes(session, view):
            yield from _unknown(view, node, known | own)
    anywhere = everywhere.union(*(_session_names(session, view) for session in view.project.sessions))
    for variable in view.project.variables:
        yield from _unknown(view, variable, anywhere | {variable.var})
    for body in view.bodies:
        if body.session is None:
            known = anywhere | view.names_in(body)
            for node in (body.steps, *body.steps.actions):
                yield from _unknown(view, node, known | set(aliases(node)))


def _session_nodes(session: Session, view: View) -> Iterator[tuple[Node, set[str]]]:
    yield session, set()
    for phase in session.phases:
        yield phase, set()
    for body in view.bodies:
        if body.session is session:
            own = set(aliases(body.steps))
            yield body.steps, own
            for action in body.steps.actions:
                yield action, own | set(aliases(action))


def _session_names(session: Session, view: View) -> set[str]:
    found = {variable.var for variable in session.declare}
    for phase in session.phases:
        found |= {variable.var for variable in phase.declare}
    return found.union(*(view.names_in(body) for body in view.bodies if body.session is session))


def _awareness_writes(view: View) -> set[str]:
    return {write.head for node in view.project.awareness for write in view.names.writes(node)}


def _unknown(view: View, node: Node, known: set[str]) -> Iterator[Finding]:
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
        elif _where_a_text_stands(read):
            yield finding("E209", place, mend=_in_quotes(view, place, read), name=name, mended=_quoted(read))
        else:
            yield finding("W210", place, mend=mend, name=name, advice=_near(read.head, known))


def _own_value(read: Read) -> bool:
    """A bare scope or ``for_each`` part that is no variable of its own."""
    return read.name in SCOPES


def _where_a_text_stands(read: Read) -> bool:
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


def _renamed(view: View, place: Place, read: Read, known: set[str]) -> Mend | None:
    """The head of the name becomes the known one that is near; a person decides whether it was meant."""
    near = mends.one_near(read.head, sorted(known))
    if near is None:
        return None
    name = read.name.replace(read.head, near, 1) if read.scope is None else f"{read.scope}.{near}"
    return view.replaced(place, read.name, name, safe=False, inside=True)


def _in_quotes(view: View, place: Place, read: Read) -> Mend | None:
    """The quotes that do not end those of the value."""
    source = view.project.maps.get(place.file)
    quote = '"' if source is not None and source.value(place.path).style == "'" else "'"
    return view.replaced(place, read.name, f"{quote}{read.name}{quote}", inside=True)


def _quoted(read: Read) -> str:
    assert read.expression is not None
    source, at = read.expression.source, read.offset
    return clip(f"{source[:at]}'{read.name}'{source[at + len(read.name) :]}", 80)


def _near(name: str, known: set[str]) -> Said:
    advice = nearest(name, sorted(known))
    return advice if "?" in advice.en else Said("", "")
