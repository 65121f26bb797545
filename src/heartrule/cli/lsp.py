"""``heartrule lsp``: the language server, on standard input and output."""

from __future__ import annotations

from heartrule.cli.settings import Lang
from heartrule.cli.words import spoken_here


def lsp(lang: Lang = None) -> None:
    from heartrule.engine.installed_types import field_models
    from heartrule.lsp.server import language_server

    language_server(field_models(), spoken_here(lang)).start_io()
