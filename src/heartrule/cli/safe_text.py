"""Text that comes from a script, a model or a person, made harmless for a terminal. Whatever a command says goes out
here: which of it is not its own, nobody has to remember."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable

_KEPT = {"\n", "\t"}
_BIDI = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def shown(text: str) -> str:
    """Without control characters (an escape sequence could redraw the screen), direction overrides and surrogates."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(character for character in text if _is_harmless(character))


def escaped(made: str) -> str:
    """JSON that says the same in signs that steer no terminal: such stand in its strings alone."""
    return "".join(each if _is_harmless(each) else f"\\u{ord(each):04x}" for each in made)


def echo(text: object = "", *, err: bool = False, nl: bool = True, over: bool = False) -> None:
    """Says ``text``. ``over``: over what stands in the line."""
    import typer

    typer.echo(("\r" if over else "") + shown(str(text)), err=err, nl=nl)


def echo_json(value: object, *, indent: int = 2, default: Callable[[object], object] | None = None) -> None:
    """Says ``value`` to a program."""
    import typer

    typer.echo(escaped(json.dumps(value, ensure_ascii=False, indent=indent, default=default)))


def _is_harmless(character: str) -> bool:
    return character in _KEPT or (unicodedata.category(character) not in {"Cc", "Cs"} and character not in _BIDI)
