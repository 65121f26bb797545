"""Two versions of a project's texts, compared: files that came, went and were renamed, what their nodes became, and
what changed of the text alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from heartrule.authoring.diff.change import Change
from heartrule.authoring.diff.change_texts import file_called, joined, of_node, value_called, whole_called, within
from heartrule.authoring.diff.data_diff import Names, Walk, behind
from heartrule.authoring.diff.item_pairs import TITLES, canonical
from heartrule.authoring.diff.lines import comments_changed, formatting_changed, lines_changed
from heartrule.authoring.diff.nodes import Stand, below, content, every
from heartrule.authoring.diff.nodes import met as travelled
from heartrule.authoring.splices import comments, parse_cached
from heartrule.authoring.wire import Json, both
from heartrule.authoring.workspace import Registry
from heartrule.language.bilingual import Bilingual
from heartrule.language.projects.requirements import FOLDER, by_folder, parted, versions_in

_YAML = (".yaml", ".yml")
Texts = Mapping[str, str]


def compared(before: Texts, after: Texts, registry: Registry) -> list[Change]:
    """All that has changed, file by file in the order of their names; of packages that lie in it the version, then
    what is other in theirs. Nothing where nothing has."""
    return [*_Versions(before, after, registry).all(), *_packages(before, after, registry)]


def _packages(before: Texts, after: Texts, registry: Registry) -> Iterator[Change]:
    (was, then), (is_, now) = ((by_folder(along), versions_in(along)) for _, along in map(parted, (before, after)))
    for folder in sorted({*was, *is_}):
        old, new = was.get(folder, {}), is_.get(folder, {})
        if old == new:
            continue
        (name, first), (called, last) = then.get(folder, (folder, "–")), now.get(folder, (folder, "–"))
        place = FOLDER + folder
        if not old or not new:
            said = (
                Bilingual(f"用上了包 {called} {last}", f"the package {called} {last} is required")
                if new
                else Bilingual(f"不再用包 {name} {first}", f"the package {name} {first} is not required any more")
            )
            yield Change("added" if new else "removed", place, (), said)
            continue
        told = Bilingual(f"所用的包 {called}：{first} → {last}", f"the required package {called}: {first} → {last}")
        yield Change("changed", place, (), told, first, last)
        inside = _Versions(
            {path: str(text) for path, text in old.items()}, {k: str(v) for k, v in new.items()}, registry
        )
        yield from (replace(each, file=f"{place}/{each.file}") for each in inside.all())


def met(before: Texts, after: Texts, registry: Registry) -> tuple[list[tuple[Stand, Stand]], dict[str, str]]:
    """The nodes that differ and are the same, in both versions, and what files that were renamed are called now."""
    versions = _Versions(before, after, registry)
    versions.all()
    return versions.walk.met, {old: new for new, old in versions.renamed.items()}


def nodes(texts: Texts) -> Iterator[Stand]:
    """Every node of the texts that can be read."""
    for file, text in texts.items():
        if _is_data(file, text):
            documents = parse_cached(text).documents
            for number in range(len(documents)):
                yield from every(_root(file, documents, number))


def changes_json(changes: list[Change]) -> list[Json]:
    """The same as JSON."""
    return [
        {
            "kind": each.kind,
            "file": each.file,
            "path": list(each.path),
            "says": both(each.says),
            "before": each.before,
            "after": each.after,
            "help": both(each.help),
        }
        for each in changes
    ]


class _Versions:
    def __init__(self, before: Texts, after: Texts, registry: Registry) -> None:
        self.before, self.after = parted(before)[0], parted(after)[0]
        self.walk = Walk(registry, self._ids)
        self.renamed = renamed(self.before, self.after)
        self._known: tuple[Names, Names] | None = None
        self.left: dict[str, set[str]] = {}
        """Of files that nodes went out of: into which others."""

    def _ids(self) -> tuple[Names, Names]:
        if self._known is None:
            differ = [(old, new) for old, new in self._pairs() if self.before.get(old) != self.after.get(new)]
            sides = [(self.before, {old for old, _ in differ}), (self.after, {new for _, new in differ})]
            before, after = (
                frozenset(
                    (each.kind, each.data["id"])
                    for each in nodes({file: texts[file] for file in files if file in texts})
                    if isinstance(each.data.get("id"), str)
                )
                for texts, files in sides
            )
            self._known = before, after
        return self._known

    def all(self) -> list[Change]:
        self._names()
        for old, new in self._pairs():
            text, now = self.before.get(old, ""), self.after.get(new, "")
            if text == now:
                continue
            if _is_data(old, text) and _is_data(new, now):
                self._data(old, new, text, now)
            elif old in self.before and new in self.after:
                self.walk.changes += lines_changed(new, text, now)
        self._travelled()
        self._along()
        self._unsaid()
        return sorted(self.walk.changes, key=lambda each: each.file)

    def _pairs(self) -> Iterator[tuple[str, str]]:
        gone = set(self.renamed.values())
        for file in sorted({*self.before, *self.after} - gone):
            yield self.renamed.get(file, file), file

    def _names(self) -> None:
        for old, new in self._pairs():
            if old != new:
                said = Bilingual(f"文件 {old} 改名为 {new}", f"file {old} is now called {new}")
                self.walk.changes.append(Change("renamed", new, (), said, old, new))
            elif new not in self.before:
                said = of_node(Bilingual("新文件", "new file"), _content(new, self.after[new]))
                self.walk.changes.append(Change("added", new, (), said, None, self.after[new]))
            elif new not in self.after:
                said = of_node(Bilingual("去掉了文件", "file taken away"), _content(new, self.before[new]))
                self.walk.changes.append(Change("removed", new, (), said, self.before[new], None))

    def _data(self, old: str, new: str, text: str, now: str) -> None:
        was, is_ = parse_cached(text).documents, parse_cached(now).documents
        for number in range(max(len(was), len(is_))):
            roots = [_root(file, docs, number) for file, docs in ((old, was), (new, is_))]
            self.walk.nodes(roots[0], roots[1])
        if old in self.before and new in self.after:
            self.walk.changes += comments_changed(new, text, now)

    def _travelled(self) -> None:
        """Nodes that are gone from one place and have come to another; the others are gone, and new."""
        gone, come = self._meet(self.walk.gone, self.walk.come)
        inner_gone = [each for stand in gone for each in every(stand)]
        inner_come = [each for stand in come for each in every(stand)]
        left_gone, left_come = self._meet([*gone, *inner_gone], [*come, *inner_come])
        gone, come = _without(left_gone, inner_gone), _without(left_come, inner_come)
        origins = self._origins() if come else {}
        for stand in gone:
            self._say("removed", stand, Bilingual("去掉了", "taken out"))
        for stand in come:
            origin = origins.get(content(stand)) if len(stand.data) > 1 else None
            self._come(stand, origin)

    def _meet(self, gone: list[Stand], come: list[Stand]) -> tuple[list[Stand], list[Stand]]:
        """Says which moved, as long as there are any; gives the others."""
        while True:
            self.walk.gone, self.walk.come = [], []
            pairs = travelled(gone, come)
            for old, new in pairs:
                far = self.renamed.get(new.file, new.file) != old.file
                above, there = (_above(each, far=far) for each in (old, new))
                said = joined(
                    old.own,
                    Bilingual("从", " moved from "),
                    above,
                    Bilingual("移到", " to "),
                    there,
                    Bilingual("，", ", "),
                )
                if far:
                    self.left.setdefault(old.file, set()).add(new.file)
                self.walk.changes.append(Change("moved", new.file, new.path, joined(said, behind(new))))
                self.walk.nodes(old, new)
            gone = [each for each in gone if not any(each is old for old, _ in pairs)] + self.walk.gone
            come = [each for each in come if not any(each is new for _, new in pairs)] + self.walk.come
            if not pairs:
                return gone, come

    def _along(self) -> None:
        """Comments that went to another file with their node have not come and gone."""
        told = [each for each in self.walk.changes if each.kind == "comment"]
        new = {file: comments(self.after[file]) - comments(self.before.get(file, "")) for file in self._reached()}
        for out in [each for each in told if each.before is not None]:
            into = self.left.get(self.renamed.get(out.file, out.file), set())
            file = next((each for each in sorted(into) if new[each][str(out.before)]), None)
            if file is None:
                continue
            new[file][str(out.before)] -= 1
            along = next((each for each in told if each.after == out.before and each.file == file), out)
            told = [each for each in told if each is not along]
            self.walk.changes = [each for each in self.walk.changes if each is not along and each is not out]

    def _reached(self) -> set[str]:
        """Files that nodes of others went into, and that can be read."""
        return {file for files in self.left.values() for file in files}

    def _come(self, stand: Stand, origin: Stand | None) -> None:
        where = joined(Bilingual("（在", " ("), behind(stand), Bilingual("）", ")"))
        if origin is not None:
            named = _whole_id(stand)
            told = joined(named, Bilingual("复制自", "copied from "), _placed(origin), where)
            said = joined(_placed(stand), Bilingual("，", ", "), told)
            self.walk.changes.append(Change("copied", stand.file, stand.path, said, None, stand.data))
        else:
            self._say("added", stand, joined(Bilingual("新加的", "added"), where))

    def _say(self, kind: Any, stand: Stand, said: Bilingual) -> None:
        told = joined(_placed(stand), Bilingual("：", ": "), said)
        own = _own(stand)
        if own:
            told = joined(told, Bilingual("；", "; "), whole_called(own))
        holds = [each.own for each in below(stand)]
        if holds:
            content = joined(*[part for each in holds for part in (Bilingual("、", ", "), each)][1:])
            told = joined(told, Bilingual("；里面有", "; it holds "), content)
        before, after = (stand.data, None) if kind == "removed" else (None, stand.data)
        self.walk.changes.append(Change(kind, stand.file, stand.path, told, before, after))

    def _origins(self) -> dict[str, Stand]:
        found: dict[str, Stand] = {}
        for each in nodes(self.before):
            found.setdefault(content(each), each)
        return found

    def _unsaid(self) -> None:
        """Whatever else has changed of a file of which nothing has been said."""
        said = {each.file for each in self.walk.changes}
        for old, new in self._pairs():
            if new in said or old in self.left or self.before.get(old) == self.after.get(new):
                continue
            text, now = self.before.get(old, ""), self.after.get(new, "")
            clean = (
                _is_data(old, text)
                and _is_data(new, now)
                and not (parse_cached(text).findings or parse_cached(now).findings)
            )
            if clean and canonical(parse_cached(text).documents) == canonical(parse_cached(now).documents):
                self.walk.changes.append(formatting_changed(new, text, now))
            else:
                self.walk.changes += lines_changed(new, text, now)


def _above(stand: Stand, *, far: bool) -> Bilingual:
    """What a node stands in; ``far``: with the file, where that is not what it stands in."""
    if not far or len(stand.path) == 3:
        return stand.above
    return joined(
        Bilingual(f"{file_called(stand.file).zh}的", ""),
        stand.above,
        Bilingual("", f" in {file_called(stand.file).en}"),
    )


def _without(stands: list[Stand], inner: list[Stand]) -> list[Stand]:
    """Those that do not stand in one that is said as a whole."""
    aside = set(map(id, inner))
    return [each for each in stands if id(each) not in aside]


def _root(file: str, documents: list[Any], number: int) -> Stand:
    document = documents[number] if number < len(documents) else None
    data = document if isinstance(document, dict) else {} if document is None else {"": document}
    return _Root("file", file, (number,), data, document, file_called(file))


class _Root(Stand):
    """All of a document."""

    __slots__ = ()

    @property
    def own(self) -> Bilingual:
        return self.above

    @property
    def called(self) -> Bilingual:
        return self.above


def _placed(stand: Stand) -> Bilingual:
    """A node with what it stands in, where that is not its file."""
    return within(stand.own, stand.above) if len(stand.path) > 3 else stand.called


def _whole_id(stand: Stand) -> Bilingual:
    """The id of a node that is called by its title."""
    id_ = stand.data.get("id")
    if id_ is None or TITLES.get(stand.kind) not in stand.data:
        return Bilingual("", "")
    return joined(Bilingual("编号 ", "id "), value_called(id_), Bilingual("，", ", "))


def _own(stand: Stand) -> dict[Any, Any]:
    """What a node has besides what it is called by and the nodes in it."""
    title = TITLES.get(stand.kind, "id")
    named = {title if title in stand.data else "id", *(each.path[-2] for each in below(stand))}
    return {key: value for key, value in stand.data.items() if key not in named}


def _content(file: str, text: str) -> Bilingual:
    return joined(f"{file} ", Bilingual(f"（{len(text)} 个字符）", f"({len(text)} characters)"))


def _is_data(file: str, text: str) -> bool:
    return file.endswith(_YAML) and not any(each.stops for each in parse_cached(text).findings)


def renamed(before: Texts, after: Texts) -> dict[str, str]:
    """Of files that are new and hold what another one held that is gone: as what they were called."""
    found: dict[str, str] = {}
    gone = [file for file in sorted(before) if file not in after]
    for file in sorted(set(after) - set(before)):
        likely = [(like, old) for old in gone if (like := _shared(old, before[old], file, after[file])) > 0.5]
        if likely:
            _, old = max(likely)
            found[file] = old
            gone.remove(old)
    return found


def _shared(old: str, text: str, new: str, now: str) -> float:
    """How much of two texts is the same: their nodes' names, else their lines."""
    if text == now:
        return 2 if text.strip() else 0
    if old.rpartition(".")[2] != new.rpartition(".")[2]:
        return 0
    one, other = set(text.split("\n")), set(now.split("\n"))
    return len(one & other) / max(1, len(one | other))
