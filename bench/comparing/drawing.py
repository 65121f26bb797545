"""Edits as authors make them, drawn by kind, each with others that could be taken for it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from bench.comparing.material import Material, Spot
from bench.comparing.plain import Path, at
from bench.comparing.steps import Carry, Comment, Copy, Delete, File, Insert, Move, Rename, Set, Step, fresh_file
from bench.comparing.values import is_chinese, others, prose

from heartrule.authoring.splices import parse_cached

LIMITS = (
    *(
        "max_rounds",
        "timeout",
        "threshold",
        "cooldown",
        "range",
        "max",
        "rounds",
        "max_length",
        "wait",
        "every",
        "times",
    ),
    *("times", "priority", "within", "understanding_threshold", "duration"),
)
CONDITIONS = ("condition", "show_when", "validate", "until", "done_when", "if")
TEXTS = (
    "content",
    "question",
    "goal",
    "define",
    "label",
    "fallback",
    "text",
    "say",
    "judge",
    "description",
    "milestone",
)
FRAME = ("sessions", "phases", "steps")
KEPT = ("id", "type", "translation_of", "locale")
NAMED = ("id", "var", "get", "value")
TITLES = ("topic", "skill", "awareness", "form", "phase", "session")
NEW = {
    "condition": {True: "exists(称呼)", False: "exists(name)"},
    "max_rounds": {True: 2, False: 3},
    "require_acknowledgment": {True: True, False: True},
    "fallback": {True: "好，我们接着往下说。", False: "All right, let us go on."},
    "goal": {True: "弄清楚眼下最要紧的是什么", False: "Find out what matters most just now"},
    "tone": {True: "平和，不催", False: "calm, never pressing"},
    "label": {True: "补充的标签", False: "A label of its own"},
    "required": {True: False, False: False},
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """An edit. ``back``: from what it makes to what was there. ``how``: in what it differs from the true one."""

    steps: tuple[Step, ...] = field(repr=False)
    how: str = "true"
    back: bool = False


Drawn = tuple[tuple[Step, ...], Iterator[Candidate]]
Which = Callable[[Spot], bool]


class Drawing:
    """One edit's luck and material."""

    def __init__(self, material: Material, random: Random) -> None:
        self.material, self.random = material, random

    def some(self, spots: Sequence[Spot], which: Which) -> Spot | None:
        """One of them: a file first, so that long ones do not have it all."""
        by_file: dict[str, list[Spot]] = {}
        for each in spots:
            if which(each):
                by_file.setdefault(each.file, []).append(each)
        return self.random.choice(by_file[self.random.choice(sorted(by_file))]) if by_file else None

    def values(self, spot: Spot) -> list[Any]:
        pool = self.material.pool.get(spot.key, [])
        return others(spot.value, spot.key, pool, self.random)

    def near(self, spot: Spot) -> list[Spot]:
        """The same field of other nodes, or of other items of the same one, the nearest first."""
        spots, shape = self.material.fields, _shape(spot)
        like = [n for n, each in enumerate(spots) if _shape(each) == shape and each.file == spot.file]
        own = next(n for n, each in enumerate(spots) if each is spot)
        return [spots[n] for n in sorted(like, key=lambda n: abs(n - own)) if n != own]

    def beside(self, spot: Spot) -> list[Spot]:
        """Other fields of the same node."""
        own = [each for each in self.material.fields if each.file == spot.file and each.node == spot.node]
        kept = [each for each in own if each.path != spot.path and each.key not in KEPT and self.values(each)]
        self.random.shuffle(kept)
        return kept

    # Fields

    def field(self, which: Which) -> Drawn | None:
        for _ in range(30):
            spot = self.some(self.material.fields, lambda each: which(each) and not isinstance(each.value, dict))
            values = self.values(spot) if spot is not None else []
            if spot is not None and values and spot.key not in KEPT:
                step = Set(spot.file, spot.path, values[0])
                return (step,), self._field_siblings(spot, step, values[1:])
        return None

    def _field_siblings(self, spot: Spot, step: Set, values: list[Any]) -> Iterator[Candidate]:
        made = [Candidate((Set(spot.file, spot.path, each),), "another value") for each in values[:2]]
        for each in self.near(spot)[:3]:
            found = self.values(each)
            if isinstance(step.value, int | float) or (isinstance(step.value, str) and step.value in found):
                found = [step.value] if each.value != step.value else []
            if found:
                made.append(Candidate((Set(each.file, each.path, found[0]),), "a neighbour"))
        for each in self.beside(spot)[:2]:
            made.append(Candidate((Set(each.file, each.path, self.values(each)[0]),), "another field"))
        yield Candidate((step,), "backwards", back=True)
        yield from _in_turn(made)

    def gone_or_new(self) -> Drawn | None:
        for _ in range(30):
            spot = self.some(self.material.nodes, lambda each: bool(each.kind) and len(each.value) > 2)
            if spot is None:
                return None
            drawn = self._gone(spot) if self.random.random() < 0.5 else self._new(spot)
            if drawn is not None:
                return drawn
        return None

    def _gone(self, spot: Spot) -> Drawn | None:
        keys = [key for key in spot.value if key not in (*NAMED, *TITLES, "type", "actions", "steps", "phases", "role")]
        if not keys:
            return None
        key = self.random.choice(keys)
        step = Set(spot.file, (*spot.path, key), None)
        made = [
            Candidate((Set(spot.file, (*spot.path, each), None),), "another field") for each in keys if each != key
        ][:2]
        near = [each for each in self._like(spot) if key in each.value][:2]
        made += [Candidate((Set(each.file, (*each.path, key), None),), "a neighbour") for each in near]
        inner = next((each for each in self.material.fields if each.file == spot.file and each.path == step.path), None)
        if inner is not None and (values := self.values(inner)):
            made.append(Candidate((Set(spot.file, step.path, values[0]),), "changed, not gone"))
        return (step,), iter([Candidate((step,), "backwards", back=True), *_in_turn(made)])

    def _new(self, spot: Spot) -> Drawn | None:
        chinese = is_chinese(str(spot.value))
        keys = {
            "actions": ("condition", "max_rounds", "require_acknowledgment", "fallback", "goal", "tone"),
            "steps": ("goal", "condition"), "skills": ("goal", "tone"), "declare": ("label",), "global": ("label",),
        }.get(spot.kind, ())  # fmt: skip
        free = [key for key in keys if key not in spot.value]
        if not free:
            return None
        key, *rest = self.random.sample(free, len(free))
        step = Set(spot.file, (*spot.path, key), NEW[key][chinese])
        made = [
            Candidate((Set(spot.file, (*spot.path, each), NEW[each][chinese]),), "another field") for each in rest[:2]
        ]
        near = [each for each in self._like(spot) if key not in each.value][:2]
        made += [Candidate((Set(each.file, (*each.path, key), step.value),), "a neighbour") for each in near]
        values = others(step.value, key, self.material.pool.get(key, []), self.random)
        made += [Candidate((Set(spot.file, step.path, each),), "another value") for each in values[:1]]
        return (step,), iter([Candidate((step,), "backwards", back=True), *_in_turn(made)])

    def _like(self, spot: Spot) -> list[Spot]:
        """Nodes of its kind in its file, the nearest first."""
        nodes = [each for each in self.material.nodes if each.file == spot.file and each.kind == spot.kind]
        own = next(n for n, each in enumerate(nodes) if each is spot)
        return [nodes[n] for n in sorted(range(len(nodes)), key=lambda n: abs(n - own)) if n != own]

    # Lists

    def inserted(self, which: Which) -> Drawn | None:
        model = self.some(self.material.spots, which)
        if model is None:
            return None
        item, path = self.renewed(model.value), model.path[:-1]
        items = self._list(model)
        index = self.random.randrange(len(items) + 1)
        step = Insert(model.file, path, index, item)
        places = [n for n in (index - 1, index + 1, 0, len(items)) if 0 <= n <= len(items) and n != index]
        made = [Candidate((Insert(model.file, path, n, item),), "another place") for n in places[:1]]
        made += [
            Candidate((Insert(model.file, path, index, each),), "another content") for each in self._altered(item)[:2]
        ]
        lists = [each for each in self._lists(model) if each != path]
        made += [Candidate((Insert(model.file, each, 0, item),), "another list") for each in lists[:1]]
        made += [Candidate((step, *more), "one more") for more in self._besides(model.file, path)]
        return (step,), iter([Candidate((step,), "backwards", back=True), *_in_turn(made)])

    def renewed(self, item: Any, depth: int = 0) -> Any:
        """Like it, with names of its own and other words."""
        if not isinstance(item, dict):
            return prose(item, self.random)[0] if isinstance(item, str) else item
        made, chinese = copy.deepcopy(item), is_chinese(str(item))
        made.pop("translation_of", None)
        for key in NAMED:
            if isinstance(made.get(key), str) and key != "value":
                made[key] = f"{made[key]}_{self.random.randrange(2, 90)}"
        for key in TITLES:
            if isinstance(made.get(key), str) and not (key == "form" and "type" in made):
                made[key] += "（补）" if chinese else ", once more"
        key = next((key for key in TEXTS if isinstance(made.get(key), str) and made[key]), None)
        if key is not None:
            made[key] = self.random.choice(prose(made[key], self.random))
        elif isinstance(made.get("to"), str):
            made["condition"] = "not exists(称呼)" if chinese else "not exists(name)"
        for key in ("actions", "steps"):
            if isinstance(made.get(key), list):
                made[key] = [self.renewed(each, depth + 1) for each in made[key][:2]]
        return made

    def _altered(self, item: Any) -> list[Any]:
        """The same item with one field otherwise."""
        if not isinstance(item, dict):
            return prose(item, self.random) if isinstance(item, str) else []
        made = []
        for key in item:
            values = (
                [] if key in ("id", "type") else others(item[key], key, self.material.pool.get(key, []), self.random)
            )
            made += [{**item, key: each} for each in values[:1]]
        if len(item) > 3:
            made.append({key: value for key, value in item.items() if key != list(item)[-1]})
        self.random.shuffle(made)
        return made

    def _list(self, spot: Spot) -> list[Any]:
        found: list[Any] = at(parse_cached(self.material.texts[spot.file]).documents, spot.path[:-1])
        return found

    def _lists(self, spot: Spot) -> list[Path]:
        """Lists like the one that it is in, in the same file."""
        key = spot.path[-2]
        found = [
            e.path
            for e in self.material.spots
            if e.file == spot.file and e.path[-1] == key and isinstance(e.value, list)
        ]
        self.random.shuffle(found)
        return [each for each in found if len(each) == len(spot.path) - 1]

    def _besides(self, file: str, path: Path) -> list[tuple[Step, ...]]:
        """One more edit in the same file, of what does not stand in this list."""
        for _ in range(10):
            drawn = self.field(lambda each: each.file == file and each.path[: len(path)] != path)
            if drawn is not None:
                return [drawn[0]]
        return []

    def deleted(self, which: Which) -> Drawn | None:
        spot = self.some(self.material.spots, lambda each: which(each) and isinstance(each.path[-1], int))
        if spot is None or len(self._list(spot)) < 2:
            return None
        step, above, own = Delete(spot.file, spot.path), spot.path[:-1], spot.path[-1]
        size = len(self._list(spot))
        near = sorted((n for n in range(size) if n != own), key=lambda n: abs(n - own))
        made = [Candidate((Delete(spot.file, (*above, n)),), "a neighbour") for n in near[:2]]
        if isinstance(spot.value, dict):
            keys = [key for key in spot.value if key not in ("id", "type", "var", "actions", "steps", *TITLES)]
            made += [Candidate((Set(spot.file, (*spot.path, keys[-1]), None),), "only a part")] if keys else []
        low, high = sorted((own, near[0]))
        made.append(Candidate((Delete(spot.file, (*above, high)), Delete(spot.file, (*above, low))), "one more"))
        return (step,), iter([Candidate((step,), "backwards", back=True), *_in_turn(made)])

    def moved(self, which: Which, *, far: bool) -> Drawn | None:
        spot = self.some(self.material.nodes, which)
        if spot is None:
            return None
        above, own, size = spot.path[:-1], spot.path[-1], len(self._list(spot))
        lists = [each for each in self._lists(spot) if each != above] if far else [above]
        if size < 3 or not lists:
            return None
        documents = parse_cached(self.material.texts[spot.file]).documents
        targets = [
            (to, n)
            for to in lists[:3]
            for n in range(len(at(documents, to)) + 1)
            if to != above or n not in (own, own + 1)
        ]
        (to, index), *rest = self.random.sample(targets, len(targets))
        step = Move(spot.file, spot.path, to, index)
        made = [Candidate((Move(spot.file, spot.path, *each),), "another place") for each in rest[:2]]
        near = [n for n in (own - 1, own + 1) if 0 <= n < size]
        made += [Candidate((Move(spot.file, (*above, n), to, index),), "a neighbour") for n in near]
        key = next((each for each in NAMED if isinstance(spot.value.get(each), str)), None)
        if key is not None:
            copied = {**spot.value, key: f"{spot.value[key]}_2"}
            made.append(Candidate((Insert(spot.file, to, index, copied),), "copied, not moved"))
        return (step,), iter([Candidate((step,), "backwards", back=True), *_in_turn(made)])

    def carried(self) -> Drawn | None:
        kinds = ("skills", "actions", "steps", "forms", "awareness")
        spot = self.some(self.material.nodes, lambda each: each.kind in kinds and "*" not in str(each.value)[:4000])
        if spot is None:
            return None
        there = [each for each in self.material.spots if each.file != spot.file and each.path[-1] == spot.kind]
        there = [each for each in there if isinstance(each.value, list) and each.value]
        if not there or len(self._list(spot)) < 2:
            return None
        targets = self.random.sample(there, min(2, len(there)))
        steps = [Carry(spot.file, spot.path, each.file, each.path, len(each.value)) for each in targets]
        made = [Candidate((each,), "to another place") for each in steps[1:]]
        if len(targets[0].value) > 1:
            made.append(Candidate((Carry(spot.file, spot.path, steps[0].other, steps[0].to, 0),), "another place"))
        made.append(Candidate((Delete(spot.file, spot.path),), "gone, not moved"))
        made.append(Candidate((Insert(steps[0].other, steps[0].to, steps[0].index, spot.value),), "copied, not moved"))
        above, own = spot.path[:-1], spot.path[-1]
        near = [n for n in (own - 1, own + 1) if 0 <= n < len(self._list(spot))]
        made += [Candidate((Carry(spot.file, (*above, n), *_target(steps[0])),), "a neighbour") for n in near[:1]]
        return (steps[0],), iter([Candidate((steps[0],), "backwards", back=True), *_in_turn(made)])

    def copied(self) -> Drawn | None:
        spot = self.some(
            self.material.nodes, lambda each: each.kind in ("actions", "steps", "fields") and "id" in each.value
        )
        if spot is None:
            return None
        step = Copy(spot.file, spot.path, "id", f"{spot.value['id']}_2")
        made = [Candidate((Copy(spot.file, spot.path, "id", f"{spot.value['id']}_3"),), "another name")]
        near = [each for each in self._like(spot) if "id" in each.value][:2]
        made += [
            Candidate((Copy(each.file, each.path, "id", f"{each.value['id']}_2"),), "a neighbour") for each in near
        ]
        changed = self._altered({**spot.value, "id": step.name})[:1]
        index = spot.path[-1] + 1
        made += [Candidate((Insert(spot.file, spot.path[:-1], index, each),), "copied and changed") for each in changed]
        return (step,), iter([Candidate((step,), "backwards", back=True), *_in_turn(made)])

    # Names, files, comments

    def renamed(self) -> Drawn | None:
        if self.random.random() < 0.4:
            return self._titled()
        spot = self.some(
            self.material.nodes, lambda each: each.kind in ("declare", "global", "skills", "actions", "steps")
        )
        key = next((each for each in ("var", "id") if spot is not None and isinstance(spot.value.get(each), str)), None)
        if spot is None or key is None:
            return None
        names = [f"{spot.value[key]}_{each}" for each in ("新", "now", "b")]
        self.random.shuffle(names)
        make = self.material.workspace
        step = Rename(spot.file, spot.path, key, names[0], make)
        made = [Candidate((Rename(spot.file, spot.path, key, names[1], make),), "another name")]
        near = [each for each in self._like(spot) if isinstance(each.value.get(key), str)][:2]
        made += [Candidate((Rename(each.file, each.path, key, names[0], make),), "a neighbour") for each in near]
        made += [Candidate((step, *more), "one more") for more in self._besides(spot.file, spot.path)]
        return (step,), iter([Candidate((step,), "backwards", back=True), *_in_turn(made)])

    def _titled(self) -> Drawn | None:
        title = {
            "steps": "topic",
            "phases": "phase",
            "sessions": "session",
            "skills": "skill",
            "forms": "form",
            "awareness": "awareness",
        }
        spot = self.some(self.material.nodes, lambda each: each.kind in title and title[each.kind] in each.value)
        if spot is None:
            return None
        key = title[spot.kind]
        names = (
            ("重新看看", "第二步", "收一收")
            if is_chinese(spot.value[key])
            else ("A second look", "Another step", "Rounding off")
        )
        name, other = self.random.sample(names, 2)
        step = Set(spot.file, (*spot.path, key), name)
        made = [Candidate((Set(spot.file, step.path, other),), "another name")]
        near = [each for each in self._like(spot) if key in each.value][:2]
        made += [Candidate((Set(each.file, (*each.path, key), name),), "a neighbour") for each in near]
        if isinstance(spot.value.get("goal"), str):
            made.append(Candidate((Set(spot.file, (*spot.path, "goal"), name),), "another field"))
        made += [Candidate((step, *more), "one more") for more in self._besides(spot.file, spot.path)]
        return (step,), iter([Candidate((step,), "backwards", back=True), *_in_turn(made)])

    def files(self) -> Drawn | None:
        names = sorted(each for each in self.material.texts if each != "project.yaml")
        one, other, third = self.random.sample(names, 3)
        new = {
            "skills": [
                {
                    "skill": "Evening",
                    "id": "evening",
                    "actions": [{"type": "say", "id": "evening_say", "content": "Sit down."}],
                }
            ]
        }
        step = self.random.choice(
            [File(one), File(one, name=f"more_{one.rpartition('/')[2]}"), File("evening.yaml", fresh_file(new))]
        )
        made = [
            Candidate((each,), "another file")
            for each in (File(other), File(other, name=f"more_{other.rpartition('/')[2]}"))
        ]
        made += [
            Candidate((File(third),), "another file"),
            Candidate((File("night.yaml", fresh_file(new)),), "another file"),
        ]
        made += [Candidate((File(one, name="other.yaml"),), "another name")]
        return (step,), iter([Candidate((step,), "backwards", back=True), *_in_turn(made)])

    def comments(self) -> Drawn | None:
        found = [
            (file, n, line.strip())
            for file, text in sorted(self.material.texts.items())
            for n, line in enumerate(text.splitlines())
            if line.strip().startswith("# ") and len(line.strip()) > 6
        ]
        (file, n, line), *rest = self.random.sample(found, 6)
        values = ["# " + each for each in prose(line[2:], self.random)]
        step: Step = Comment(file, n, line, values[0]) if self.random.random() < 0.6 else Comment(file, n, line, None)
        made = [Candidate((Comment(file, n, line, values[1]),), "another value")]
        made += [Candidate((Comment(one, at_, said, said + "!"),), "another place") for one, at_, said in rest[:2]]
        made += [Candidate((Comment(file, n, None, values[2]),), "new, not changed")]
        return (step,), iter([Candidate((step,), "backwards", back=True), *_in_turn(made)])

    # Several

    def several(self, kinds: Sequence[Callable[[Drawing], Drawn | None]]) -> Drawn | None:
        """Two to four deeds; a field of what moves is changed before it goes."""
        wanted = self.random.choice((2, 2, 3, 4))
        parts: list[Drawn] = []
        for _ in range(60):
            drawn = self.random.choice(kinds)(self)
            if drawn is not None and all(apart(drawn[0], each[0]) for each in parts):
                parts.append(drawn)
            if len(parts) == wanted:
                break
        if len(parts) < 2:
            return None
        parts.sort(key=lambda each: _order(each[0][0]))
        steps = tuple(step for own, _ in parts for step in own)
        return steps, self._several_siblings(parts, kinds)

    def _several_siblings(
        self, parts: list[Drawn], kinds: Sequence[Callable[[Drawing], Drawn | None]]
    ) -> Iterator[Candidate]:
        own = [each for each, _ in parts]
        yield Candidate(_flat(own), "backwards", back=True)
        left = self.random.randrange(len(own))
        yield Candidate(_flat([each for n, each in enumerate(own) if n != left]), "one left out")
        for n in self.random.sample(range(len(own)), len(own)):
            other = next((each for each in parts[n][1] if not each.back and self._fits(each, own, n)), None)
            if other is not None:
                yield Candidate(_flat([*own[:n], other.steps, *own[n + 1 :]]), f"one of them: {other.how}")
        for _ in range(20):
            drawn = self.random.choice(kinds)(self)
            if drawn is not None and all(apart(drawn[0], each) for each in own):
                yield Candidate(_flat(sorted([*own, drawn[0]], key=lambda each: _order(each[0]))), "one more")
                break
        for n in range(len(own)):
            if n != left:
                yield Candidate(_flat([each for at_, each in enumerate(own) if at_ != n]), "one left out")

    def _fits(self, candidate: Candidate, own: list[tuple[Step, ...]], n: int) -> bool:
        return _order(candidate.steps[0]) == _order(own[n][0]) and all(
            apart(candidate.steps, each) for at_, each in enumerate(own) if at_ != n
        )


