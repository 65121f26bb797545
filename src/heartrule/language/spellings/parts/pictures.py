"""Pictures without ``alt``: what is said beside them is taken for it, and told to be."""

from __future__ import annotations

from heartrule.language.bilingual import Bilingual
from heartrule.language.spellings.parts.rewrite import Made, SpelledMapping, taken

_NOTES = ("description", "desc")
_BESIDE = {"show_pic": (*_NOTES, "caption", "purpose"), "ai_pic": (*_NOTES, "caption", "prompt")}
_HEARD = Bilingual(
    "看不见图的人只听得到 alt：写清图上有什么。",
    "Who cannot see the picture hears this alone: say what is in it.",
)


def spelled(here: SpelledMapping, kind: str) -> Made:
    if kind not in _BESIDE or here.node.given("alt", "alt_text"):
        return
    beside = next((entry for name in _BESIDE[kind] if (entry := here.get(name)) and entry.value.text()), None)
    if beside is None:
        return
    if beside.name in _NOTES:
        edits = here.page.rename(beside, "alt")
    else:
        edits = here.page.before(here.node, beside, "alt: ", *here.page.copied(beside.value, 0, twice=True))
    yield taken(here.node.entries[0], "alt", beside.name, _HEARD, edits)
