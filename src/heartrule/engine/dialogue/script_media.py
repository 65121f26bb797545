"""What a script has shown beside its words: its nodes, with their placeholders filled, as media."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from heartrule.engine.session.action_state import ActionState
from heartrule.engine.session.media import Media
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.variables import versions
from heartrule.engine.variables.definitions import definition, lookup
from heartrule.engine.work import Work
from heartrule.language.labels import called
from heartrule.language.nodes import Action, Variable
from heartrule.language.nodes.media import Audio, Card, Chart, Pacer, Picture
from heartrule.language.projects.media_files import is_remote

POINTS = 60
"""Points of a chart at most, the newest."""


class ShownMedia(ActionState):
    """Whether what stands beside its words has been shown."""

    section: ClassVar[str] = "beside"

    shown: bool = False


def beside(work: Work, action: Action) -> tuple[Media, ...]:
    """What stands beside the first words that the action says; nothing beside any later ones."""
    if ShownMedia.of(work.frame).shown or not (action.card or action.chart or action.audio):
        return ()
    ShownMedia.of(work.frame).shown = True
    made = (
        card(work, action.card) if action.card else None,
        chart(work, action.chart) if action.chart else None,
        audio(work, action.audio) if action.audio else None,
    )
    return tuple(each for each in made if each is not None)


def source(work: Work, written: str) -> str:
    return written if is_remote(written) else f"{work.running.project}/{written}"


def picture(work: Work, node: Picture) -> Media:
    return Media("picture", source(work, node.src), said(work, node.alt), said(work, node.caption))


def audio(work: Work, node: Audio) -> Media:
    return Media(
        "audio",
        source(work, node.src),
        caption=said(work, node.caption),
        transcript=said(work, node.transcript),
    )


def card(work: Work, node: Card) -> Media:
    items = [said(work, item) for item in node.items]
    return Media("card", data={"title": said(work, node.title), "text": said(work, node.text), "items": items})


def pacer(node: Pacer, seconds: float | None = None) -> Media:
    data: dict[str, Any] = {"in": node.in_, "hold": node.hold, "out": node.out, "rest": node.rest}
    return Media("pacer", data={**data, "seconds": seconds} if seconds else data)


def chart(work: Work, node: Chart) -> Media | None:
    """None where there is no number to draw. What a variable is called and what its ends mean are its declaration's."""
    if len(node.variables) == 1:
        kind, points = _course(work, node.variables[0])
    else:
        values = ((name, lookup(work, name)) for name in node.variables)
        kind, points = "compare", [_point(_called(work, name), value) for name, value in values if _is_number(value)]
    if not points:
        return None
    data: dict[str, Any] = {"title": said(work, node.title), "kind": kind, "points": points[-POINTS:]}
    if node.range:
        data["range"] = list(node.range)
        ends = _ends(work, node)
        data |= {"ends": ends} if ends else {}
    return Media("chart", data=data)


def _called(work: Work, name: str) -> str:
    declared = definition(work, name)[1]
    return called(declared.label if isinstance(declared, Variable) else None, work.world.script.locale) or name


def _ends(work: Work, node: Chart) -> list[str]:
    """What the ends of the axis mean: those of the first variable whose range it is."""
    for name in node.variables:
        declared = definition(work, name)[1]
        if declared and declared.ends and declared.range and tuple(declared.range) == tuple(node.range or ()):
            return list(declared.ends)
    return []


def said(work: Work, text: str) -> str:
    return fill(work, text, to_person=True).strip()


def _course(work: Work, name: str) -> tuple[str, list[dict[str, Any]]]:
    """A variable's earlier values and its present one; a list is its own course, an object is compared."""
    value = lookup(work, name)
    if isinstance(value, dict):
        return "compare", [_point(key, each) for key, each in value.items() if _is_number(each)]
    if isinstance(value, list):
        return "course", list(_listed(value))
    where, _ = definition(work, name)
    bare = name.rpartition(".")[2]
    course = [*(versions.earlier(work.state, where, bare) or ()), value]
    numbers = [each for each in course if _is_number(each)]
    return "course", [_point(str(at), each) for at, each in enumerate(numbers, 1)]


def _listed(values: list[Any]) -> Iterator[dict[str, Any]]:
    """Numbers, or items that have one number each; their first text is what the point is called."""
    for at, each in enumerate(values, 1):
        if _is_number(each):
            yield _point(str(at), each)
        elif isinstance(each, dict):
            number = next((part for part in each.values() if _is_number(part)), None)
            if number is not None:
                yield _point(next((part for part in each.values() if isinstance(part, str)), str(at)), number)


def _point(label: str, value: float) -> dict[str, Any]:
    return {"label": label, "value": value}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
