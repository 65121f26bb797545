"""W249: a value that is set and that nothing reads. What a person has told is a result of its own and may go unread."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding, mends
from heartrule.language.linting.view import Body, View
from heartrule.language.names import Write, aliases
from heartrule.language.nodes import Get, Skill

_SET = frozenset({"set_var"})


def check(view: View) -> Iterator[Finding]:
    if not view.project.whole:
        return
    read = {each.head for node in (*view.nodes(), *view.project.variables) for each in view.names.reads(node)}
    for body in view.bodies:
        returned = set(body.steps.returns) if isinstance(body.steps, Skill) else set()
        for action in body.steps.actions:
            own = {*aliases(action), *aliases(body.steps)}
            for write in view.names.writes(action):
                known = read | returned | own
                if _is_set(action.type, write) and write.head not in known and not _outlives(view, body, write):
                    place = view.project.at(action, *write.keys, value=True)
                    yield finding("W249", place, name=clip(write.head))
    known = read | {variable.var for variable in view.variables()} | set(view.globals)
    known |= {write.head for _, action in view.actions() for write in view.names.writes(action)}
    for node in view.project.awareness:
        for write in view.names.writes(node):
            if write.head not in known and not mends.alike(write.head, sorted(known)):
                yield finding("W249", view.project.at(node, *write.keys, value=True), name=clip(write.head))


def _is_set(kind: str, write: Write) -> bool:
    """Whether the script itself sets it, rather than somebody's answer."""
    if kind == "use_skill" or isinstance(write.rules, Get):
        return False
    return kind in _SET or write.keys[-1] == "set" or "decide" in write.keys


def _outlives(view: View, body: Body, write: Write) -> bool:
    """Whether it is the person's own, for other sessions to read, or said to be kept."""
    declared = view.declaration(body, write.head)
    if declared is not None:
        return declared[0] == "global" or bool(declared[1].define)
    guess = view.guesses(body.session).get(write.head) if body.session is not None else None
    return write.scope == "global" or (guess is not None and guess.scope == "global")
