"""``heartrule backup`` and ``heartrule restore``: copies of what is kept, without the keys or with them elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo
from heartrule.cli.settings import Data, Lang, settings
from heartrule.cli.words import Words, said, spoken_here

REASONS = frozenset(
    {
        *("backup_no_data", "backup_no_key", "backup_no_file", "backup_in_use", "backup_broken", "backup_not_apart"),
        "backup_no_program",
    }
)


def backup(
    to: Annotated[
        Path, typer.Option("--to", help=said("副本放在哪个文件夹。", "The folder that the copy is put into."))
    ],
    keys: Annotated[
        Path | None,
        typer.Option(
            "--keys",
            help=said(
                "密钥另外放到哪个文件夹；不写就不备份。", "Another folder for the keys; left out, they are not copied."
            ),
        ),
    ] = None,
    keep: Annotated[
        int,
        typer.Option(
            "--keep", min=0, help=said("只留最新的几份；0 表示都留。", "Keep so many of the newest; 0 keeps all.")
        ),
    ] = 0,
    data: Data = None,
    lang: Lang = None,
) -> None:
    from heartrule.store import backup as copies

    words, where = Words(spoken_here(lang)), settings(data)
    with _told(words):
        made = copies.take(where.data, to, datetime.now(UTC), database=where.database)
        echo(words("backup_made", path=made, size=round(made.stat().st_size / 1024)))
        if keys is not None:
            echo(words("backup_keys", path=copies.take_keys(where.data, keys, backups=to)))
        for each in copies.prune(to, keep):
            echo(words("backup_pruned", path=each))


def restore(
    file: Annotated[Path, typer.Argument(help=said("一份副本。", "A copy."))],
    keys: Annotated[
        Path | None,
        typer.Option("--keys", help=said("密钥的副本在哪个文件夹。", "The folder with the copy of the keys.")),
    ] = None,
    data: Data = None,
    lang: Lang = None,
) -> None:
    from heartrule.store import backup as copies

    words, where = Words(spoken_here(lang)), settings(data)
    with _told(words):
        copies.restore(file, where.data, keys=keys, database=where.database)
    echo(words("backup_restored", folder=where.data))
    if keys is None:
        echo(words("backup_keys_needed"))


@contextmanager
def _told(words: Words) -> Iterator[None]:
    from heartrule.store.backup import BackupError

    try:
        yield
    except BackupError as refused:
        raise stop(words(refused.code if refused.code in REASONS else "backup_failed", about=refused.about)) from None
    except OSError as error:
        raise stop(words("backup_failed", about=f"{error.filename or ''}: {error.strerror}")) from None
