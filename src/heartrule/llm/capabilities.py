"""What a model can do where it is asked: a dated table (``capabilities.yaml``), and what ``heartrule.toml`` says of it.
None is unknown, and is learned from what the server refuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from fnmatch import fnmatchcase
from functools import cache
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, model_validator

from heartrule.llm.providers.dialect import Dialect, Structured

Tokens = Annotated[int, Field(ge=256, le=100_000_000)]
Temperature = Annotated[float, Field(ge=0, le=2)]


class Capabilities(BaseModel):
    """``context``: tokens of a prompt and its answer together; ``output``: of an answer. ``quiet`` is sent along so
    that no time is spent on thinking; ``thinks``: it cannot be helped. ``temperature``: the lowest and the highest, or
    ``fixed``, when none is sent."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    context: Tokens | None = None
    output: Tokens | None = None
    structured: Structured | None = None
    streams: bool | None = None
    counts_streams: bool | None = None
    cache: Literal["automatic", "explicit", "none"] | None = None
    quiet: dict[str, Any] | None = None
    thinks: bool | None = None
    temperature: tuple[Temperature, Temperature] | Literal["fixed"] | None = None
    tokens_field: Literal["max_tokens", "max_completion_tokens"] | None = None

    @model_validator(mode="after")
    def _in_order(self) -> Capabilities:
        if isinstance(self.temperature, tuple) and self.temperature[0] > self.temperature[1]:
            raise ValueError("temperature: the lower limit comes first")
        return self

    @property
    def limits(self) -> tuple[float, float] | None:
        """Of the temperature, where there are any."""
        return self.temperature if isinstance(self.temperature, tuple) else None

    def dialect(
        self, *, fixed: Structured | None = None, thinking: bool = False, extra: Mapping[str, Any] | None = None
    ) -> Dialect:
        """How the model is spoken to at first. ``fixed``: the settings say how answers are held to JSON; ``extra``,
        what else is sent, goes before what makes it quiet."""
        found = Dialect(fixed or self.structured or "json_schema", fixed=fixed is not None)
        found.quiet, found.extra = {} if thinking else self.quiet or {}, extra or {}
        found.temperature = self.temperature != "fixed"
        if self.tokens_field is not None:
            found.tokens_field = self.tokens_field
        if self.streams is not None:
            found.streams = self.streams
        if self.counts_streams is not None:
            found.counts_streams = self.counts_streams
        return found


class Entry(Capabilities):
    """A line of the table. ``hosts`` and ``models`` are patterns; a host with a port is one of that port."""

    name: str
    hosts: tuple[str, ...]
    models: tuple[str, ...]
    read: date
    sources: tuple[str, ...]

    def fits(self, host: str, model: str) -> bool:
        names = (host, host.rpartition(":")[0] or host)
        here = any(fnmatchcase(name, pattern) for name in names for pattern in self.hosts)
        return here and any(fnmatchcase(model, pattern) for pattern in self.models)


UNKNOWN = Capabilities()


@cache
def table() -> Sequence[Entry]:
    """The entries we ship."""
    from heartrule.language.texts.plain import packaged_yaml

    return tuple(Entry.model_validate(line) for line in packaged_yaml("heartrule.llm", "capabilities.yaml"))


def known(base_url: str, model: str, dialect: str = "", own: Capabilities = UNKNOWN) -> Capabilities:
    """What is known of a model at this address: what its user says (``own``), else the entry that is called
    ``dialect``, else the first that fits."""
    parts = urlsplit(base_url.strip())
    host, name = parts.netloc.rpartition("@")[2].lower(), model.lower()
    entries = table()
    if dialect:
        entry = next((each for each in entries if each.name == dialect), None)
    else:
        entry = next((each for each in entries if each.fits(host, name)), None)
    said = {field: getattr(own, field) for field in own.model_fields_set}
    return Capabilities(**{**({} if entry is None else _of(entry)), **said})


def names() -> list[str]:
    """What ``dialect`` may be."""
    return [entry.name for entry in table()]


def _of(entry: Entry) -> dict[str, Any]:
    return {field: getattr(entry, field) for field in Capabilities.model_fields}
