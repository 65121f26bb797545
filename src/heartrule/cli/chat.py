"""``heartrule chat``: a session in the terminal, or from lines of standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from heartrule.cli.faults import stop, told_of
from heartrule.cli.program import call, name
from heartrule.cli.settings import Data, Lang, Projects, settings
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.cli.conversation_ui import ConversationUI
    from heartrule.cli.door import Door
    from heartrule.cli.session_lookup import OpenedSession, Reception
    from heartrule.sessions import Settings

INTERRUPTED = 130


def chat(
    script: Annotated[
        str | None,
        typer.Argument(
            metavar="SCRIPT",
            help=said(
                "脚本：库里的编号（cbt/first_assessment）、FILE.yaml 或 FILE.yaml#会谈。带 --resume 时是会谈的编号。",
                "A script of the library (cbt/first_assessment), FILE.yaml or FILE.yaml#session. "
                "With --resume, the id of a session.",
            ),
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume", help=said("接着最近的（或指定的）会谈。", "Go on with the latest session, or the one named.")
        ),
    ] = False,
    start_over: Annotated[
        bool,
        typer.Option(
            "--start-over",
            help=said(
                "和 --resume 一起：新开一次，带上说过的话。", "With --resume: begin anew, keeping what was said."
            ),
        ),
    ] = False,
    project: Projects = None,
    data: Data = None,
    locale: Annotated[
        str | None, typer.Option("--locale", help=said("用脚本的哪个语言版本。", "The language version of the script."))
    ] = None,
    assign: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help=said("开始前写入一个变量。", "Write a variable at the start.")
        ),
    ] = None,
    person: Annotated[
        str | None,
        typer.Option(
            "--person",
            help=said("谁在谈；同一个人的个人变量会留到下次。", "Who speaks; what is known of them is kept."),
        ),
    ] = None,
    lang: Lang = None,
) -> None:
    words = Words(spoken_here(lang, locale))
    if resume and (assign or locale or person):
        raise stop(words("not_both"), 2)
    if not resume and script is None:
        raise stop(words("script_needed", program=name()), 2)
    values = dict(_value(each, words) for each in assign or ())

    def find(desk: Reception) -> OpenedSession:
        if resume:
            return desk.resume(script, words, start_over=start_over)
        return desk.begin(str(script), values, locale, person)

    raise typer.Exit(_chat(find, settings(data, project), words, lang))


def _value(text: str, words: Words) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise stop(words("bad_set", text=text), 2)
    return name.strip(), value


def _chat(find: Callable[[Reception], OpenedSession], where: Settings, words: Words, lang: str | None) -> int:
    """Ctrl-C is an answer too: it leaves, and says how to come back."""
    from heartrule.cli.door import opened
    from heartrule.cli.folder import Unusable
    from heartrule.cli.session_lookup import Reception
    from heartrule.language.findings import Refused
    from heartrule.llm.config import ConfigError
    from heartrule.store.records import StoreError

    try:
        with opened(where) as door:
            return _held(door, find(Reception(door, where, lang)), where)
    except Refused as refused:
        from heartrule.language.findings.report import report

        raise stop("\n".join([words("script_has_errors"), report(refused.findings, lang=words.language)])) from None
    except (ConfigError, StoreError) as error:
        raise stop(str(error) or type(error).__name__) from None
    except Unusable as unusable:
        raise stop(unusable.explanation(words)) from None
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _nobody_reads()
    except typer.Exit:
        raise
    except Exception as error:
        raise stop(told_of(error, words)) from None


def _held(door: Door, session: OpenedSession, where: Settings) -> int:
    from heartrule.cli.conversation import Conversation, Result
    from heartrule.cli.session_lookup import listed, notices
    from heartrule.cli.terminal_session import Session
    from heartrule.sessions import CannotRestore, Closed, NoSuchSession

    words = session.words
    front = _front(words, session.speaker)
    front.notice(notices(session, where, model=door.sessions.model.configured, patient=front.patient))
    again = words("resume_terminal", command=call(where, ["chat", "--resume", session.id[:8]]))
    conversation = Conversation(Session(door, session.id), front, words)
    result: int = INTERRUPTED
    try:
        result = conversation.hold(resumed=session.resumed)
    except KeyboardInterrupt:
        front.note("")
    except CannotRestore:
        command = call(where, ["chat", "--resume", session.id[:8], "--start-over"])
        raise stop(words("cannot_restore", command=command)) from None
    except (Closed, NoSuchSession) as error:
        raise stop(words("closed" if isinstance(error, Closed) else "gone")) from None
    if result != Result.COMPLETED:
        if conversation.in_crisis:
            front.note(words("leaving_in_crisis", contacts=listed(session)))
        front.note(again)
    return result


def _front(words: Words, speaker: str) -> ConversationUI:
    if sys.stdin.isatty() and sys.stdout.isatty():
        from heartrule.cli.terminal import Terminal

        return Terminal(words, speaker)
    from heartrule.cli.plain import Plain

    return Plain(words, speaker)


def _nobody_reads() -> int:
    """The other end of the pipe has gone; nothing more can be said, not even at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1
