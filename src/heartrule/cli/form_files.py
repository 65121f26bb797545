"""Forms and answers by the name they are given on the command line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heartrule.cli.faults import stop
from heartrule.cli.words import Words

if TYPE_CHECKING:
    from heartrule.language.nodes.forms import Form
    from heartrule.language.projects.project import LoadedProject

_LARGEST = 4_000_000


def shelves(roots: Iterable[Path]) -> list[LoadedProject]:
    """The projects we ship and those under ``roots``."""
    from heartrule.engine.installed_types import field_models
    from heartrule.language.projects.library import Library, library_root

    return Library([library_root(), *roots], field_models()).projects()


def form_of(reference: str, roots: Iterable[Path], words: Words) -> Form:
    """``project/form``, ``FILE.yaml`` or ``FILE.yaml#form``, or a Questionnaire in a JSON file. Stops where there is
    none, or none that can be read."""
    name, _, wanted = reference.partition("#")
    if name.lower().endswith(".json"):
        return _of_fhir(Path(name), words)
    if name.lower().endswith((".yaml", ".yml")):
        return _of_file(Path(name), wanted, words)
    from heartrule.language.references import pick, split

    home, rest = split(reference, "")
    found = [pick(project.forms, rest) for project in shelves(roots) if home in ("", project.id)]
    forms = [form for form in found if form is not None]
    if len(forms) != 1:
        raise stop(words("form_unknown", name=reference), 2)
    return forms[0]


def _of_fhir(path: Path, words: Words) -> Form:
    from heartrule.language.fhir.questionnaire_import import NotReadable, from_fhir

    try:
        return from_fhir(json_of(path, words)).form
    except NotReadable as wrong:
        raise stop(f"{path}: {wrong.said.localized(words.language)}", 2) from None


def _of_file(path: Path, wanted: str, words: Words) -> Form:
    from heartrule.engine.installed_types import field_models
    from heartrule.language.findings.report import report
    from heartrule.language.projects.loader import load
    from heartrule.language.references import pick

    file = load(_bytes(path, words), path.name, field_models())
    wrong = [found for found in file.findings if found.stops]
    if wrong:
        raise stop(report(wrong, lang=words.language), 2)
    form = pick(file.forms, wanted) if wanted else file.forms[0] if len(file.forms) == 1 else None
    if form is None:
        known = ", ".join(each.id or each.form for each in file.forms) or "—"
        raise stop(words("form_which", file=path, known=known), 2)
    return form


def json_of(path: Path, words: Words) -> Any:
    """What a JSON file holds; ``-`` is standard input."""
    try:
        return json.loads(_bytes(path, words))
    except (ValueError, RecursionError):
        raise stop(words("form_no_json", file=path), 2) from None


def _bytes(path: Path, words: Words) -> bytes:
    import sys

    try:
        if str(path) == "-":
            raw = sys.stdin.buffer.read(_LARGEST + 1)
        else:
            with path.open("rb") as opened:
                raw = opened.read(_LARGEST + 1)
    except OSError as error:
        raise stop(words("form_unreadable", file=path, reason=error.strerror or error), 2) from None
    if len(raw) > _LARGEST:
        raise stop(words("form_unreadable", file=path, reason=words("form_too_large", limit=_LARGEST)), 2)
    return raw


def form_yaml(form: Form) -> str:
    """A form as a script file."""
    import yaml

    data = form.model_dump(by_alias=True, exclude_defaults=True, mode="json")
    text: str = yaml.safe_dump({"forms": [data]}, allow_unicode=True, sort_keys=False, width=116)
    return text
