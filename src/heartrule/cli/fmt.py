"""``heartrule fmt``: scripts in another spelling are written in ours, by edits on their text."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Annotated

import typer

from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo
from heartrule.cli.settings import Lang
from heartrule.cli.words import Words, said, spoken_here


def fmt(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[PATH…]",
            help=said(
                "脚本文件、项目文件夹，或装着项目的文件夹；不写就是这里。",
                "Script files, project folders, folders of projects; without any, what is here.",
            ),
        ),
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help=said("不写文件，只列出会变的；有就以 1 退出。", "Only name what would change.")),
    ] = False,
    ids: Annotated[bool, typer.Option("--ids", help=said("给没有 id 的补上。", "Give ids to what has none."))] = False,
    lang: Lang = None,
) -> None:
    from heartrule.engine.installed_types import field_models
    from heartrule.language.findings.report import report
    from heartrule.language.formatting import format_paths

    words = Words(spoken_here(lang))
    made = format_paths(paths or [Path()], field_models(), ids=ids)
    if not made:
        raise stop(words("lint_none"))
    failed = False
    changed = 0
    for each in made:
        if each.findings:
            failed = True
            echo(report(each.findings, "text", words.language), err=True)
            echo(words("fmt_untouched", path=each.path), err=True)
        elif each.changed:
            changed += 1
            if not check and (problem := replace_file(each.path, each.after)):
                failed = True
                changed -= 1
                echo(words("fmt_unwritten", path=each.path, problem=problem), err=True)
                continue
            echo(words("fmt_would" if check else "fmt_done", path=each.path))
    echo(words("fmt_counts", count=len(made), changed=changed))
    raise typer.Exit(1 if failed or (check and changed) else 0)


def replace_file(path: Path, content: bytes) -> str:
    """Puts the content in the file's place in one step, with the file's own rights; says what kept it from being."""
    place = path.resolve()
    draft = ""
    try:
        with NamedTemporaryFile(dir=place.parent, prefix=f".{place.name}.", delete=False) as file:
            draft = file.name
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(draft, place.stat().st_mode)
        os.replace(draft, place)
    except OSError as error:
        with suppress(OSError):
            os.unlink(draft)
        return error.strerror or str(error)
    return ""
