"""``heartrule why``: why a session that was held went as it did."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo, echo_json
from heartrule.cli.settings import Data, Lang, settings
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.sessions.explanations import Reason, TurnWhy


def why(
    session: Annotated[
        str,
        typer.Argument(metavar="SESSION", help=said("一场谈过的会谈的编号。", "The id of a session that was held.")),
    ],
    turn: Annotated[int | None, typer.Option("--turn", min=1, help=said("只看这一轮。", "Only this turn."))] = None,
    awareness: Annotated[
        str | None,
        typer.Option(
            "--awareness",
            metavar="ID",
            help=said("只看这一个意识脚本的。", "Only what belongs to this awareness script."),
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=said("输出 JSON。", "Print JSON."))] = False,
    data: Data = None,
    lang: Lang = None,
) -> None:
    import asyncio

    from heartrule.cli.keys import opened
    from heartrule.sessions.explanations import whys
    from heartrule.sessions.views import NoSuchSession

    words = Words(spoken_here(lang))
    try:
        with opened(settings(data), words) as store:
            found = asyncio.run(whys(store, session, turn, awareness))
    except NoSuchSession:
        raise stop(words("no_such_session", session=session)) from None
    if as_json:
        echo_json([each.plain() for each in found])
        return
    if not found:
        echo(words("why_nothing"))
    for each in found:
        for line in lines(each, words):
            echo(line)


def lines(turn: TurnWhy, words: Words) -> Iterator[str]:
    """One turn as people read it. What scripts and people wrote is made harmless for a terminal."""
    from heartrule.cli.safe_text import shown

    came = words.of("why_inputs", turn.input)
    yield words("why_turn", turn=turn.turn, at=f"{turn.at:%Y-%m-%d %H:%M}", came=came)
    for reason in turn.reasons:
        for line in _TOLD[reason.kind](reason, words):
            yield "  " + " ".join(shown(line).split("\n"))


def _noticed(reason: Reason, words: Words) -> Iterator[str]:
    data = reason.data
    hook_point = data.get("hook_point")
    yield words(
        "why_awareness",
        awareness=data["awareness"],
        priority=data.get("priority", "P0"),
        hook_point=words("why_hook_point", hook_point=words.of("why_hook_points", hook_point)) if hook_point else "",
        verdict=words.of("verdicts", data["verdict"]),
        because=words.of("why_because", reason.because),
    )
    confidence = data.get("confidence")
    ground = [
        words.of("sources", data["source"]),
        words("why_confidence", confidence=f"{confidence:.2f}") if confidence is not None else "",
        words("why_evidence", evidence=data["evidence"]) if data.get("evidence") else "",
        words.of("why_because", data.get("reason") or ""),
    ]
    yield "  " + words("why_parts").join(part for part in ground if part)


def _unasked(reason: Reason, words: Words) -> Iterator[str]:
    for cause, refs in reason.data["awareness"].items():
        names = words("and").join(refs)
        yield words("why_unasked", cause=words.of("why_because", cause), awareness=names)


def _ordered(reason: Reason, words: Words) -> Iterator[str]:
    data = reason.data
    key = "why_refused" if data.get("refused") else "why_directive"
    yield words(
        key,
        directive=data["directive"],
        detail=_detail(data.get("detail") or {}),
        cause=data["cause"],
        refused=words.of("why_because", data.get("refused") or ""),
    )


def _detail(detail: Mapping[str, Any]) -> str:
    told = [
        f"{name}={value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in detail.items()
    ]
    return f" {' '.join(told)}" if told else ""


def _escalated(reason: Reason, words: Words) -> Iterator[str]:
    yield words("why_escalated", to=reason.data["to"], id=reason.data["id"], cause=reason.data["cause"])


def _queue(reason: Reason, words: Words) -> Iterator[str]:
    data = reason.data
    none = words("why_queue_empty")
    yield words(
        "why_queue",
        before=" ".join(data["before"]) or none,
        after=" ".join(data["after"]) or none,
        cause=words.of("why_causes", data["cause"]),
    )


def _left(reason: Reason, words: Words) -> Iterator[str]:
    data = reason.data
    key = "decision_left" if data["should_exit"] else "decision_stayed"
    source = words.of("sources", data["decision_source"])
    yield words(key, action=reason.action, round=data["round"], reason=f"{data['reason']} ({source})")
    if data.get("vetoed"):
        yield words("decision_vetoed", vetoed=", ".join(data["vetoed"]))


def _judged(reason: Reason, words: Words) -> Iterator[str]:
    data = reason.data
    yield words(
        "why_judged",
        question=data["question"],
        verdict=words.of("verdicts", "yes" if data["verdict"] else "no"),
        source=words.of("sources", data["source"]),
        where=data.get("where") or "–",
    )


def _strategy(reason: Reason, words: Words) -> Iterator[str]:
    data = reason.data
    was = words("why_strategy_instead", number=data["replaces"]) if data["replaces"] else ""
    yield words("why_strategy", number=data["number"], action=reason.action, instead=was, strategy=data["strategy"])
    if data.get("before"):
        yield "  " + words("why_strategy_before", **_round(data["before"]))
    for each in data.get("after", ()):
        yield "  " + words("why_strategy_after", **_round(each))


def _advised(reason: Reason, words: Words) -> Iterator[str]:
    """What a monitor made of a round."""
    data = reason.data
    parts = [
        words.of("why_suggestions", data.get("suggestion") or ""),
        data.get("feedback") or "",
        words("why_wants_plan") if data.get("orchestrate") else "",
        words.of("why_because", data.get("rest") or ""),
    ]
    found = words("why_parts").join(part for part in parts if part) or words("why_advised_nothing")
    yield words("why_advised", action=reason.action or "–", round=data["round"], found=found)
    if data.get("reason"):
        yield "  " + data["reason"]


def _unused(reason: Reason, words: Words) -> Iterator[str]:
    yield words("why_unused", template=reason.data["template"], why=words.of("why_because", reason.data["why"]))


def _plan_changed(reason: Reason, words: Words) -> Iterator[str]:
    """What a plan made of the actions of a topic."""
    data = reason.data
    none = words("why_queue_empty")
    before, after = (" ".join(data[name]) or none for name in ("before", "after"))
    refused = words.of("why_because", data.get("refused") or "")
    key = "why_plan_refused" if refused else "why_plan"
    yield words(key, topic=data["topic"] or "–", before=before, after=after, refused=refused)
    if data.get("cause"):
        yield "  " + data["cause"]


def _shortened(reason: Reason, words: Words) -> Iterator[str]:
    data = reason.data
    of = words.of("why_of", data["of"])
    yield words("why_shortened", action=reason.action or "–", was=data["was"], now=data["max_rounds"], of=of)


def _round(told: Mapping[str, Any]) -> dict[str, Any]:
    seen = [told["progress_suggestion"], *(f"{name}: {value}" for name, value in told["metrics"].items())]
    return {"round": told["round"], "turn": told["turn"], "seen": "; ".join(seen)}


def _announced(reason: Reason, words: Words) -> Iterator[str]:
    data = reason.data
    if not data["choice"]:
        offered = words("why_parts").join(words.of("why_choices", each) for each in data["offered"])
        yield words("why_announced", topic=data["topic"], offered=offered)
        return
    key = "why_chosen_by_words" if data["by_words"] else "why_chosen"
    yield words(key, topic=data["topic"], choice=words.of("why_choices", data["choice"]))


def _noted(reason: Reason, words: Words) -> Iterator[str]:
    """A record of the case file."""
    data = reason.data
    parts = [
        words("why_evidence", evidence=data["quote"]) if data.get("quote") else "",
        words("why_case_about", about=words("and").join(data["about"])) if data.get("about") else "",
        words("why_case_done") if data.get("done") else "",
    ]
    kind = words.of("why_case_kinds", data["noted"])
    told = words("why_parts").join(part for part in parts if part)
    yield words("why_case", number=data["number"], kind=kind, text=data["text"])
    if told:
        yield "  " + told


def _redone(reason: Reason, words: Words) -> Iterator[str]:
    yield words("why_redone", action=reason.action or "–", why=words("why_parts").join(reason.data["why"]) or "–")


def _blocked(reason: Reason, words: Words) -> Iterator[str]:
    data = reason.data
    yield words("why_blocked", action=reason.action or "–", check=data["check"], reason=data.get("reason") or "–")


def _fault(reason: Reason, words: Words) -> Iterator[str]:
    yield words("why_fault", what=reason.data["what"])


_TOLD = {
    "awareness": _noticed,
    "unasked": _unasked,
    "directive": _ordered,
    "escalated": _escalated,
    "queue": _queue,
    "announced": _announced,
    "exit": _left,
    "judged": _judged,
    "strategy": _strategy,
    "monitored": _advised,
    "plan": _plan_changed,
    "shortened": _shortened,
    "advice_unused": _unused,
    "case": _noted,
    "replied": _redone,
    "blocked": _blocked,
    "fault": _fault,
}
