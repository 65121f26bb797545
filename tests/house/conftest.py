from __future__ import annotations

from tests.house.bare import copy, machine

__all__ = ["copy", "machine"]
