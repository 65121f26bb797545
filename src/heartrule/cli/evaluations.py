"""``heartrule eval``: what its commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo
from heartrule.cli.settings import settings
from heartrule.cli.words import Words

if TYPE_CHECKING:
    from heartrule.llm.model import Model

_Rows = TypeVar("_Rows")


def rows_or_stop(read: Callable[[], _Rows], words: Words) -> _Rows:
    """What is in a labelled file; or the end, with what is wrong in which line."""
    from heartrule.evals.labelled_files import BadFile

    try:
        return read()
    except BadFile as bad:
        raise stop(words.of("eval_faults", bad.why).format_map({"line": bad.line, **bad.values}), 2) from None


def configured_model(data: Path | None, words: Words) -> tuple[Model, str]:
    """The machine's model, and who that is in words; or the end, when none is configured."""
    from heartrule.llm.config import ConfigError, build_model, settings_of_machine

    try:
        configured = settings_of_machine(settings(data).data)
    except ConfigError as error:
        raise stop(str(error), 2) from None
    if not configured.configured:
        raise stop(words("eval_no_model"), 2)
    asked = ", ".join(f"{each.called} {each.model} {each.origin}" for each in configured.all_models)
    return build_model(configured, measured=True), asked


def progress(words: Words) -> Callable[[int, int], None]:
    """Says on stderr how far it is: all the time to a person, every tenth to a file."""

    def told(done: int, all_: int) -> None:
        if sys.stderr.isatty():
            echo(words("eval_progress", done=done, all=all_), err=True, nl=done == all_, over=True)
        elif done * 10 // all_ != (done - 1) * 10 // all_:
            echo(words("eval_progress", done=done, all=all_), err=True)

    return told
