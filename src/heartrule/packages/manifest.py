"""``package.yaml`` of a project: what its package is called, which version it is, and what it requires."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from heartrule.language.findings import Finding
from heartrule.language.projects.places import PACKAGE_FILE
from heartrule.language.projects.requirements import Name, Range
from heartrule.language.projects.requirements import order as order
from heartrule.language.projects.requirements import suits as suits
from heartrule.language.shape import Shape
from heartrule.language.yaml import parse

_NUMBER = r"(?:0|[1-9]\d{0,5})"


class Manifest(BaseModel):
    """``version`` is MAJOR.MINOR.PATCH as semantic versioning has it (https://semver.org). ``licence`` is an SPDX
    expression. ``origin``: where it is kept and can be asked about; ``sources``: what its method rests on;
    ``description`` by language tag."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    name: Name
    version: Annotated[str, Field(pattern=rf"^{_NUMBER}\.{_NUMBER}\.{_NUMBER}$")]
    licence: Annotated[str, Field(min_length=1, max_length=200)]
    description: dict[str, str] = {}
    authors: tuple[str, ...] = ()
    origin: str = ""
    sources: tuple[str, ...] = ()
    requires: dict[Name, Range] = {}

    def described(self, lang: str) -> str:
        """The description in a language, else in any."""
        near = [text for tag, text in self.description.items() if tag[:2].lower() == lang[:2].lower()]
        return next(iter([*near, *self.description.values()]), "")


def read_manifest(raw: bytes | str) -> tuple[Manifest | None, list[Finding]]:
    """What the file says, and what is wrong with it; None where it cannot be used."""
    parsed = parse(raw, PACKAGE_FILE)
    data = parsed.documents[0] if parsed.documents else None
    shape = Shape(parsed, {}, Manifest)
    if not isinstance(data, dict):
        return None, parsed.findings or [shape.found("E015", (0,))]
    try:
        return Manifest.model_validate(data), parsed.findings
    except ValidationError as error:
        return None, [*parsed.findings, *shape.findings(error, (0,))]