def _target(step: Carry) -> tuple[str, Path, int]:
    return step.other, step.to, step.index


def _flat(parts: Sequence[tuple[Step, ...]]) -> tuple[Step, ...]:
    return tuple(step for each in parts for step in each)


def _order(step: Step) -> int:
    return 0 if isinstance(step, Set) else 1


def _shape(spot: Spot) -> tuple[Any, ...]:
    rest = spot.path[len(spot.node) :]
    return (spot.kind, spot.type, *("#" if isinstance(part, int) else part for part in rest))


def _in_turn(made: Sequence[Candidate]) -> Iterator[Candidate]:
    """One of each way in which they differ before the second of any."""
    left = list(made)
    while left:
        for how in dict.fromkeys(each.how for each in left):
            chosen = next(each for each in left if each.how == how)
            left.remove(chosen)
            yield chosen


def apart(one: Sequence[Step], other: Sequence[Step]) -> bool:
    """Whether two edits can be done one after the other, fields first, and neither hides the other."""
    return all(_apart(a, b) for a in one for b in other)


def _apart(one: Step, other: Step) -> bool:
    if any(isinstance(each, Rename | File | Comment) for each in (one, other)):
        files = [{file for file, _ in each.touches} for each in (one, other)]
        return not any(isinstance(each, Rename) for each in (one, other)) and not files[0] & files[1]
    fields = [each for each in (one, other) if isinstance(each, Set)]
    if len(fields) == 1 and isinstance(other if fields[0] is one else one, Move | Carry):
        return True
    return not any(
        file == there and (path[: len(place)] == place or place[: len(path)] == path)
        for file, path in one.touches
        for there, place in other.touches
    )
