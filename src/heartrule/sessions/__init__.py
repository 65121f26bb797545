"""Sessions held: inputs accepted, turns worked out by the engine, models asked, everything written down.

This is the room between the pure engine and the outside. Server, command line and tests drive sessions through it.
"""

from heartrule.sessions.composition_root import Settings, open_sessions
from heartrule.sessions.service import Sessions
from heartrule.sessions.subscribers import News, Watch
from heartrule.sessions.views import CannotRestore, Closed, NoSuchSession, Outcome, View, Why

__all__ = [
    "CannotRestore",
    "Closed",
    "News",
    "NoSuchSession",
    "Outcome",
    "Sessions",
    "Settings",
    "View",
    "Watch",
    "Why",
    "open_sessions",
]
