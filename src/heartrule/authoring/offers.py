"""Mends that an editor offers beside the linter's own, where there is one plain way that a person may decide for: a
missing text is put in, a declaration taken out or made, an awareness script switched on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from heartrule.authoring import node_edits
from heartrule.authoring.error_recovery import readable
from heartrule.authoring.splices import CannotEdit, Splice, into
from heartrule.authoring.workspace import Snapshot
from heartrule.authoring.yaml_writer import item
from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, clip
from heartrule.language.references import identity
from heartrule.language.texts.source import Path

MOST = 12
"""Offers that are worked out in one state of the texts: each is proved on its own."""
_TEXTS = {
    "content": Bilingual("这里写要说的话。", "Write here what is to be said."),
    "question": Bilingual("这里写要问的话？", "Write here what is to be asked?"),
    "goal": Bilingual("这里写要达到什么", "Write here what it is meant to reach"),
    "label": Bilingual("这里写显示的文字", "Write here what is shown"),
    "text": Bilingual("这里写提醒的话", "Write here what is to be minded"),
    "prompt": Bilingual("这里写画什么", "Write here what is to be drawn"),
    "topic_content": Bilingual("这里写要讲的要点", "Write here what is to be told"),
    "message": Bilingual("这里写不满足时说的话", "Write here what is said where it does not hold"),
}
"""What may be missing and has a text that says what belongs there."""
_FILL = Bilingual("先填上一句，再改", "Fill in a line to change")
_DROP = Bilingual("去掉这个声明", "Take this declaration out")
_DECLARE = Bilingual("声明它", "Declare it")
_RETURN = Bilingual("让技术交回它", "Let the technique give it back")


@dataclass(frozen=True, slots=True)
class Offer:
    title: Bilingual
    file: str
    splices: Sequence[Splice] = field(repr=False)


def offered(snapshot: Snapshot, found: Finding, path: Path | None, lang: str) -> Offer | None:
    """How the finding at a path may be mended, where its rule gives no mend of its own. Kept for this state of the
    texts."""
    make = _OFFERS.get(found.code)
    if make is None or found.mend is not None or path is None or not found.about or found.about.endswith("…"):
        return None
    known: dict[tuple[Finding, str], Offer | None] = snapshot.shown.setdefault("\0offers", {})
    key = (found, lang)
    if key not in known and len(known) < MOST:
        try:
            known[key] = make(_At(snapshot, found, path, lang))
        except (CannotEdit, KeyError, IndexError, TypeError):
            known[key] = None
    return known.get(key)


@dataclass(frozen=True, slots=True)
class _At:
    snapshot: Snapshot
    found: Finding
    path: Path
    lang: str

    @property
    def file(self) -> str:
        return self.found.file

    @property
    def text(self) -> str:
        return self.snapshot.texts[self.file]

    def data(self, path: Path) -> Any:
        return into(readable(self.text, self.file).parsed.documents, path)

    def count(self, path: Path) -> int:
        """Items of a list that may not be there yet."""
        own = self.data(path[:-1]).get(path[-1])
        return len(own) if isinstance(own, list) else 0

    def added(self, path: Path, value: Any) -> list[Splice]:
        """At the end of a list."""
        return node_edits.insert(self.text, path, self.count(path), item(value, 0))


def _filled(at: _At) -> Offer | None:
    key, path = at.found.about, at.path
    while len(path) > 1 and not (isinstance(at.data(path), dict) and key not in at.data(path)):
        path = path[:-1]
    said: Any = _TEXTS[key].localized(at.lang) if key in _TEXTS else None
    if key == "type" and path[-2:-1] == ("fields",):
        said = "text"
    if len(path) < 2 or said is None:
        return None
    return Offer(_FILL, at.file, node_edits.set_value(at.text, (*path, key), said))


def _dropped(at: _At) -> Offer | None:
    path = at.path[:-1] if at.path[-1] == "var" else at.path
    if at.data(path).get("var") != at.found.about:
        return None
    alone = at.count(path[:-1]) == 1
    return Offer(_DROP, at.file, node_edits.delete(at.text, path[:-1] if alone else path))


def _switched_on(at: _At) -> Offer | None:
    project = at.snapshot.project
    watcher = next((each for each in project.awareness if each.name == at.found.about), None)
    session = next(iter(project.sessions), None)
    if watcher is None or session is None:
        return None
    name = clip(session.name, 20)
    title = Bilingual(f"在“{name}”里打开它", f"Switch it on in “{name}”")
    file = session.place.file
    value = [*session.awareness, identity(watcher)]
    return Offer(title, file, node_edits.set_value(at.snapshot.texts[file], (*session.place.path, "awareness"), value))


def _declared(at: _At) -> Offer | None:
    """In the session; in a technique what is found out is given back to whoever calls it."""
    root, name = at.path[:3], at.found.about
    if root[1] == "skills":
        return Offer(_RETURN, at.file, at.added((*root, "returns"), name))
    if root[1] != "sessions":
        return None
    return Offer(_DECLARE, at.file, at.added((*root, "declare"), {"var": name, "define": _meaning(at, name)}))


def _meaning(at: _At, name: str) -> str:
    """What a value is: as the place that gets it says it, else the question that it answers."""
    own = at.data(at.path[:-1])
    if isinstance(own, dict) and isinstance(own.get("define"), str):
        return str(own["define"])
    action = at.data(at.path[: at.path.index("actions") + 2]) if "actions" in at.path else {}
    asked = next((action[key] for key in ("question", "content") if isinstance(action.get(key), str)), "")
    if not asked:
        return name
    return Bilingual(f"“{clip(asked)}”的回答", f"the answer to “{clip(asked)}”").localized(at.lang)


def _declared_for_all(at: _At) -> Offer | None:
    value = {"var": at.found.about, "type": "text", "define": at.found.about}
    return Offer(_DECLARE, at.file, at.added((at.path[0], "global"), value))


_OFFERS = {
    "E102": _filled,
    "W412": _dropped,
    "W236": _switched_on,
    "W233": _declared,
    "W440": _declared,
    "E291": _declared_for_all,
}
