"""Lengths of time, as scripts write them."""

from __future__ import annotations

from heartrule.language.lengths import length as duration

__all__ = ["duration"]
