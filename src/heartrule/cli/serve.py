"""``heartrule serve``: the API and the page."""

from __future__ import annotations

import socket
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from heartrule.cli.faults import stop, told_of
from heartrule.cli.settings import Data, Lang, Projects, settings
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.llm.model import Model
    from heartrule.sessions import Settings


class Level(StrEnum):
    """How much debug sessions may see."""

    FULL = "full"
    SUMMARY = "summary"
    NONE = "none"


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
    lang: Lang = None,
) -> None:
    words = Words(spoken_here(lang))
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
            # Said here, before anything is started: settings that are wrong, and a store that cannot be opened.
            asyncio.run(_looked_at(model_from_environment(where.data), words))
            asyncio.run(_tried(where))
            listening = _listen(host, port, words)
    except (ConfigError, ServerConfigError, StoreError) as error:
        raise stop(str(error) or type(error).__name__) from None
    except Unusable as unusable:
        raise stop(unusable.told(words)) from None
    except typer.Exit:
        raise
    except Exception as error:
        raise stop(told_of(error, where.data, words)) from None
    from heartrule.server.app import build
    from heartrule.server.serving import Server
    from heartrule.tracing.exporting import NotInstalled, exporting

    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listening.getsockname()[1]}"
    runner = Server(
        build(where, server), server, lambda: typer.echo(words("serving", address=address, folder=where.data))
    )
    try:
        with exporting():
            runner.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    except NotInstalled as missing:
        raise stop(str(missing)) from None
    except Exception as error:
        raise stop(told_of(error, where.data, words)) from None
    if not runner.started:
        raise typer.Exit(1)


async def _looked_at(model: Model, words: Words) -> None:
    from heartrule.llm.config import unpriced

    if models := unpriced(model):
        typer.echo(words("unpriced", models=", ".join(models), currency=model.budget.currency), err=True)
    await model.aclose()


async def _tried(where: Settings) -> None:
    from heartrule.sessions import open_sessions

    async with open_sessions(where):
        pass


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
