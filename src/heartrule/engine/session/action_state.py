"""What is kept of an action between turns, beside what its frame holds of every action: a typed part each, of whoever
keeps it, which is read as what it is and stored as JSON."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, RootModel, SerializationInfo, model_serializer


class ActionState(BaseModel):
    """One part. An action type's own stands in the type's file and is read by nobody else; what a room notes on any
    action is read in that room. ``section``: under what it is stored. Every field has a default."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)
    section: ClassVar[str]

    @classmethod
    def of(cls, frame: Keeper) -> Self:
        """The part as this frame keeps it. What is changed in it is kept."""
        return frame.kept.of(cls)


T = TypeVar("T", bound=ActionState)


class FrameState(RootModel[dict[str, Any]]):
    """The parts of one frame, each as JSON until it is asked for. A part in which nothing stands is not stored."""

    root: dict[str, Any] = Field(default={}, repr=False)

    def of(self, kind: type[T]) -> T:
        found = self.root.get(kind.section)
        if not isinstance(found, kind):
            found = self.root[kind.section] = kind.model_validate(found or {})
        return found

    @model_serializer
    def _stored(self, info: SerializationInfo) -> dict[str, Any]:
        parts = {name: _plain(part, info.mode) for name, part in self.root.items()}
        return {name: part for name, part in parts.items() if part}

    def __eq__(self, other: object) -> bool:
        """Whether the same is kept, whoever has been asked for it as what it is already."""
        if not isinstance(other, FrameState):
            return NotImplemented
        names = self.root.keys() | other.root.keys()
        return all(_is_same(self.root.get(name), other.root.get(name)) for name in names)

    __hash__ = None  # type: ignore[assignment]


class Keeper(Protocol):
    @property
    def kept(self) -> FrameState: ...


def _plain(part: Any, mode: str) -> Any:
    return part.model_dump(mode=mode, exclude_defaults=True) if isinstance(part, ActionState) else part


def _is_same(one: Any, other: Any) -> bool:
    kind = next((type(each) for each in (one, other) if isinstance(each, ActionState)), None)
    if kind is None:
        return bool((one or {}) == (other or {}))
    return bool(kind.model_validate(one or {}) == kind.model_validate(other or {}))
