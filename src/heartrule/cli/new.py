"""``heartrule new``: a project of scripts from a template, in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo
from heartrule.cli.settings import Lang
from heartrule.cli.words import Words, said, spoken_here


def new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help=said("项目的名字，也是文件夹的名字。", "Its name, and its folder's."))
    ],
    template: Annotated[
        str,
        typer.Option("--template", metavar="TEMPLATE", help=said("用哪一个模板。", "The template it is made from.")),
    ] = "first_assessment",
    locale: Annotated[
        str | None,
        typer.Option("--locale", help=said("脚本的语言：zh-CN 或 en。", "Language of the scripts: zh-CN or en.")),
    ] = None,
    lang: Lang = None,
) -> None:
    from heartrule.workbench.git import write
    from heartrule.workbench.templates import NoSuchTemplate, templates, texts_of

    words = Words(spoken_here(lang))
    folder = Path(name)
    try:
        texts = texts_of(template, locale or ("zh-CN" if words.language == "zh" else "en"), folder.name)
    except NoSuchTemplate:
        known = "\n".join(f"  {each.id}  {each.name.localized(words.language)}" for each in templates())
        told = words("no_template", name=template)
        raise stop(f"{told}\n{known}", 2) from None
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise stop(words("new_exists", folder=folder), 2)
    try:
        write(folder, texts)
    except OSError as error:
        raise stop(f"{folder}: {error.strerror or error}", 2) from None
    script = next(path for path in texts if path != "project.yaml" and "sessions:" in texts[path])
    echo(words("new_made", folder=folder, script=folder / script))
