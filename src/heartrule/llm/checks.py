"""What a model wrote is checked before anybody sees it: the checks of a script, and what they object to.

The rules and their reading are in ``heartrule.checks``, beneath the language, so that a compiled script holds them.
"""

from __future__ import annotations

from heartrule.checks.checks import Checks, Objection, checks_for

__all__ = ["Checks", "Objection", "checks_for"]
