"""What the scripts of a package may do, worked out from the scripts themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict

from heartrule.language.nodes import Action, Directive, Node
from heartrule.language.nodes.memory import LASTING, MemoryRules
from heartrule.language.projects.project import LoadedProject

_HOST = re.compile(r"\bhttps?://([A-Za-z0-9.-]+)")


class Capabilities(BaseModel):
    """``hosts`` are named in links and texts: no script reaches one by itself, a person who taps the link does.
    ``models``: which tiers actions ask for, ``default`` where they leave it open; empty where nothing asks a model.
    ``reads_memory`` and ``keeps_memory``: what outlasts a session is read, or left there. ``directives`` are those
    of awareness scripts, such as ``ESCALATE``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    hosts: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    reads_memory: bool = False
    keeps_memory: bool = False
    directives: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    awareness: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()

    def beyond(self, other: Capabilities) -> Capabilities:
        """What this one may do and the other may not."""
        new = {
            name: tuple(each for each in value if each not in getattr(other, name))
            if isinstance(value, tuple)
            else value and not getattr(other, name)
            for name, value in self
        }
        return Capabilities.model_validate(new)


def capabilities(project: LoadedProject) -> Capabilities:
    nodes = [each for top in _tops(project) for each in _within(top)]
    actions = [each for each in nodes if isinstance(each, Action)]
    memory = [each for each in nodes if isinstance(each, MemoryRules)]
    texts = [source.text for source in project.sources.values()]
    return Capabilities(
        hosts=_sorted(host.lower() for text in texts for host in _HOST.findall(text)),
        models=_sorted(each.model or "default" for each in actions if each.traits.model or each.model),
        reads_memory=any(each.read is not None and each.read.enabled for each in memory),
        keeps_memory=any(
            each.write is not None and each.write.enabled and each.write.type in (None, *LASTING) for each in memory
        ),
        directives=_sorted(each.directive for each in nodes if isinstance(each, Directive)),
        sessions=_sorted(each.id or each.session for each in project.sessions),
        skills=_sorted(each.id or each.skill for each in project.skills),
        awareness=_sorted(each.id or each.awareness for each in project.awareness),
        forms=_sorted(each.id or each.form for each in project.forms),
    )


def _tops(project: LoadedProject) -> Iterator[Node]:
    yield project.node
    yield from project.sessions
    yield from project.skills
    yield from project.awareness
    yield from project.forms
    yield from project.roles


def _within(node: Node) -> Iterator[Node]:
    yield node
    for _, child in node.children():
        yield from _within(child)


def _sorted(values: Iterator[str]) -> tuple[str, ...]:
    return tuple(sorted(set(values)))
