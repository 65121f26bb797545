"""W241: ``model`` or ``review`` on an action that asks no model, or that shows nothing of what a model writes."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.said import Said

_FIXED = frozenset({"ai_guide", "say", "set_var", "show_pic", "use_skill"})
_CHOOSING = frozenset({"user_option", "user_say"})
"""A model is only asked there what typed words mean."""
_UNSEEN = frozenset({"ai_think"})
_NO_MODEL = Said("不问模型", "asks no model")
_NO_BRIEF = Said("没有要求可对照", "has no instructions to hold its words against")
_NOT_SHOWN = Said("写的话不给人看", "shows nothing of what the model writes")


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        for key, types, why in (
            ("model", _FIXED, _NO_MODEL),
            ("review", _FIXED, _NO_MODEL),
            ("review", _CHOOSING, _NO_BRIEF),
            ("review", _UNSEEN, _NOT_SHOWN),
        ):
            if action.type in types and action.peek(key):
                place = view.project.at(action, key)
                yield finding("W241", place, mend=view.without(place), key=key, type=action.type, why=why)
