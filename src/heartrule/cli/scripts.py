"""``heartrule scripts``: what can be held."""

from __future__ import annotations

from dataclasses import asdict
from itertools import groupby

from heartrule.cli.safe_text import echo, echo_json
from heartrule.cli.settings import Form, Lang, Projects
from heartrule.cli.words import Words, spoken_here


def scripts(
    form: Form = "text",
    project: Projects = None,
    lang: Lang = None,
) -> None:
    from rich.cells import cell_len

    from heartrule.engine.installed_types import field_models
    from heartrule.language.projects.library import Library, library_root

    found = Library([library_root(), *(project or ())], field_models()).scripts()
    if form == "json":
        echo_json([asdict(each) for each in found])
        return
    if not found:
        echo(Words(spoken_here(lang))("scripts_none"))
    width = max((cell_len(each.id) for each in found), default=0)
    for name, group in groupby(found, key=lambda each: each.project):
        if name:
            echo(name)
        for each in group:
            more = "".join(f" · {part}" for part in (each.duration, each.audience) if part)
            echo(f"{each.id}{' ' * (width - cell_len(each.id))}  {each.name} · {each.locale}{more}")
