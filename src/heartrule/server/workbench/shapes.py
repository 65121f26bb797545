"""What the workbench answers with."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import ConfigDict

from heartrule.server.shapes import Count, Shape


class BothShape(Shape):
    """A text in both languages."""

    model_config = ConfigDict(title="Both")

    zh: str
    en: str


class ProjectScript(Shape):
    """A session that a project holds; ``id`` within the project."""

    id: str
    name: str
    file: str
    locale: str


class ProjectShape(Shape):
    """``slug`` is the id in its ``project.yaml``. One in a folder can be read only; its ``version`` is 0. ``mine``: the
    asker owns it, and may share it and take it away."""

    model_config = ConfigDict(title="Project")

    id: str
    name: str
    origin: Literal["store", "folder", "library"]
    slug: str
    writable: bool
    mine: bool
    version: Count
    author: str
    updated_at: datetime | None
    scripts: list[ProjectScript]


class ProjectList(Shape):
    projects: list[ProjectShape]


class FileEntry(Shape):
    path: str
    hash: str
    size: Count


class FileList(Shape):
    version: Count
    files: list[FileEntry]


class FileText(Shape):
    path: str
    text: str
    hash: str
    version: Count


class ProjectTexts(Shape):
    version: Count
    texts: dict[str, str]


class VersionShape(Shape):
    model_config = ConfigDict(title="Version")

    number: Count
    author: str
    at: datetime
    note: str
    changed: list[str]


class VersionTexts(VersionShape):
    model_config = ConfigDict(title="VersionTexts")

    texts: dict[str, str]


class VersionList(Shape):
    versions: list[VersionShape]
    more: bool


class OtherTab(Shape):
    """Another tab of the same author on the same project, and the files that it holds unsaved."""

    tab: str
    at: datetime
    paths: list[str]


class DraftKept(Shape):
    at: datetime
    others: list[OtherTab]


class DraftShape(Shape):
    """``texts``: null where a file is to go."""

    model_config = ConfigDict(title="Draft")

    tab: str
    at: datetime
    base: Count
    texts: dict[str, str | None]


class DraftList(Shape):
    drafts: list[DraftShape]


class Layout(Shape):
    layout: dict[str, Any]


class TemplateShape(Shape):
    model_config = ConfigDict(title="ProjectTemplate")

    id: str
    name: BothShape
    about: BothShape
    locales: list[str]


class TemplateList(Shape):
    templates: list[TemplateShape]


class BlockShape(Shape):
    """A part to drop into a script: ``accepts`` is the kind of list that it is an item of."""

    model_config = ConfigDict(title="Block")

    id: str
    name: BothShape
    about: BothShape
    accepts: Literal["action", "topic", "phase", "technique", "form", "awareness", "session", "variable"]
    item: str


class BlockList(Shape):
    blocks: list[BlockShape]


class FormRead(Shape):
    """A form read from FHIR: an item of ``forms`` as YAML, and what it has no place for."""

    form: str
    id: str
    notes: list[BothShape]


class CaseResult(Shape):
    name: str
    file: str
    passed: bool
    told: list[str]


class TestRun(Shape):
    at: datetime
    passed: Count
    failed: Count
    cases: list[CaseResult]


class ProjectCoverage(Shape):
    """``nodes``: how often the last run of the tests came to each node, by its id on the map. ``at``: none was run."""

    at: datetime | None
    nodes: dict[str, int]


class TrialSession(Shape):
    """A session of the present text, and what opens it."""

    session: str
    token: str
    script: str


class ChangeShape(Shape):
    """``path`` is where it stands now, or stood; ``before`` and ``after`` are whole values, null where there is none.
    ``help`` is what the key means."""

    model_config = ConfigDict(title="Change")

    kind: Literal[
        "added", "removed", "moved", "copied", "renamed", "set", "changed", "unset", "comment", "formatting", "text"
    ]
    file: str
    path: list[str | int]
    says: BothShape
    before: Any
    after: Any
    help: BothShape | None


class VersionComparison(Shape):
    """What has changed, file by file. Empty where nothing has."""

    model_config = ConfigDict(title="Comparison")

    before: Count
    after: Count
    changes: list[ChangeShape]
