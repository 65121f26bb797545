"""``heartrule escalations``: who was to be told that somebody needs help, and whether anybody has seen it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo, echo_json
from heartrule.cli.settings import Data, Form, Lang, settings
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.store.escalations import EscalationRecord

escalations = typer.Typer(invoke_without_command=True)


@escalations.callback()
def listed(
    context: typer.Context,
    open_: Annotated[
        bool, typer.Option("--open", help=said("只看还没有人确认的。", "Only those that nobody has acknowledged."))
    ] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help=said("最多显示几条。", "At most so many."))] = 50,
    form: Form = "text",
    data: Data = None,
    lang: Lang = None,
) -> None:
    if context.invoked_subcommand is not None:
        return
    import asyncio

    from heartrule.cli.keys import opened

    words = Words(spoken_here(lang))
    with opened(settings(data), words) as store:
        found = asyncio.run(store.escalations.newest(limit, unacknowledged=open_))
    if form == "json":
        echo_json([_plain(each) for each in found])
        return
    for each in found:
        for line in _lines(each, words):
            echo(line)
    if not found:
        echo(words("escalations_none_open" if open_ else "escalations_none"))


@escalations.command(
    help=said("确认一条：有人看到并且在处理了。", "Acknowledge one: somebody has seen it and sees to it.")
)
def ack(
    escalation: Annotated[str, typer.Argument(metavar="ID", help=said("列表里的编号。", "As the list shows it."))],
    by: Annotated[
        str | None, typer.Option("--by", help=said("谁确认的（默认：当前用户）。", "Who acknowledges (default: you)."))
    ] = None,
    data: Data = None,
    lang: Lang = None,
) -> None:
    import asyncio
    import getpass

    from heartrule.cli.keys import opened

    words = Words(spoken_here(lang))

    with opened(settings(data), words) as store:
        who = by or getpass.getuser()
        done = asyncio.run(store.escalations.acknowledge(escalation, who, datetime.now(UTC)))
        found = asyncio.run(store.escalations.find(escalation))
    if found is None:
        raise stop(words("escalation_unknown", id=escalation))
    if not done:
        at = f"{found.acknowledged_at:%Y-%m-%d %H:%M} UTC"
        raise stop(words("escalation_acknowledged_before", id=escalation, by=found.acknowledged_by, at=at))
    echo(words("escalation_acknowledged", id=escalation))


def _lines(found: EscalationRecord, words: Words) -> Iterator[str]:
    from heartrule.cli.safe_text import shown

    yield words(
        "escalation",
        at=f"{found.at:%Y-%m-%d %H:%M} UTC",
        status=words.of("escalation_statuses", found.status),
        id=shown(found.id),
        to=shown(found.to),
        level=found.level or "–",
        cause=shown(found.cause),
    )
    if found.attempts:
        yield words("escalation_attempts", attempts=found.attempts, error=shown(found.last_error or "–"))
    elif found.last_error:
        yield words("escalation_error", error=shown(found.last_error))
    if found.acknowledged_by:
        yield words(
            "escalation_seen", by=shown(found.acknowledged_by), at=f"{found.acknowledged_at:%Y-%m-%d %H:%M} UTC"
        )


def _plain(found: EscalationRecord) -> dict[str, object]:
    from dataclasses import asdict

    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in asdict(found).items()}
