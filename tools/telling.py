"""What setting up tells the person who waits for it: what is being done, how far it is, and what is in the way."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path


class Trouble(Exception):
    """Something is missing; the text says what, and what to do."""


def say(text: str) -> None:
    print(text, flush=True)


def progress(line: str, done: int, count: int) -> None:
    text = f"    {done:>3} of at most {count}  {line}"
    if sys.stdout.isatty():
        print(f"\r\x1b[K{text[:110]}", end="", flush=True)
    else:
        say(text)


def run_telling(
    command: Sequence[str],
    folder: Path,
    log: Path,
    *,
    taken: Callable[[str], str | None] = lambda line: None,
    count: int = 0,
    environment: Mapping[str, str] | None = None,
) -> tuple[int, str]:
    """Runs a command with its words kept in ``log``, and a line of progress for each thing that ``taken`` finds in a
    line of them. Returns its exit code and its words."""
    words: list[str] = []
    seen: set[str] = set()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    assert process.stdout is not None
    for line in process.stdout:
        words.append(line)
        if count and (thing := taken(line)) and thing not in seen:
            seen.add(thing)
            progress(thing, len(seen), count)
    if count and seen and sys.stdout.isatty():
        print()
    code = process.wait()
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("".join(words), encoding="utf-8")
    return code, "".join(words)


def last_words(words: str, marked: str = "") -> str:
    """The end of what a command said: its lines that match ``marked``, or all of them. No colours, 800 characters."""
    plain = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", words)
    chosen = [line for line in plain.splitlines() if marked and re.match(marked, line)]
    return "\n".join(chosen or plain.splitlines())[-800:].strip()
