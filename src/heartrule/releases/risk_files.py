"""Labelled utterances, put before the rules of a safety project and of the one that it would take the place of."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from heartrule.evals import risk_items, risk_run
from heartrule.evals.labelled_files import BadFile
from heartrule.evals.risk_figures import strongest
from heartrule.language.projects.project import LoadedProject
from heartrule.releases.gates import SHOWN


def heard(new: LoadedProject, served: LoadedProject | None, files: Sequence[Path]) -> dict[str, Any]:
    """The labelled rows, heard by the rules of both; what the new ones miss or raise wrongly that the others do not."""
    rows: list[risk_items.Utterance] = []
    for file in files:
        try:
            rows += risk_items.load_utterances(file)
        except BadFile as bad:
            return {"messages": 0, "missed": 1, "wrong": 0, "rows": [f"{file.name}: {bad}"]}
    now, before = _heard(new, rows), _heard(served, rows)
    missed, wrong = [], []
    for row, one, other in zip(rows, now, before, strict=True):
        if row.risk == "self_harm" and one == "none" and other != "none":
            missed.append(row.id)
        elif row.risk == "none" and one == "explicit" and other != "explicit":
            wrong.append(row.id)
    return {"messages": len(rows), "missed": len(missed), "wrong": len(wrong), "rows": [*missed, *wrong][: SHOWN * 2]}


def _heard(project: LoadedProject | None, rows: Sequence[risk_items.Utterance]) -> list[str]:
    nodes = [each for each in project.awareness if each.always and each.priority == "P0"] if project is not None else []
    found = [risk_run.by_rules(node, rows, lambda *_: None) for node in nodes]
    return [strongest(each[number].found for each in found) for number in range(len(rows))]
