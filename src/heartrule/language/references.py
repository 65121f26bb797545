"""What a reference means: an id, or a name when it is unique; ``other_project/id`` reaches into another project, and a
bare one that its own project lacks into the project for safety."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

SAFETY = "safety"
"""The id of the project that is always loaded."""


class Referable(Protocol):
    """Anything that can be referred to."""

    @property
    def id(self) -> str | None: ...
    @property
    def name(self) -> str: ...


class TranslatedScript(Referable, Protocol):
    """A script that may stand in for another one in another language."""

    @property
    def locale(self) -> str | None: ...
    @property
    def translation_of(self) -> str | None: ...


AnyNamed = TypeVar("AnyNamed", bound=Referable)
AnyTranslated = TypeVar("AnyTranslated", bound=TranslatedScript)


def identity(node: Referable) -> str:
    """A node's id, or its name while it has none."""
    return node.id or node.name


def full(project: str, node: Referable) -> str:
    return f"{project}/{identity(node)}"


def split(reference: str, within: str) -> tuple[str, str]:
    """Project and the rest of a reference written in project ``within``."""
    project, slash, rest = reference.partition("/")
    return (project, rest) if slash else (within, reference)


def homes(reference: str, within: str) -> Iterator[tuple[str, str]]:
    """The projects that a reference written in project ``within`` may reach into, with the rest of it: what no project
    is named for is its own, else what is always loaded (``crisis_support`` of the ``safety`` project)."""
    yield split(reference, within)
    if "/" not in reference and within != SAFETY:
        yield SAFETY, reference


def pick(nodes: Iterable[AnyNamed], reference: str) -> AnyNamed | None:
    """The node that is meant: by id first, then by name if only one has it."""
    named: list[AnyNamed] = []
    for node in nodes:
        if node.id == reference:
            return node
        if node.name == reference:
            named.append(node)
    return named[0] if len(named) == 1 else None


def speaks(tag: str | None, wanted: str) -> bool:
    """Whether a script marked ``tag`` can be used where ``wanted`` is spoken: ``zh`` and ``zh-CN`` are one language."""
    return tag is not None and _language(tag) == _language(wanted)


def in_locale(
    node: AnyTranslated, siblings: Sequence[AnyTranslated], locale: str, default: str | None = None
) -> AnyTranslated:
    """The one of ``node`` and its translations among ``siblings`` that speaks ``locale``; ``node`` where none does.
    ``default`` is the language of those that name none."""
    origin = node.translation_of or identity(node)
    family = [one for one in siblings if origin in (identity(one), one.translation_of)]
    exact = [one for one in family if _plain(one.locale or default) == _plain(locale)]
    near = [one for one in family if speaks(one.locale or default, locale)]
    ranked = exact or near
    return node if node in ranked or not ranked else ranked[0]


def _plain(tag: str | None) -> str:
    return (tag or "").replace("_", "-").lower()


def _language(tag: str) -> str:
    return _plain(tag).partition("-")[0]
