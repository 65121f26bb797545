"""Answers in a file of their own, as a test's ``answers``: what cassettes can be recorded from without a model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, finding
from heartrule.language.nodes.node import Json, Place
from heartrule.language.projects.project import read_file
from heartrule.language.yaml import parse
from heartrule.script_tests.answer_table import templates, wrong
from heartrule.script_tests.case_files import near


def read_answers(path: Path) -> tuple[Mapping[str, Json], list[Finding]]:
    """By template, and what is wrong with them."""
    shown = path.as_posix()
    raw, problem = read_file(path)
    if problem:
        return {}, [finding("E017", Place(shown, 1, 1), problem=problem)]
    parsed = parse(raw, shown)
    found = list(parsed.findings)
    data = parsed.documents[0] if parsed.documents else None
    if not isinstance(data, dict):
        return {}, found or [finding("E015", Place(shown, 1, 1))]
    for template, answer in data.items():
        spot = parsed.map.key((0, template))
        place = Place(shown, spot.line, spot.column)
        if template not in templates():
            kind, known = Bilingual("提示词模板", "prompt template"), near(str(template), sorted(templates()))
            found.append(finding("E703", place, kind=kind, name=template, advice=known))
        elif why := wrong(answer):
            found.append(finding("E712", place, template=template, why=why))
    return data, found
