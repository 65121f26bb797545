"""Variables given at the start (``--set``): what was typed, as values."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from heartrule.cli.words import Words
from heartrule.language.compiling.script import Script
from heartrule.language.nodes import Variable
from heartrule.sessions import initial_variables as sessions_given
from heartrule.sessions.initial_variables import NotTaken


def taken(given: Mapping[str, str], script: Script, now: datetime) -> dict[str, Any]:
    """The values of their types, from what was typed. Raises ``NotTaken``."""
    return sessions_given.taken(given, script, now, _readings)


def refusal_text(refused: NotTaken, words: Words) -> str:
    if refused.why is not None:
        why = refused.why.zh if words.language == "zh" else refused.why.en
        return words("set_refused", name=refused.name, why=why)
    if not refused.declared:
        return words("set_nothing", name=refused.name)
    return words("set_unknown", name=refused.name, names=words("and").join(refused.declared))


def _readings(variable: Variable, text: str) -> Iterator[Any]:
    """What was typed may be JSON, or a text as it stands; a number where a text is wanted keeps its zeros."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        yield text
        return
    if variable.type == "text" and not isinstance(read, str):
        yield text
    else:
        yield read
        if variable.type is not None:
            yield text
