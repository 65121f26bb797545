"""How long somebody waits who has tried wrong passwords. Counted by account and source, so that nobody can keep another
out: a browser that they have signed in with before counts by itself, and goes on."""

from __future__ import annotations

from datetime import timedelta

FREE = 5
"""Wrong tries of one account that cost nothing: people mistype."""
FREE_OF_SOURCE = 20
"""Of one network address, whomever they try: a practice behind one address mistypes too."""
LONGEST = timedelta(minutes=15)


class TooSoon(Exception):
    """After so many wrong tries from here."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__("too soon")
        self.wait = wait


def delay(failures: int, free: int = FREE) -> timedelta:
    """Before the next try, after so many that failed: nothing at first, then twice as long each time."""
    if failures < free:
        return timedelta(0)
    return min(LONGEST, timedelta(seconds=2 ** min(failures - free + 1, 20)))


def delay_of_source(failures: int) -> timedelta:
    return delay(failures, FREE_OF_SOURCE)
