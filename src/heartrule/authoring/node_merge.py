"""Which node of a document is which in its three versions, which of them are there in the merged one, and where."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from heartrule.authoring.diff.item_pairs import TITLES, canonical, identity
from heartrule.authoring.diff.nodes import Stand
from heartrule.authoring.diff.versions import met, nodes
from heartrule.language.texts.source import Path

Token = int
"""A node in all its versions. A document as a whole is a node too: the first one is -1, the second -2."""
Home = tuple[Token, str]
"""A list: the node that holds it, and the key."""
Key = tuple[Any, ...]
"""What a conflict is known by, whatever is decided of others."""
Texts = Mapping[str, str]
First = Mapping[str, int]
"""Of the files that are merged together: the number of each one's first document among those of all."""


@dataclass(slots=True)
class Version:
    """One of the three: by node its data, its list, and the nodes of each list in their order."""

    documents: Sequence[Any]
    stands: dict[Token, Stand] = field(default_factory=dict)
    homes: dict[Token, Home] = field(default_factory=dict)
    lists: dict[Home, list[Token]] = field(default_factory=dict)

    def data(self, token: Token) -> Any:
        """None where it is not there."""
        if token < 0:
            return self.documents[-1 - token] if -1 - token < len(self.documents) else None
        return self.stands[token].data if token in self.stands else None

    def below(self, token: Token) -> Iterator[Token]:
        """All that stands in a node, itself first."""
        yield token
        for (owner, _), tokens in self.lists.items():
            if owner == token:
                for each in tokens:
                    yield from self.below(each)


