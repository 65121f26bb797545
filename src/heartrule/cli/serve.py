"""``heartrule serve``: the API and the page."""

from __future__ import annotations

import socket
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from heartrule import logs
from heartrule.cli.faults import stop, told_of
from heartrule.cli.safe_text import echo
from heartrule.cli.settings import Data, Lang, Projects, settings
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.identity.accounts import MadeLink
    from heartrule.llm.model import Model
    from heartrule.server.settings import ServerSettings
    from heartrule.sessions import Settings


class Level(StrEnum):
    """How much debug sessions may see."""

    FULL = "full"
    SUMMARY = "summary"
    NONE = "none"


class LogFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


class LogLevel(StrEnum):
    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def serve(
    host: Annotated[
        str, typer.Option("--host", help=said("在哪个地址上听。", "The address to listen on."))
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            "--port",
            envvar="HEARTRULE_PORT",
            min=0,
            max=65535,
            help=said("端口；0 表示随便一个空着的。", "The port; 0 takes any that is free."),
        ),
    ] = 8000,
    data: Data = None,
    project: Projects = None,
    debug: Annotated[
        Level | None,
        typer.Option(
            "--debug",
            envvar="HEARTRULE_DEBUG",
            case_sensitive=False,
            help=said("调试会谈最多能看多少。", "How much debug sessions may see."),
            show_default=False,
        ),
    ] = None,
    log_format: Annotated[
        LogFormat,
        typer.Option(
            "--log-format",
            envvar="HEARTRULE_LOG_FORMAT",
            case_sensitive=False,
            help=said("日志（标准错误）的写法。", "How the log on stderr is written."),
        ),
    ] = LogFormat.TEXT,
    log_level: Annotated[
        LogLevel,
        typer.Option(
            "--log-level",
            envvar="HEARTRULE_LOG_LEVEL",
            case_sensitive=False,
            help=said("日志写到多细。", "How much the log tells."),
        ),
    ] = LogLevel.INFO,
    lang: Lang = None,
) -> None:
    words = Words(spoken_here(lang))
    logs.write(log_format.value, log_level.value)
    _serve(settings(data, project), host, port, debug.value if debug else None, words)


def _serve(where: Settings, host: str, port: int, debug: str | None, words: Words) -> None:
    import asyncio

    from heartrule.cli.folder import Unusable, opening
    from heartrule.jobs.settings import EscalationSettings
    from heartrule.llm.config import ConfigError, model_from_environment
    from heartrule.server.settings import ServerConfigError, ServerSettings
    from heartrule.store.records import StoreError

    try:
        with opening(where.data):
            server = ServerSettings.load(where.data, debug=debug)
            EscalationSettings.load(where.data)
            if server.operator is None:
                echo(words("no_operator"), err=True)
            # Said here, before anything is started: settings that are wrong, and a store that cannot be opened.
            asyncio.run(_looked_at(model_from_environment(where.data), words))
            first = asyncio.run(_tried(where, server))
            listening = _listen(host, port, words)
    except (ConfigError, ServerConfigError, StoreError) as error:
        raise stop(str(error) or type(error).__name__) from None
    except Unusable as unusable:
        raise stop(unusable.explanation(words)) from None
    except typer.Exit:
        raise
    except Exception as error:
        raise stop(told_of(error, words)) from None
    from heartrule.server.app import build
    from heartrule.server.process import Server
    from heartrule.tracing.exporter import NotInstalled, exporting

    shown = f"[{host}]" if ":" in host else host
    scheme = "https" if server.certificate is not None else "http"
    address = f"{scheme}://{shown}:{listening.getsockname()[1]}"
    runner = Server(build(where, server), server, lambda: _ready(words, address, where, server, first))
    try:
        with exporting():
            runner.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    except NotInstalled as missing:
        raise stop(str(missing)) from None
    except Exception as error:
        raise stop(told_of(error, words)) from None
    if not runner.started:
        raise typer.Exit(1)


async def _looked_at(model: Model, words: Words) -> None:
    from heartrule.llm.config import unpriced

    if models := unpriced(model):
        echo(words("unpriced", models=", ".join(models), currency=model.budget.currency), err=True)
    await model.aclose()


async def _tried(where: Settings, server: ServerSettings) -> MadeLink | None:
    """The link for the first administrator, while nobody can sign in."""
    from heartrule.identity.accounts import Accounts
    from heartrule.identity.passwords import Passwords
    from heartrule.sessions import open_sessions

    async with open_sessions(where) as sessions:
        return await Accounts(sessions.store, where.clock, Passwords(), server.staff.links_last).first_link()


def _ready(words: Words, address: str, where: Settings, server: ServerSettings, first: MadeLink | None) -> None:
    echo(words("serving", address=address, folder=where.data))
    if first is not None:
        shown = server.staff.origin or address
        echo(words("first_link", address=shown, token=first.token, until=f"{first.until:%Y-%m-%d %H:%M} UTC"))


def _listen(host: str, port: int, words: Words) -> socket.socket:
    """The socket, so that a port that is taken is said in a sentence."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError as error:
        raise stop(words("cannot_listen", host=host, port=port, reason=error.strerror or str(error))) from None
    return listening
