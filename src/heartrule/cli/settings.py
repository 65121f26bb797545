"""Options that several commands share, and the settings they make."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from heartrule.cli.faults import stop
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.sessions import Settings

SUFFIXES = (".yaml", ".yml")
Form = Annotated[Literal["text", "json"], typer.Option("--format", help=said("输出的格式。", "Form of output."))]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        envvar="HEARTRULE_DATA",
        help=said(
            "保存一切的文件夹（默认 ~/.heartrule）。", "Folder that everything is kept in (default ~/.heartrule)."
        ),
        show_default=False,
    ),
]


def _with_scripts(folders: list[Path] | None) -> list[Path] | None:
    """Stops at a folder that is not there, and at one in which nothing is to be held: nobody names it for nothing."""
    for folder in folders or ():
        if not folder.exists():
            raise stop(Words(spoken_here())("project_missing", folder=folder), 2)
        if not _holds_a_script(folder):
            raise stop(Words(spoken_here())("project_empty", folder=folder), 2)
    return folders


def _holds_a_script(folder: Path) -> bool:
    from heartrule.language.projects.library import projects_in
    from heartrule.language.projects.project import PROJECT_FILE, read_texts

    files = (name for project in projects_in(folder) for name in read_texts(project)[0])
    return any(name.lower().endswith(SUFFIXES) and name != PROJECT_FILE for name in files)


Projects = Annotated[
    list[Path] | None,
    typer.Option(
        "--project",
        callback=_with_scripts,
        help=said(
            "自带脚本库之外的脚本文件夹，可以写几次。", "A folder of scripts beside the library; may be given again."
        ),
        show_default=False,
    ),
]
Lang = Annotated[
    str | None,
    typer.Option(
        "--lang",
        help=said("用中文（zh）还是英文（en）说话。", "Speak Chinese (zh) or English (en)."),
        show_default=False,
    ),
]


def settings(data: Path | None, projects: list[Path] | None = None) -> Settings:
    """Stops when the folder stands in a home (``~name``) that nobody has."""
    from heartrule.sessions import Settings

    try:
        return Settings.from_environment(data, projects or ())
    except RuntimeError:
        folder = data or os.environ.get("HEARTRULE_DATA") or "~"
        words = Words(spoken_here())
        raise stop(words("folder_unusable", folder=folder, reason=words.of("folder_reasons", "no_home"))) from None
