"""The tests of a project run on the engine, without a model, and what of its scripts they came to."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass

from heartrule.authoring.project_map import TESTS
from heartrule.authoring.wire import Json, node_id
from heartrule.authoring.workspace import Workspace
from heartrule.language.compiling.compiler import compile_session
from heartrule.language.compiling.script import Script
from heartrule.language.findings import Refused
from heartrule.language.projects.project import SAFETY
from heartrule.language.references import in_locale, pick
from heartrule.locales import is_chinese
from heartrule.script_tests.case import Case
from heartrule.script_tests.case_files import ReadFile, parse_cases
from heartrule.script_tests.case_run import RanCase, run
from heartrule.script_tests.coverage import Item, items, reached
from heartrule.script_tests.report_text import ReportTexts
from heartrule.workbench.trial import compiled

MOST = 100
"""Cases that are run at once."""
SECONDS = 60.0
"""When no further one is begun."""


@dataclass(frozen=True, slots=True)
class ProjectTestRun:
    """``nodes``: how often each node of the map was come to, by its id. ``reached``: what of its own scripts was;
    ``left``: cases that there was no time for."""

    cases: tuple[Json, ...]
    nodes: Json
    reached: frozenset[Item]
    left: int


def run_project_tests(workspace: Workspace, lang: str, most: int = MOST, seconds: float = SECONDS) -> ProjectTestRun:
    """Every case of the project's test files that needs no live model."""
    began, nodes, cases = time.monotonic(), Counter[str](), list[Json]()
    found, left = set[Item](), 0
    told = ReportTexts("zh" if is_chinese(lang) else "en")
    scripts: dict[tuple[str, str | None], Script | Refused] = {}
    for file, text in sorted(workspace.texts.items()):
        if not file.endswith(TESTS):
            continue
        known = parse_cases(text, file)
        cases += [_wrong(file, str(each.localized(lang).message)) for each in known.findings if each.stops]
        for case in known.cases:
            if case.by in ("live", "recorded"):
                continue
            if len(cases) >= most or time.monotonic() - began > seconds:
                left += 1
                continue
            script = script_of(workspace, known, case, scripts)
            if isinstance(script, Refused):
                cases.append(_case(case, file, False, [each.localized(lang).message for each in script.findings]))
                continue
            ran = run(case, script)
            cases.append(_case(case, file, ran.passed, _why(ran, told)))
            _count(workspace, script, ran, nodes, found)
    return ProjectTestRun(tuple(cases), dict(nodes), frozenset(found), left)


def own_items(workspace: Workspace, script: Script) -> frozenset[Item]:
    """What of the project's own can be come to in a session of this script."""
    return frozenset(each for each in items(script) if each.project == workspace.now.project.id)


def script_of(
    workspace: Workspace, known: ReadFile, case: Case, scripts: dict[tuple[str, str | None], Script | Refused]
) -> Script | Refused:
    """The script of a case: named by its session, its file, or both; else the only one of the project."""
    name = case.script or known.script or ""
    if (elsewhere := _elsewhere(workspace, name, case.locale)) is not None:
        return elsewhere
    file, _, session = name.partition("#")
    if not session:
        session = name.rpartition("/")[2] if name and not file.endswith((".yaml", ".yml")) else ""
    if not session:
        own = [each for each in workspace.now.project.sessions if not name or each.place.file == file.lstrip("./")]
        first = next((each for each in own if each.translation_of is None), None)
        session = (first.id or first.session) if first is not None else ""
    key = (session, case.locale)
    if key not in scripts:
        try:
            scripts[key] = compiled(workspace, session, case.locale)
        except Refused as refused:
            scripts[key] = refused
    return scripts[key]


def _elsewhere(workspace: Workspace, name: str, locale: str | None) -> Script | None:
    """A session of another project, beside the safety project as it stands here: what the tests of that are about."""
    owner, slash, session = name.partition("/")
    other = workspace.now.other(owner) if slash and owner != workspace.now.project.id else None
    found = pick(other.sessions, session) if other is not None else None
    if other is None or found is None:
        return None
    if locale is not None:
        found = in_locale(found, list(other.sessions), locale, other.node.locale)
    return compile_session(found, other, workspace.now.other, workspace.now.other(SAFETY))[0]


def _count(workspace: Workspace, script: Script, ran: RanCase, nodes: Counter[str], found: set[Item]) -> None:
    own = f"{workspace.now.project.id}/"
    places = {(item.kind, item.id): item.place for item in items(script)}
    for item in reached(script, ran.events):
        if item.project == workspace.now.project.id:
            found.add(item)
        place = places.get((item.kind, item.id))
        if place is not None and place.path and item.id.startswith(own) and item.kind != "branch":
            nodes[node_id(place.file, place.path)] += 1


def _why(ran: RanCase, told: ReportTexts) -> list[str]:
    if ran.passed:
        return []
    return told.failed(ran)


def _case(case: Case, file: str, passed: bool, why: list[str]) -> Json:
    return {"name": case.test, "file": file, "passed": passed, "told": why}


def _wrong(file: str, why: str) -> Json:
    return {"name": "", "file": file, "passed": False, "told": [why]}
