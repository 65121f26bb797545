"""W241: ``model`` or ``review`` on an action that asks no model, or that shows nothing of what a model writes."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View

_NO_MODEL = Bilingual("不问模型", "asks no model")
_NO_BRIEF = Bilingual("没有要求可对照", "has no instructions to hold its words against")
_DRAWS = Bilingual("用的是画图的模型", "is drawn by the model for pictures")
_DRAWN = Bilingual("画的图没有话可对照", "shows a picture, and no words of the model")
_NOT_SHOWN = Bilingual("写的话不给人看", "shows nothing of what the model writes")


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        for key, model, why in (
            ("model", "", _NO_MODEL),
            ("review", "", _NO_MODEL),
            ("review", "choice", _NO_BRIEF),
            ("review", "unseen", _NOT_SHOWN),
            ("model", "picture", _DRAWS),
            ("review", "picture", _DRAWN),
        ):
            if action.traits.model == model and action.peek(key):
                place = view.project.at(action, key)
                yield finding("W241", place, mend=view.without(place), key=key, type=action.type, why=why)
