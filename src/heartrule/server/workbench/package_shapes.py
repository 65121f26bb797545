"""What is told of packages: of the index, of a change that would take some along, and of a project that has them."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from heartrule.authoring.diff.versions import changes_json
from heartrule.authoring.workspace import Workspace
from heartrule.language.findings import Finding, Severity
from heartrule.packages.capabilities import Capabilities
from heartrule.packages.index import Entry
from heartrule.packages.manifest import Manifest
from heartrule.server.bodies import Body
from heartrule.server.shapes import Count, Shape
from heartrule.server.workbench.shapes import BothShape, ChangeShape
from heartrule.workbench.project_tests import run_project_tests
from heartrule.workbench.requirements import Brought, Requirement

Digests = Annotated[dict[str, Annotated[str, Field(max_length=64)]], Field(max_length=200)]


class PackageShape(Shape):
    """``key``: who signed it."""

    model_config = ConfigDict(title="Package")

    name: str
    version: str
    licence: str
    description: str
    authors: list[str]
    origin: str
    sources: list[str]
    requires: dict[str, str]
    key: str


class PackageList(Shape):
    """``on``: the server has an index."""

    on: bool
    packages: list[PackageShape]


class PackageFinding(Shape):
    severity: Severity
    file: str
    line: Count
    message: str


class PackageCase(Shape):
    name: str
    told: list[str]


class CapabilitiesShape(Shape):
    """What scripts do, worked out from them."""

    model_config = ConfigDict(title="Capabilities")

    may: dict[str, list[str]]
    reads_memory: bool
    keeps_memory: bool


class CheckedShape(Shape):
    """``findings`` of the check, and what its own tests came to."""

    model_config = ConfigDict(title="Checked")

    findings: list[PackageFinding]
    passed: Count
    failed: list[PackageCase]


class PackageBrought(PackageShape, CapabilitiesShape, CheckedShape):
    """A package that would come, or be another version. ``former``: the version that is there, empty where none is;
    ``newly``: what it may do and that may not; ``new_key``: somebody else has signed it; ``changes``: in words."""

    model_config = ConfigDict(title="PackageBrought")

    digest: str
    former: str
    newly: CapabilitiesShape
    new_key: bool
    changes: list[ChangeShape]


class PackagePreview(PackageShape, CapabilitiesShape, CheckedShape):
    """What it is, and the packages that come with it."""

    model_config = ConfigDict(title="PackagePreview")

    digest: str
    files: list[str]
    brings: list[PackageBrought]


class RequirementPlan(Shape):
    """What requiring a package, or another version of it, would come to. ``gone``: packages that nobody would require
    any more; ``findings``: errors that the project would have then and has not now."""

    brings: list[PackageBrought]
    gone: list[str]
    findings: list[PackageFinding]


class RequirementShape(Shape):
    """``version``: what is there, empty where nothing is. ``wanted``: the range of ``package.yaml``; ``by``: others of
    them that require it. ``newer``: what could be taken in its place, or because it is missing; empty where nothing."""

    model_config = ConfigDict(title="Requirement")

    name: str
    version: str
    wanted: str
    by: list[str]
    project: str
    licence: str
    description: str
    key: str
    may: dict[str, list[str]]
    reads_memory: bool
    keeps_memory: bool
    newer: str


class RequirementList(Shape):
    """``on``: the server has an index; ``unread``: why it cannot be read now. ``version``: of the project."""

    model_config = ConfigDict(title="Requirements")

    on: bool
    unread: BothShape | None
    version: Count
    required: list[RequirementShape]


class RequirementTexts(Shape):
    texts: dict[str, str]


class NewInstall(Body):
    """``digests``: of the package and of those that it brings, as they were shown."""

    digests: Digests | None = None


class NewRequirement(Body):
    """``digests``: of the packages that it brings, as they were shown."""

    version: Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+$", max_length=32)]
    digests: Digests


def facts(entry: Entry, lang: str) -> dict[str, object]:
    return {**_named(entry.manifest, lang), "key": entry.key}


def _named(one: Manifest, lang: str) -> dict[str, object]:
    return {
        "name": one.name,
        "version": one.version,
        "licence": one.licence,
        "description": one.described(lang),
        "authors": list(one.authors),
        "origin": one.origin,
        "sources": list(one.sources),
        "requires": dict(one.requires),
    }


def capable(may: Capabilities) -> dict[str, object]:
    return {
        "may": {key: list(value) for key, value in may if isinstance(value, tuple)},
        "reads_memory": may.reads_memory,
        "keeps_memory": may.keeps_memory,
    }


def checked(workspace: Workspace, lang: str) -> dict[str, object]:
    """Lints and runs the tests of what lies there: some seconds."""
    ran = run_project_tests(workspace, lang)
    return {
        "findings": [found(each, lang) for each in workspace.now.findings],
        "passed": sum(bool(each["passed"]) for each in ran.cases),
        "failed": [PackageCase(name=each["name"], told=each["told"]) for each in ran.cases if not each["passed"]],
    }


def found(each: Finding, lang: str) -> PackageFinding:
    message = str(each.localized(lang).message)
    return PackageFinding(severity=each.severity, file=each.file, line=each.line, message=message)


def brought(each: Brought, came_to: dict[str, object], lang: str) -> PackageBrought:
    return PackageBrought.model_validate(
        {
            **facts(each.entry, lang),
            **capable(each.package.about.capabilities),
            **came_to,
            "digest": each.package.digest,
            "former": each.former.version if each.former is not None else "",
            "newly": capable(each.gains),
            "new_key": each.new_key,
            "changes": changes_json(list(each.changes)),
        }
    )


def requirement(each: Requirement, lang: str) -> RequirementShape:
    locked = each.locked
    return RequirementShape.model_validate(
        {
            "name": each.name,
            "version": locked.version if locked is not None else "",
            "wanted": each.wanted,
            "by": list(each.by),
            "project": locked.project if locked is not None else "",
            "licence": each.manifest.licence if each.manifest is not None else "",
            "description": each.manifest.described(lang) if each.manifest is not None else "",
            "key": locked.key if locked is not None else "",
            **capable(locked.capabilities if locked is not None else Capabilities()),
            "newer": each.newer.manifest.version if each.newer is not None else "",
        }
    )
