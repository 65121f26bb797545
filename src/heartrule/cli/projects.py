"""``heartrule projects``: what is written in the workbench, into folders and out of them, with its history."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo, echo_json
from heartrule.cli.settings import Data, Form, Lang, settings
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.store.projects import ProjectRecord
    from heartrule.store.store import Store
    from heartrule.workbench.git import Commit

projects = typer.Typer(no_args_is_help=True)
Which = Annotated[str, typer.Argument(metavar="PROJECT", help=said("项目的编号或名字。", "The project's id or name."))]


@projects.command("list", help=said("列出工作台里的项目。", "List the projects of the workbench."))
def listed(
    form: Form = "text",
    data: Data = None,
    lang: Lang = None,
) -> None:
    import asyncio

    from heartrule.cli.keys import opened

    words = Words(spoken_here(lang))
    with opened(settings(data), words) as store:
        found = asyncio.run(store.projects.all())
    if form == "json":
        told = [{"id": each.id, "name": each.name, "owner": each.owner, "version": each.version} for each in found]
        echo_json(told)
        return
    for each in found:
        echo(f"{each.id}  {each.name} · {each.owner} · {each.version}")
    if not found:
        echo(words("projects_none"))


@projects.command(
    "import",
    help=said(
        "把一个脚本文件夹收进工作台；文件夹由 git 管理时，每次提交成一个版本。",
        "Take a folder of scripts into the workbench; where git keeps the folder, each commit becomes a version.",
    ),
)
def take_in(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help=said("脚本的文件夹。", "The folder of scripts."))],
    owner: Annotated[
        str,
        typer.Option("--owner", metavar="ID", help=said("归谁：帐户的编号。", "Whose it is: the id of an account.")),
    ],
    name: Annotated[
        str | None,
        typer.Option(
            "--name",
            help=said("叫什么（默认文件夹的名字）。", "Its name (by default the folder's)."),
            show_default=False,
        ),
    ] = None,
    history: Annotated[
        bool,
        typer.Option(
            "--history/--no-history", help=said("把 git 的历史也带进来。", "Take the history of git as well.")
        ),
    ] = True,
    data: Data = None,
    lang: Lang = None,
) -> None:
    import asyncio
    from datetime import UTC, datetime

    from heartrule.cli.keys import opened
    from heartrule.store.projects import Author
    from heartrule.workbench import git
    from heartrule.workbench.workbench import BadPath, check, read_folder

    words = Words(spoken_here(lang))
    if not folder.is_dir():
        raise stop(words("project_missing", folder=folder), 2)
    now, who = datetime.now(UTC), Author(owner, owner)
    try:
        texts = read_folder(folder)
        check(texts)
        past = [
            (Author(owner, each.author), each.at, each.note, each.texts)
            for each in (git.commits(folder) if history and git.holds_history(folder) else ())
        ]
    except BadPath as bad:
        raise stop(words("bad_path", path=bad), 2) from None
    except git.NoGit as refused:
        raise stop(str(refused), 2) from None
    if not texts:
        raise stop(words("project_empty", folder=folder), 2)
    if not past or dict(past[-1][3]) != texts:
        past.append((who, now, "", texts))
    with opened(settings(data), words) as store:
        made = asyncio.run(store.projects.write_history(name or folder.resolve().name, past, who, now))
    echo(words("project_taken_in", id=made.id, name=made.name, versions=made.version))


@projects.command(
    help=said(
        "把工作台里的一个项目写进文件夹；--git 每个版本一次提交。",
        "Write a project of the workbench into a folder; with --git, a commit for each version.",
    )
)
def export(
    project: Which,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help=said("写到哪里。", "Where to."))],
    with_git: Annotated[
        bool, typer.Option("--git", help=said("每个版本一次提交。", "A commit for each version."))
    ] = False,
    data: Data = None,
    lang: Lang = None,
) -> None:
    import asyncio

    from heartrule.cli.keys import opened
    from heartrule.workbench import git
    from heartrule.workbench.workbench import BadPath

    words = Words(spoken_here(lang))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise stop(words("new_exists", folder=folder), 2)
    with opened(settings(data), words) as store:
        versions = asyncio.run(_versions(store, project, words, every=with_git))
    try:
        if with_git:
            for each in versions:
                git.commit(folder, each)
        else:
            git.write(folder, versions[-1].texts)
    except (OSError, git.NoGit, BadPath) as error:
        raise stop(f"{folder}: {error}", 2) from None
    echo(words("project_exported", folder=folder, versions=len(versions)))


@projects.command(
    help=said("两个版本之间改了什么，用话说出来。", "What changed between two versions, in words."),
)
def compare(
    project: Which,
    before: Annotated[int, typer.Argument(metavar="A", min=1, help=said("从哪个版本。", "From which version."))],
    after: Annotated[int, typer.Argument(metavar="B", min=1, help=said("到哪个版本。", "To which version."))],
    form: Form = "text",
    data: Data = None,
    lang: Lang = None,
) -> None:
    import asyncio

    from heartrule.authoring.diff.versions import changes_json, compared
    from heartrule.cli.keys import opened
    from heartrule.engine.installed_types import field_models

    words = Words(spoken_here(lang))
    with opened(settings(data), words) as store:
        one, other = asyncio.run(_two(store, project, (before, after), words))
    changes = compared(one, other, field_models())
    if form == "json":
        echo_json(changes_json(changes))
        return
    file = None
    for each in changes:
        if each.file != file:
            file = each.file
            echo(file)
        echo(f"  {each.says.localized(words.language)}")
    if not changes:
        echo(words("projects_same"))


async def _two(
    store: Store, name: str, numbers: tuple[int, int], words: Words
) -> tuple[Mapping[str, str], Mapping[str, str]]:
    from heartrule.store.projects import NoSuchProject

    found = await _find(store, name, words)
    texts = []
    for number in numbers:
        try:
            texts.append((await store.projects.texts(found.id, number))[1])
        except NoSuchProject:
            raise stop(words("version_unknown", number=number, newest=found.version), 2) from None
    return texts[0], texts[1]


async def _versions(store: Store, name: str, words: Words, *, every: bool) -> list[Commit]:
    from heartrule.workbench.git import Commit

    found = await _find(store, name, words)
    numbers = range(1, found.version + 1) if every else [found.version]
    commits = []
    for number in numbers:
        version, texts = await store.projects.texts(found.id, number)
        commits.append(Commit(version.author.name, version.at, version.note, texts))
    return commits


async def _find(store: Store, name: str, words: Words) -> ProjectRecord:
    """By its id, or by its name where only one has it."""
    every = await store.projects.all()
    found = [each for each in every if each.id == name] or [each for each in every if each.name == name]
    if len(found) != 1:
        known = "\n".join(f"  {each.id}  {each.name}" for each in every)
        told = words("project_unknown", name=name)
        raise stop(f"{told}\n{known}".rstrip(), 2)
    return found[0]
