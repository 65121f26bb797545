"""``heartrule stats``: the ledger of model calls, summed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo, echo_json
from heartrule.cli.settings import Data, Form, Lang, settings
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.store.records import Figures

By = Literal["model", "script", "project", "session", "turn", "purpose", "direction"]
_SPAN = re.compile(r"(\d{1,5})\s*([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 168}


def stats(
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            metavar="WHEN",
            help=said(
                "从什么时候起：日期、日期和时间（UTC），或者 7d、24h、2w。",
                "From when on: a date, a date with a time (UTC), or 7d, 24h, 2w.",
            ),
        ),
    ] = None,
    by: Annotated[
        By | None,
        typer.Option(
            "--by",
            help=said(
                "按什么分开：问的模型、脚本、项目、会谈、轮、用途、对比的策略方向。",
                "What to tell apart: the model asked, script, project, session, turn, purpose, or compared direction.",
            ),
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help=said("最多显示几项（文本）。", "At most so many groups (text)."))
    ] = 50,
    form: Form = "text",
    data: Data = None,
    lang: Lang = None,
) -> None:
    import asyncio

    from heartrule.cli.keys import opened

    words = Words(spoken_here(lang))
    begin = _moment(since, datetime.now(UTC), words) if since else None
    with opened(settings(data), words) as store:
        found = asyncio.run(store.figures(by, begin))
        replies = asyncio.run(store.judgements(begin)) if by in (None, "script") else ()
    if form == "json":
        from heartrule.cli import review_text
        from heartrule.cli.figures import plain

        said_since = begin.isoformat() if begin else None
        told = {"since": said_since, "by": by, "groups": [plain(each) for each in found]}
        told["replies"] = [review_text.plain(each) for each in replies]
        echo_json(told)
        return
    for line in _lines(found, by, begin, limit, words):
        echo(line)
    if replies:
        from heartrule.cli import review_text

        for line in review_text.shown(replies, words):
            echo(line)


def _lines(found: Sequence[Figures], by: By | None, since: datetime | None, limit: int, words: Words) -> Sequence[str]:
    from heartrule.cli.figures import shown

    turns = sum(each.turns for each in found)
    if not any(each.calls or each.not_asked for each in found):
        if turns:
            from heartrule.cli.figures import sessions_of

            told = (line for each in found if each.of_turns for line in sessions_of(each.of_turns, words))
            return [words("stats_only_turns", turns=turns), *told] if by is None else list(_grouped(found, words))
        if since is None:
            return [words("stats_none")]
        return [words("stats_none_since", since=f"{since:%Y-%m-%d %H:%M} UTC")]
    lines: list[str] = []
    for each in found[:limit]:
        if by == "turn":
            lines.append(words("stats_turn", session=each.key[0], turn=each.key[1]))
        elif each.key:
            lines.append(_head(each, words))
        lines += [f"  {line}" if each.key else line for line in shown(each, words, part=by in ("model", "purpose"))]
    if len(found) > limit:
        lines.append(words("stats_more", number=len(found) - limit))
    return lines


def _grouped(found: Sequence[Figures], words: Words) -> Iterator[str]:
    from heartrule.cli.figures import shown

    for each in found:
        yield _head(each, words) if each.key else ""
        yield from (f"  {line}" for line in shown(each, words))


def _head(each: Figures, words: Words) -> str:
    from heartrule.cli.safe_text import shown as safe

    name, *rest = (str(part) for part in each.key)
    return safe(" · ".join([name, *(part or words("stats_no_direction") for part in rest)]))


def _moment(text: str, now: datetime, words: Words) -> datetime:
    """A moment in UTC, of a span that ends ``now`` or of a date. Stops when it is neither."""
    if span := _SPAN.fullmatch(text.strip().lower()):
        return now - timedelta(hours=int(span[1]) * _HOURS[span[2]])
    try:
        found = datetime.fromisoformat(text.strip())
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        raise stop(words("stats_bad_since", text=text), 2) from None
