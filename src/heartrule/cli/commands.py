"""What may be typed in a conversation that is not an answer: /vars, /where, /why, /help, /pause, /quit, /end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from heartrule.cli.conversation_ui import ConversationUI
from heartrule.cli.terminal_session import TerminalSession
from heartrule.cli.words import Words
from heartrule.sessions import Why


class Leave(Exception):
    """The person goes; the session stays as it is."""


class End(Exception):
    """The person wants the session ended for good."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What a command works with."""

    held: TerminalSession
    front: ConversationUI
    words: Words


def variables(desk: Desk) -> None:
    words = desk.words
    found = desk.held.view().variables
    if not found:
        desk.front.note(words("no_variables"))
        return
    rows = [
        (one.name, value_text(one.value), words.of("scopes", one.scope), words.of("strategies", one.strategy))
        for one in found
    ]
    desk.front.table([words("variables"), words("value"), words("scope"), words("strategy")], rows)


def value_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def where(desk: Desk) -> None:
    words, view = desk.words, desk.held.view()
    position, progress = view.position, view.progress
    if not position.get("topic"):
        desk.front.note(words("where_nowhere"))
        return
    phase = next((phase["name"] for phase in progress.get("phases", ()) if phase["current"]), "–")
    topic, action = position["topic"]["id"], (position.get("action") or {}).get("id", "–")
    lines = [words("where", phase=phase, topic=topic, action=action)]
    if position.get("max_rounds"):
        lines.append(words("where_rounds", round=position["current_round"], rounds=position["max_rounds"]))
    elif position.get("current_round"):
        lines.append(words("where_round", round=position["current_round"]))
    if progress.get("milestones"):
        lines.append(words("milestones", names=", ".join(progress["milestones"])))
    desk.front.note("\n".join(lines))


def why(desk: Desk) -> None:
    words = desk.words
    lines = [line for reason in desk.held.why() for line in reasons(words, reason)]
    desk.front.note("\n".join(lines) or words("no_decisions"))


def reasons(words: Words, reason: Why) -> Iterator[str]:
    data = reason.data
    if reason.kind == "exit":
        key = "decision_left" if data["should_exit"] else "decision_stayed"
        source = words.of("sources", data["decision_source"])
        yield words(key, action=reason.action, round=data["round"], reason=f"{data['reason']} ({source})")
        if data.get("vetoed"):
            yield words("decision_vetoed", vetoed=", ".join(data["vetoed"]))
    elif reason.kind == "awareness":
        yield words(
            "noticed",
            awareness=data["awareness"],
            verdict=words.of("verdicts", data["verdict"]),
            source=words.of("sources", data["source"]),
            reason=data.get("reason") or "",
        ).rstrip()


def help_(desk: Desk) -> None:
    desk.front.note(desk.words("help"))


def leave(desk: Desk) -> None:
    raise Leave


def end(desk: Desk) -> None:
    raise End


COMMANDS: Mapping[str, Callable[[Desk], None]] = {
    "/vars": variables,
    "/where": where,
    "/why": why,
    "/help": help_,
    "/pause": leave,
    "/quit": leave,
    "/exit": leave,
    "/end": end,
}
