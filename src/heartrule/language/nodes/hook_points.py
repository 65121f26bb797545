"""The hook points of a conversation, at which an awareness script of priority P1 may be read."""

from __future__ import annotations

PLACES = ("answer", "topic_start", "topic_end")
EDGES = ("before", "after")
