"""Ctrl-C, where it is not at once the end of the program."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def first_interrupt(act: Callable[[], None]) -> Iterator[None]:
    """In here the first Ctrl-C calls ``act``, between any two instructions; the next one is ``KeyboardInterrupt`` as
    ever. Where somebody else has said what Ctrl-C does, that stays."""
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return

    def caught(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        act()

    signal.signal(signal.SIGINT, caught)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
