"""W249: a value that is set and that nothing reads. W440: one that is asked for and goes with its topic, or of which
nothing says what it is. W441: a parameter of a technique that the technique does not read.

What a person has told of themselves is a result of its own and may go unread, where it is kept and said to be one."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, clip, finding, mends
from heartrule.language.linting.view import Body, View
from heartrule.language.names import Write, aliases
from heartrule.language.nodes import Action, Get, Node, Skill

_GOES = Bilingual("话题一结束它就没有了", "it goes with its topic")
_UNSAID = Bilingual("也没有写它是什么", "nothing says what it is")


def check(view: View) -> Iterator[Finding]:
    if not view.project.whole:
        return
    read = view.read()
    for body in view.bodies:
        returned = set(body.steps.returns) if isinstance(body.steps, Skill) else set()
        for action in body.steps.actions:
            own = {*returned, *aliases(action), *aliases(body.steps)}
            for write in view.names.writes(action):
                if write.head not in read and write.head not in own:
                    yield from _unread(view, body, action, write)
        if isinstance(body.steps, Skill):
            yield from _parameters(view, body.steps)
    known = {*read, *view.written(), *(variable.var for variable in view.variables()), *view.globals}
    for node in view.project.awareness:
        for write in view.names.writes(node):
            if write.head not in known and not mends.alike(write.head, sorted(known)):
                yield finding("W249", view.project.at(node, *write.keys, value=True), name=clip(write.head))


def _unread(view: View, body: Body, action: Node, write: Write) -> Iterator[Finding]:
    place = view.project.at(action, *write.keys, value=True)
    if isinstance(action, Action) and _is_set(action, write):
        if not _outlives(view, body, write):
            yield finding("W249", place, name=clip(write.head))
    elif isinstance(write.rules, Get) and write.head not in view.told_besides():
        why = _lost(view, body, write, write.rules)
        if why is not None:
            yield finding("W440", place, name=clip(write.head), why=why)


def _is_set(action: Action, write: Write) -> bool:
    """Whether the script itself sets it, rather than somebody's answer."""
    if action.traits.calls or isinstance(write.rules, Get):
        return False
    return action.traits.sets or write.keys[-1] == "set" or "decide" in write.keys


def _outlives(view: View, body: Body, write: Write) -> bool:
    """Whether it is the person's own, for other sessions to read, or said to be kept."""
    declared = view.declaration(body, write.head)
    if declared is not None:
        return declared[0] == "global" or bool(declared[1].define)
    guess = view.guesses(body.session).get(write.head) if body.session is not None else None
    return write.scope == "global" or (guess is not None and guess.scope == "global")


def _lost(view: View, body: Body, write: Write, got: Get) -> Bilingual | None:
    """Why an answer that nothing reads is no result."""
    declared = view.declaration(body, write.head)
    if (declared[0] if declared is not None else write.scope or (body.session is None and "topic")) == "topic":
        return _GOES
    said = got.define or (declared is not None and declared[1].define)
    return None if said or _outlives(view, body, write) else _UNSAID


def _parameters(view: View, skill: Skill) -> Iterator[Finding]:
    read = {each.head for node in (skill, *skill.actions) for each in view.names.reads(node)}
    for parameter in skill.parameters:
        if parameter.name not in read and parameter.name not in skill.returns:
            place = view.project.at(parameter, "name", value=True)
            braced = "{" + parameter.name + "}"
            yield finding("W441", place, name=clip(parameter.name), skill=skill.name, braced=clip(braced))