class Nodes:
    """``texts`` are the base, ours and theirs, ``documents`` what they say, file by file; ``take``: of which conflicts
    theirs is to stand. ``homes``: where each node stands in the merged version, of those that are there.
    ``conflicts``: by what they are known, the values of the three."""

    def __init__(
        self, texts: Sequence[Texts], documents: Sequence[Sequence[Any]], first: First, take: Collection[Key]
    ) -> None:
        self.base, self.ours, self.theirs = (Version(each) for each in documents)
        self._take, self._first = take, first
        self._count = 0
        self.conflicts: dict[Key, tuple[Any, Any, Any]] = {}
        self.homes: dict[Token, Home] = {}
        base, ours, theirs = texts
        self._number(self.base, base, {})
        mine = self._number(self.ours, ours, _origins(base, ours, first))
        self._number(self.theirs, theirs, _origins(base, theirs, first), mine)
        self._written = {token: stand.path for token, stand in self.ours.stands.items()}
        self._settle()

    def in_ours(self, token: Token) -> Path:
        """Where a node stands in our text; where it does not, the nearest one that it would stand in."""
        while token >= 0 and token not in self._written:
            token = next(each.homes[token] for each in (self.base, self.theirs) if token in each.homes)[0]
        return self._written[token] if token >= 0 else (-1 - token,)

    def _number(
        self, version: Version, texts: Texts, origins: Mapping[Path, Path], known: dict[Any, Token] | None = None
    ) -> dict[Any, Token]:
        """Gives every node of a version its token: that of what it was in the base, else that of what the other one
        has put into the same list under the same name (``known``), else a new one. Gives the new ones by name."""
        tokens: dict[Path, Token] = {(number,): -1 - number for number in range(len(version.documents))}
        was = {stand.path: token for token, stand in self.base.stands.items()}
        new: dict[Any, Token] = {}
        for stand in _laid(texts, self._first):
            home = tokens[stand.path[:-2]], str(stand.path[-2])
            token = was.get(origins.get(stand.path, ()))
            if token is None or token in version.stands:
                name = home, identity(stand.data) or canonical(stand.data)
                token = (known or {}).get(name)
                if token is None or token in version.stands:
                    token, self._count = self._count, self._count + 1
                new.setdefault(name, token)
            tokens[stand.path] = token
            version.stands[token], version.homes[token] = stand, home
            version.lists.setdefault(home, []).append(token)
        return new

    # which are there

    def _settle(self) -> None:
        gone: set[Token] = set()
        with_owner: set[Token] = set()
        for token in range(self._count):
            own, other = token in self.ours.stands, token in self.theirs.stands
            if token not in self.base.stands or (own and other):
                continue
            if not (own or other):
                gone.add(token)
            elif token not in with_owner:
                self._one_sided(token, own, gone, with_owner)
        for token in range(self._count):
            if token not in gone:
                self.homes[token] = self._home(token)
        self._hold_up(gone)
        self._untangle()

    def _one_sided(self, token: Token, own: bool, gone: set[Token], with_owner: set[Token]) -> None:
        """One took it out. Where the other one has touched it, or anything in it, that is told, and all in it that was
        taken out with it shares its fate."""
        left, away = (self.ours, self.theirs) if own else (self.theirs, self.ours)
        touched = left.homes[token] != self.base.homes[token] or canonical(left.data(token)) != canonical(
            self.base.data(token)
        )
        if not touched:
            gone.add(token)
            return
        key = ("gone", token)
        values = self.base.data(token), self.ours.data(token), self.theirs.data(token)
        self.conflicts[key] = values
        stays = own != (key in self._take)
        for each in left.below(token):
            if each in self.base.stands and each not in away.stands:
                with_owner.add(each)
                if stays:
                    away.stands[each] = self.base.stands[each]
                    away.homes[each] = self.base.homes[each]
                else:
                    gone.add(each)

    # where they stand

    def _home(self, token: Token) -> Home:
        was, own, other = (each.homes.get(token) for each in (self.base, self.ours, self.theirs))
        if own is None or other is None:
            alone = own or other
            assert alone is not None
            return alone
        if own == other or other == was:
            return own
        if own == was:
            return other
        key = ("place", token)
        self.conflicts[key] = None if was is None else self._called(was), self._called(own), self._called(other)
        return other if key in self._take else own

    def _called(self, home: Home) -> str:
        """What holds a list, by its title or id."""
        for version in (self.ours, self.theirs, self.base):
            if home[0] in version.stands:
                return called(version.stands[home[0]])
        return home[1]

    def _hold_up(self, gone: set[Token]) -> None:
        """What was moved into a node that is there no more stands where it stood otherwise."""
        dead = set(gone)
        while True:
            low = [token for token, home in self.homes.items() if home[0] in dead and token not in dead]
            if not low:
                break
            for token in low:
                others = (each.homes.get(token) for each in (self.ours, self.theirs, self.base))
                home = next((each for each in others if each is not None and each[0] not in dead), None)
                if home is None:
                    dead.add(token)
                else:
                    self.homes[token] = home
        self.homes = {token: home for token, home in self.homes.items() if token not in dead}

    def _untangle(self) -> None:
        """Of two that each moved one into the other, both stand as ours has them."""
        for token in list(self.homes):
            seen = [token]
            while (owner := self.homes.get(seen[-1], (-1, ""))[0]) >= 0 and owner not in seen:
                seen.append(owner)
            if owner >= 0:
                for each in seen:
                    if each in self.ours.homes and self.homes[each] != self.ours.homes[each]:
                        self.conflicts["place", each] = (None, each, each)
                        self.homes[each] = self.ours.homes[each]


def called(stand: Stand) -> str:
    """A node by its title or id, else by its type."""
    names = (stand.data.get(each) for each in (TITLES.get(stand.kind, "id"), "id", "type"))
    return next((str(each) for each in names if each), stand.kind)


def _laid(texts: Texts, first: First) -> Iterator[Stand]:
    """The nodes of all files, each with its document's number among those of all."""
    for stand in nodes(texts):
        yield replace(stand, path=_among(stand, first))


def _among(stand: Stand, first: First) -> Path:
    return (first[stand.file] + int(stand.path[0]), *stand.path[1:])


def _origins(before: Texts, after: Texts, first: First) -> dict[Path, Path]:
    """Of each node of a version that was there before, where it stood: as versions are compared, and what stands in a
    list that has not changed goes along with its node."""
    pairs, renamed = met(before, after, {})
    was_called = {new: old for old, new in renamed.items()}
    found = {_among(new, first): _among(old, first) for old, new in pairs}
    old = {each.path: each for each in _laid(before, first)}
    for new in _laid(after, first):
        file = was_called.get(new.file, new.file)
        root = (first[file] + int(new.path[0]) - first[new.file],)
        above = found.get(new.path[:-2], root if len(new.path) == 3 else ())
        was = old.get((*above, *new.path[-2:])) if above else None
        if new.path not in found and was is not None and canonical(was.data) == canonical(new.data):
            found.setdefault(new.path, was.path)
    return found
