"""``heartrule keys``: the master key that seals the data keys of all persons."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo
from heartrule.cli.settings import Data, Lang, settings
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.sessions import Settings
    from heartrule.store.store import Store

T = TypeVar("T")
keys = typer.Typer(no_args_is_help=True)


def opened(where: Settings, words: Words) -> Store:
    """The store of this folder, to be closed. Stops in plain words when it cannot be used."""
    from heartrule.cli.folder import Unusable, opening
    from heartrule.store.records import StoreError
    from heartrule.store.store import Store

    folder = where.data if where.database else None
    try:
        with opening(where.data):
            return Store.open(where.database or where.data, folder=folder, keys=where.keys)
    except Unusable as unusable:
        raise stop(unusable.explanation(words)) from None
    except StoreError as refused:
        raise stop(str(refused)) from None


def in_store(
    data: Data,
    words: Words,
    work: Callable[[Store], Awaitable[T]],
    refusals: Mapping[type[Exception], str],
    **told: str,
) -> T:
    """What ``work`` gives of the store of the data folder. Whatever is refused is said in the sentence of that name,
    with ``told`` in it."""
    import asyncio

    async def run(store: Store) -> T:
        return await work(store)

    try:
        with opened(settings(data), words) as store:
            return asyncio.run(run(store))
    except tuple(refusals) as refused:
        raise stop(words(refusals[type(refused)], **told), 2) from None


def _current(folder: Path) -> tuple[str, Path]:
    from heartrule.store import master

    path = folder / master.FILE
    found = master.read(path)
    if found is None:
        raise stop(str(path))
    return found[0].id, path


@keys.command(help=said("主密钥的编号和文件。", "The master key's id and file."))
def show(data: Data = None, lang: Lang = None) -> None:
    words, where = Words(spoken_here(lang)), settings(data)
    with opened(where, words):
        key, path = _current(where.data)
    echo(words("keys_shown", id=key, path=path))
    echo(words("keys_backup"))


@keys.command(help=said("换一个新的主密钥。", "Put a new master key in place of the old one."))
def rotate(data: Data = None, lang: Lang = None) -> None:
    import asyncio

    words, where = Words(spoken_here(lang)), settings(data)
    with opened(where, words) as store:
        sealed = asyncio.run(store.rotate_keys())
    key, path = _current(where.data)
    echo(words("keys_rotated", new=key, path=path, sealed=sealed))
    echo(words("keys_backup"))
