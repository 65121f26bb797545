"""What an author's editor sends."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field

from heartrule.server.bodies import Body, Locale, speakable

Title = Annotated[str, AfterValidator(speakable), Field(min_length=1, max_length=120)]
Path = Annotated[str, AfterValidator(speakable), Field(min_length=1, max_length=200)]
Text = Annotated[str, AfterValidator(speakable), Field(max_length=2_000_000)]
Texts = Annotated[dict[Path, Text | None], Field(max_length=500, repr=False)]
Note = Annotated[str, AfterValidator(speakable), Field(max_length=2_000)]
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]


class NewProject(Body):
    """Made from a ``template``, or as a copy of another project (``copy``)."""

    name: Title
    template: Annotated[str, Field(max_length=64)] | None = None
    copy_of: Annotated[str | None, Field(alias="copy", max_length=200)] = None
    locale: Locale | None = None


class RenameRequest(Body):
    name: Title


class NewVersion(Body):
    """``base``: the version that what is sent was made of. ``changes``: files as they are now, null takes one away.
    ``renames``: old path → new path."""

    base: Number
    note: Note = ""
    changes: Texts = {}
    renames: Annotated[dict[Path, Path], Field(max_length=500)] = {}


class RestoreRequest(Body):
    note: Note = ""


class NewDraft(Body):
    base: Number
    texts: Texts = {}


class NewLayout(Body):
    layout: Annotated[dict[str, Any], Field(repr=False)]


class Question(Body):
    """What is asked, and the texts that are not saved. Each question has keys of its own."""

    model_config = ConfigDict(extra="allow")

    texts: Texts = {}


class Condition(Body):
    """A condition as a script has it (``text``), or as a tree (``condition``)."""

    text: Any = None
    condition: Any = None


class Questionnaire(Body):
    questionnaire: Annotated[dict[str, Any], Field(repr=False)]
    locale: Locale | None = None


class NewTrial(Body):
    """``script``: the session's id in the project. ``model`` false: without a model."""

    script: Annotated[str, AfterValidator(speakable), Field(min_length=1, max_length=200)]
    texts: Texts = {}
    locale: Locale | None = None
    model: bool = True
    variables: Annotated[dict[str, Any], Field(max_length=100, repr=False)] = {}


class NewRun(Body):
    texts: Texts = {}


Named = Literal["findings", "map", "fields", "variables", "dependencies", "operations", "form", "fhir"]
