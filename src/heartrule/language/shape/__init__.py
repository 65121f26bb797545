"""What the models say about data → findings that a counsellor can act on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from heartrule.language import spellings
from heartrule.language.bilingual import Bilingual
from heartrule.language.expressions import ExpressionError
from heartrule.language.expressions.natural_conditions import in_signs
from heartrule.language.findings import Finding, clip, finding, mends
from heartrule.language.findings.mends import Mend
from heartrule.language.findings.words import EMPTY, words
from heartrule.language.nodes import Action, Place, Project, SayExitCriteria
from heartrule.language.nodes.script_file import File
from heartrule.language.shape.keys import keys, keys_at
from heartrule.language.shape.kinds import WANTED, describe
from heartrule.language.shape.levels import levels
from heartrule.language.spellings import conversions, synonyms
from heartrule.language.texts.source import Path, Spot
from heartrule.language.yaml import ParsedYaml
from heartrule.language.yaml.flow_mappings import quoted
from heartrule.language.yaml.traps import misread

Registry = Mapping[str, type[Action]]
_LEAST, _MOST = Bilingual("至少", "at least"), Bilingual("至多", "at most")
_BOUNDS = {
    "greater_than_equal": ("ge", _LEAST),
    "greater_than": ("gt", Bilingual("大于", "more than")),
    "less_than_equal": ("le", _MOST),
    "less_than": ("lt", Bilingual("小于", "less than")),
    "too_short": ("min_length", _LEAST),
    "too_long": ("max_length", _MOST),
    "string_too_short": ("min_length", _LEAST),
    "string_too_long": ("max_length", _MOST),
}
_WORD = re.compile(r"[\w-]+")
_COLLECTED = re.compile(r"\{[^{}\n]*\}|\[[^\[\]\n]*\]")
_QUOTES = Bilingual("给它加上引号。", "Put it in quotes.")
_SWITCH = Bilingual(
    "打开写 {enable: […]}，关掉写 {disable: […]}。", "Write {enable: […]} to switch on, {disable: […]} to switch off."
)
_UNSPACED = re.compile(r"([a-z_]+)[ \t\u3000]*([:：])[ \t\u3000]*(?=\S)")
_UNSPACED_ANY = re.compile(r"(?<![a-z_])([a-z_]+)[ \t\u3000]*[:：][ \t\u3000]*(?=\S)")
_UNCOMMAED = re.compile(r"[，；、][ \t\u3000]*(?=[a-z_]+: )")
_BRACED = re.compile(r"(\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})\s*(?:#.*)?\Z")
MOST = 500
"""Findings of one file that are worked out."""
_PLAIN_LISTS = frozenset(
    {"awareness", "at", "topics", "returns", "options", "enable", "disable", "exit_sources", "off", "sum", "input"}
)


@dataclass(frozen=True, slots=True)
class Shape:
    """One parsed file and what its documents should be: ``File``, or ``Project`` for ``project.yaml``."""

    parsed: ParsedYaml
    registry: Registry
    root: type[BaseModel] = File
    count: list[None] = field(default_factory=list, repr=False, compare=False)

    def place(self, path: Path, spot: Spot | None = None) -> Place:
        """The place at ``path``: where its key begins, or ``spot``."""
        at = spot or self.parsed.map.key(path)
        said = words(self.parsed.documents, path)
        return Place(self.parsed.file, at.line, at.column, said.zh, said.en, path)

    def found(self, code: str, path: Path, *, mend: Mend | None = None, **values: object) -> Finding:
        """A finding at the value at ``path``."""
        return finding(code, self.place(path, self.parsed.map.value(path)), mend=mend, **values)

    def keyed(self, code: str, path: Path, *, mend: Mend | None = None, **values: object) -> Finding:
        """A finding at the key at ``path``."""
        return finding(code, self.place(path), mend=mend, **values)

    def renamed(self, path: Path, known: Sequence[str]) -> Mend | None:
        """The mend of a misspelt key: the nearest one, unless that is there already."""
        near = mends.near(str(path[-1]), known)
        if near is None or near[0] in self._data(path[:-1]):
            return None
        return self._as(path, near[0], safe=near[1])

    def _as(self, path: Path, key: str, *, safe: bool = True) -> Mend | None:
        return mends.whole(self.parsed.map, self.parsed.map.key(path), path[-1], key, safe=safe)

    def without(self, path: Path) -> Mend | None:
        """The mend that takes a key away. What it says is lost, so that a person decides."""
        return mends.removed(self.parsed.map, self.parsed.map.key(path), safe=False)

    def _run_together(self, path: Path) -> bool:
        """Whether a key is written twice above in its mapping: the dash of the next item may be missing there, and what
        it says belongs to that."""
        begins, key = self.parsed.map.value(path[:-1]), self.parsed.map.key(path)
        above = range(begins.line, key.line + 1)
        return any(each.code == "E007" and each.line in above for each in self.parsed.findings)

    def instead(self, path: Path, known: Sequence[str]) -> Mend | None:
        """The mend of a misspelt value: the nearest one."""
        value = str(self._data(path))
        ours = synonyms.value(value, known)
        near = (ours, True) if ours is not None else mends.near(value, known)
        at = self.parsed.map.value(path)
        return mends.whole(self.parsed.map, at, self._data(path), near[0], safe=near[1]) if near else None

    def kind(self, path: Path) -> str:
        """The list that an item stands in; the key (with a colon) of a mapping that stands alone; "" for the top level
        of a script file and ``project`` for that of ``project.yaml``."""
        if len(path) <= 1:
            return "project" if self.root is Project else ""
        last = path[-1]
        return str(path[-2]) if isinstance(last, int) else f"{last}:"

    def findings(self, error: ValidationError, base: Path) -> list[Finding]:
        """Every error of a validation of the data at ``base``, each at its place."""
        located = [_LocatedError.of(self.parsed.documents, base, details) for details in _details(error)]
        told = [self._tell(item) for item in _one_branch(located) if self.has_room()]
        return _without_consequences(told)

    def has_room(self) -> bool:
        """Whether one more finding is worked out; beyond ``MOST`` they are only counted: each one is dear."""
        self.count.append(None)
        return len(self.count) <= MOST

    @property
    def untold(self) -> int:
        """Findings that were counted and not worked out."""
        return max(0, len(self.count) - MOST)

    def _tell(self, item: _LocatedError) -> _ShapeFinding:
        if item.type == "extra_forbidden":
            found = self.unknown_key(item.path, item.value)
        elif item.type == "missing":
            found = self._missing(item)
        elif isinstance(item.error, ExpressionError):
            found = self._expression(item, item.error)
        else:
            found = self._wrong(item)
        return _ShapeFinding(item.parent, found, str(item.missing) if item.missing is not None else "")

    def unknown_key(self, path: Path, value: Any) -> Finding:
        """A key that is not read here: another spelling, another action's, or misspelt."""
        key, kind = str(path[-1]), self.kind(path[:-1])
        if form := spellings.canonical(kind, key):
            return self.keyed("E191", path, written=clip(key), form=form)
        known = keys_at(self.root, self._data(path[:1]), path[1:-1], self.registry)
        ours = synonyms.key(key, [each for each in known if each not in self._data(path[:-1])])
        if ours is not None:
            advice = Bilingual(f"是不是想写 `{ours}`？", f"Did you mean `{ours}`?")
            return self.keyed("E101", path, mend=self._as(path, ours), key=clip(key), advice=advice)
        action = self._data(path[:-1]) if kind == "actions" else self._data(path[:-2])
        if kind == "actions":
            others = [name for name, fields in self.registry.items() if key in keys(fields)]
            if others:
                code = "E113" if key == "exit_criteria" else "E108"
                told = {"key": self._as_written(path), "type": action.get("type"), "others": ", ".join(others)}
                return self.keyed(code, path, mend=None if self._run_together(path) else self.without(path), **told)
        if above := self._belongs(path):
            return self.keyed("E115", path, key=clip(key), here=self._called(path[:-1]), above=self._called(above))
        if kind == "choices" and not {"value", "label"} & set(self._data(path[:-1])):
            return self.keyed("E191", path[:-1], written=clip(key), form="{value: A, label: …}")
        if kind == "exit_criteria:" and key in SayExitCriteria.model_fields:
            told = {"key": key, "type": action.get("type"), "others": self._explaining()}
            return self.keyed("E108", path, mend=self.without(path), **told)
        if value is None and (colon := _UNSPACED.match(key)) is not None:
            mended = _UNCOMMAED.sub(", ", _UNSPACED_ANY.sub(r"\1: ", key))
            mend = mends.exactly(self.parsed.map, self.parsed.map.key(path), key, mended)
            code = "E022" if colon[2] == "：" else "E024"
            return self.keyed(code, path, mend=mend, key=colon[1], mended=clip(mended, 60))
        if value is None and self.parsed.map.value(path[:-1]).style == "{":
            return self.keyed("E026", path, key=clip(key))
        if key == "<<":
            return self.keyed("E116", path)
        types = [name for name, fields in self.registry.items() if key in keys(fields)]
        # What has a word more than a key says something else than it.
        known = [
            each for each in known if each != key and not key.startswith(f"{each}_") and not key.endswith(f"_{each}")
        ]
        near = [each for each in mends.close(key, tuple(known), 0.8 if types else 0.6) if not _opposite(key, each)]
        if 0 < len(types) < len(self.registry) and kind != "actions":
            shown = ", ".join(types[:4])
            advice = Bilingual(f"它写在动作里（{shown}）。", f"It belongs to actions ({shown}).")
            return self.keyed("E101", path, key=clip(key), advice=advice)
        if not near and (otherwise := self._said_otherwise(path, kind)) is not None:
            return otherwise
        advice = (
            Bilingual(f"是不是想写 `{near[0]}`？", f"Did you mean `{near[0]}`?")
            if near
            else Bilingual(f"这里可以写：{'、'.join(known)}。", f"Keys that may stand here: {', '.join(known)}.")
        )
        return self.keyed("E101", path, mend=self.renamed(path, known if near else ()), key=clip(key), advice=advice)

    def _said_otherwise(self, path: Path, kind: str) -> Finding | None:
        """A key that there is not, where what it says is said in another way, or belongs elsewhere."""
        key, data = str(path[-1]), self._data(path[:-1])
        name = data.get("var") or data.get("get")
        if key == "max_length" and kind in ("declare", "global", "output") and name:
            rule = f"validate: len({name}) <= {data[path[-1]]}"
            mend = mends.pattern(
                self.parsed.map, self.parsed.map.key(path), r"max_length[ \t]*:[ \t]*\d+", rule, safe=False
            )
            return self.keyed("E101", path, mend=mend, key=key, advice=Bilingual(f"写成：{rule}", f"Write: {rule}"))
        if key == "locale" and kind == "awareness":
            advice = Bilingual(
                "它不分语言，各种语言的会谈都看；删掉这一行。", "It watches sessions of any language; take it out."
            )
            return self.keyed("E101", path, mend=self.without(path), key=key, advice=advice)
        belongs = levels(key)
        return self.keyed("E101", path, key=clip(key), advice=belongs) if belongs is not None else None

    def _as_written(self, path: Path) -> str:
        """A key as it stands in the file, which may be another spelling of ours."""
        spot = self.parsed.map.key(path)
        lines = self.parsed.map.lines
        line = lines[spot.line - 1] if spot.line <= len(lines) else ""
        written = line[spot.column - 1 :].lstrip("'\"")
        found = _WORD.match(written)
        return found[0] if found else str(path[-1])

    def _explaining(self) -> str:
        """The types of actions that explain something, and end once it is understood."""
        explain = [name for name, fields in self.registry.items() if fields.traits.says == "model"]
        return ", ".join(explain)

    def _belongs(self, path: Path) -> Path | None:
        """The mapping above in which a key would be right: it is indented too far."""
        for length in range(len(path) - 2, 0, -1):
            if isinstance(self._data(path[:length]), dict):
                known = keys_at(self.root, self._data(path[:1]), path[1:length], self.registry)
                if path[-1] in known and path[-1] not in self._data(path[:length]):
                    return path[:length]
        return None

    def _called(self, path: Path) -> Bilingual:
        """What stands at a path, in one word and its name."""
        if isinstance(path[-1], str):
            return Bilingual(f"“{path[-1]}”", f"“{path[-1]}”")
        said = words(self.parsed.documents, path)
        return Bilingual(said.zh.rpartition(" › ")[2] or "文件", said.en.rpartition(" › ")[2] or "the file")

    def no_mapping(self, path: Path, value: Any) -> Finding:
        """A value where keys with values were wanted."""
        if value is None:
            return self.keyed("E106", path, key=_named(path))
        trap = misread(value, self.parsed.map.value(path).style, text=False)
        if trap is not None:
            return self.found(trap[0], path, mend=self._trapped(trap[0], path), **trap[1])
        wanted = WANTED["model_type"]
        return self.found("E103", path, key=_named(path), wanted=wanted, value=describe(value), advice=EMPTY)

    def _missing(self, item: _LocatedError) -> Finding:
        key, kind = str(item.missing), self.kind(item.parent)
        data = self._data(item.parent)
        if kind == "output" and not {"get", "set"} & set(data):
            return self.keyed("E112", item.parent)
        if isinstance(item.missing, int):
            shown, wanted = _named(item.parent), WANTED["tuple_type"]
            return self.found("E103", item.parent, key=shown, wanted=wanted, value=describe(data), advice=EMPTY)
        if kind == "choices" and len(data) == 1 and not {"value", "label"} & set(data):
            return self.keyed("E191", item.parent, written=clip(next(iter(data))), form="{value: A, label: …}")
        if kind == "steps" and key == "topic" and "goal" in data:
            return self.keyed("E191", (*item.parent, "goal"), written="goal", form="topic")
        return self.keyed("E102", item.parent, key=key)

    def no_type(self, path: Path) -> Finding:
        """An action that does not say what it is; the key for it may be misspelt."""
        near = (each for each in self._data(path) if mends.close(str(each), ("type", "action_type"), 0.75))
        written = next(near, None)
        if written is None:
            return self.keyed("E102", path, key="type")
        at, advice = (*path, written), Bilingual("是不是想写 `type`？", "Did you mean `type`?")
        return self.keyed("E101", at, mend=self._as(at, "type", safe=False), key=clip(written), advice=advice)

    def _expression(self, item: _LocatedError, error: ExpressionError) -> Finding:
        place = self.place(item.path, self.parsed.map.within(item.path, error.offset))
        mend = mends.exactly(self.parsed.map, place, *error.instead) if error.instead else None
        advice = Bilingual(error.hint_zh, error.hint_en)
        if (signs := in_signs(str(item.value))) is not None:
            advice = Bilingual(f"写成：{signs}", f"Write: {signs}")
            style = self.parsed.map.value(item.path).style
            new = signs.replace("'", '"') if style == "'" else signs
            start = self.place(item.path, self.parsed.map.within(item.path, 0))
            mend = mends.exactly(self.parsed.map, start, str(item.value), new)
        problem = Bilingual(error.message_zh, error.message_en)
        return finding("E110", place, mend=mend, problem=problem, advice=advice, text=clip(item.value, 60))

    def _wrong(self, item: _LocatedError) -> Finding:
        key, kind = str(item.path[-1]), self.kind(item.parent)
        if form := spellings.canonical(kind, key, item.value):
            return self.keyed("E191", item.path, written=f"{key}: {clip(item.value)}", form=form)
        shown = _named(item.path)
        if item.value is None:
            return self.keyed("E106", item.path, key=shown)
        wanted = WANTED.get(item.type)
        if item.type == "condition" or wanted is not None:
            style = self.parsed.map.value(item.path).style
            trap = misread(item.value, style, text=item.type in ("condition", "string_type"))
            if trap is not None:
                return self.found(trap[0], item.path, mend=self._trapped(trap[0], item.path), **trap[1])
        if item.type == "condition":
            return self.found("E111", item.path)
        if item.type == "literal_error":
            choices = _choices(item)
            mend = self.instead(item.path, str(choices["options"]).split(", "))
            return self.found("E104", item.path, mend=mend, key=shown, **choices)
        if item.type in _BOUNDS:
            bound, sign = _BOUNDS[item.type]
            edge = item.context.get(bound)
            limit = Bilingual(f"{sign.zh} {edge}{_counted(item).zh}", f"{sign.en} {edge}{_counted(item).en}")
            mend = self._bounded(item, edge)
            return self.found("E105", item.path, mend=mend, key=shown, limit=limit, value=_measured(item))
        if wanted is not None:
            mend, advice = self._converted(item), _QUOTES if item.type == "string_type" else EMPTY
            if key == "awareness" and kind == "phases" and isinstance(item.value, list):
                mend, advice = self._switched_on(item.path), _SWITCH
            told = {"wanted": wanted, "value": describe(item.value), "advice": advice}
            return self.found("E103", item.path, mend=mend, key=shown, **told)
        return self.found("E114", item.path, key=shown, value=describe(item.value))

    def _switched_on(self, path: Path) -> Mend | None:
        """The mend of a list where a phase says what is switched on and off."""
        at = self.parsed.map.value(path)
        found = _COLLECTED.match(self.parsed.map.lines[at.line - 1], at.column - 1)
        return mends.exactly(self.parsed.map, at, found[0], f"{{enable: {found[0]}}}", safe=False) if found else None

    def _trapped(self, code: str, path: Path) -> Mend | None:
        """The mend of a value that YAML reads as something else."""
        at = self.parsed.map.value(path)
        if code in ("E022", "E024"):
            return mends.pattern(self.parsed.map, at, r"([A-Za-z_]\w*)[:：]", r"\1: ")
        found = _COLLECTED.match(self.parsed.map.lines[at.line - 1], at.column - 1)
        return mends.exactly(self.parsed.map, at, found[0], quoted(found[0])) if found else None

    def _bounded(self, item: _LocatedError, bound: object) -> Mend | None:
        """The mend of a share that is written as a percentage. What else is too small or too large may mean any."""
        value = item.value
        shared = item.type == "less_than_equal" and bound == 1 and isinstance(value, int | float)
        if not shared or isinstance(value, bool) or not 1 < value <= 100:
            return None
        return mends.whole(self.parsed.map, self.parsed.map.value(item.path), value, f"{value / 100:g}", safe=False)

    def _converted(self, item: _LocatedError) -> Mend | None:
        """The mend of a value that says what is meant in another way: ``是``, ``3 次``, one where a list belongs."""
        at, value = self.parsed.map.value(item.path), item.value
        if item.type == "list_type" and isinstance(value, dict):
            return self._listed(at)
        if not isinstance(value, str) or at.style not in ("", "'", '"'):
            return None
        new: str | None = None
        if item.type in ("bool_parsing", "bool_type"):
            new = conversions.truth(value)
        elif item.type in ("int_parsing", "int_type"):
            new = conversions.number(value)
        elif item.type in ("float_parsing", "float_type"):
            new = conversions.share(value) or conversions.number(value)
        elif item.type == "tuple_type":
            new = conversions.pair(value)
        elif item.type == "list_type" and item.path[-1] in _PLAIN_LISTS:
            new = conversions.names(value)
            if new is None:
                return mends.whole(self.parsed.map, at, value, value, around="[]")
        return mends.exactly(self.parsed.map, at, f"{at.style}{value}{at.style}", new) if new is not None else None

    def _listed(self, at: Spot) -> Mend | None:
        """The mend of one mapping in braces, to the end of its line, where a list of them belongs."""
        rest = self.parsed.map.lines[at.line - 1][at.column - 1 :]
        found = _BRACED.match(rest) if at.style == "{" else None
        return mends.exactly(self.parsed.map, at, found[1], f"[{found[1]}]") if found else None

    def _data(self, path: Path) -> Any:
        data: Any = self.parsed.documents
        for part in path:
            data = data[part]
        return data


@dataclass(frozen=True, slots=True)
class _ShapeFinding:
    """A finding, the mapping that it is about, and the key that is missing there."""

    parent: Path
    found: Finding
    missing: str = ""

    @property
    def renamed(self) -> str | None:
        """The key that was meant, where one is misspelt."""
        mend = self.found.mend
        return mend.edits[0].text.strip("'\"") if self.found.code == "E101" and mend is not None else None


@dataclass(frozen=True, slots=True)
class _LocatedError:
    """An error with its path in the data. ``parent`` is the mapping that is spoken of; ``branches`` are the places
    where it chose between models, with the model it chose."""

    type: str
    path: Path
    parent: Path
    value: Any
    missing: str | int | None
    error: Exception | None
    context: dict[str, Any]
    branches: tuple[tuple[Path, str], ...]

    @classmethod
    def of(cls, documents: list[Any], base: Path, details: ErrorDetails) -> _LocatedError:
        data: Any = documents
        for part in base:
            data = data[part]
        path: Path = base
        branches: list[tuple[Path, str]] = []
        loc = details["loc"]
        missing = loc[-1] if details["type"] == "missing" else None
        for part in loc[:-1] if missing is not None else loc:
            inside = isinstance(data, dict) and part in data
            if inside or (isinstance(data, list) and isinstance(part, int) and part < len(data)):
                data = data[part]
                path = (*path, part)
            elif isinstance(part, str) and not part.startswith("<"):
                branches.append((path, part))
        parent = path if missing is not None else path[:-1]
        context = details.get("ctx", {})
        return cls(
            type=details["type"],
            path=path,
            parent=parent,
            value=data,
            missing=missing,
            error=context.get("error"),
            context=context,
            branches=tuple(branches),
        )


def _opposite(one: str, other: str) -> bool:
    """Whether two keys differ in what is most and what is least."""
    return one.replace("max", "min") == other.replace("max", "min") and one != other


def _details(error: ValidationError) -> list[ErrorDetails]:
    return error.errors(include_url=False, include_input=False)


def _measured(item: _LocatedError) -> Bilingual:
    """What was compared with a bound: the number of items of a list, the value itself otherwise."""
    if isinstance(item.value, list):
        count = len(item.value)
        return Bilingual(f"{count} 项", f"{count} item{'s' * (count != 1)}")
    if item.type.startswith("string_"):
        return Bilingual(f"{len(str(item.value))} 个字", f"{len(str(item.value))} characters")
    return describe(item.value)


def _counted(item: _LocatedError) -> Bilingual:
    """What a bound counts, where that is not the value itself."""
    if isinstance(item.value, list):
        return Bilingual(" 项", " of them")
    return Bilingual(" 个字", " characters") if item.type.startswith("string_") else Bilingual("", "")


def _named(path: Path) -> Bilingual:
    """What a value is called: its key, or its number in the list under the key."""
    last = path[-1]
    if isinstance(last, int) and len(path) > 1:
        return Bilingual(f"{path[-2]} 第 {last + 1} 项", f"{path[-2]}, item {last + 1}")
    return Bilingual(clip(last), clip(last))


def _choices(item: _LocatedError) -> dict[str, object]:
    expected = str(item.context.get("expected", ""))
    options = expected.replace("'", "").replace(" or ", ", ")
    known = tuple(option.strip() for option in options.split(","))
    ours = synonyms.value(str(item.value), known)
    near = [ours] if ours is not None else mends.close(str(item.value), known, 0.5)
    advice = Bilingual(f"是不是想写 `{near[0]}`？", f"Did you mean `{near[0]}`?") if near else Bilingual("", "")
    return {"value": describe(item.value), "options": options, "advice": advice}


def _one_branch(items: list[_LocatedError]) -> Iterator[_LocatedError]:
    """Where data may have one of several shapes, only what is wrong with the shape that was meant."""
    tried: dict[Path, dict[str, int]] = {}
    for item in items:
        for path, branch in item.branches:
            counts = tried.setdefault(path, {})
            # A missing key says most clearly that another shape was meant.
            counts[branch] = counts.get(branch, 0) + (10 if item.type == "missing" and item.parent == path else 1)
    meant = {path: min(counts, key=lambda name: counts[name]) for path, counts in tried.items()}
    for item in items:
        if all(meant[path] == branch for path, branch in item.branches):
            yield item


def _without_consequences(told: list[_ShapeFinding]) -> list[Finding]:
    """A mapping in another spelling lacks our keys; only the spelling is said. So it is with a key that is misspelt, or
    taken from elsewhere by ``<<``."""
    spelled = {each.parent for each in told if each.found.code in ("E191", "E116", "E022", "E024")}
    misspelt = {(each.parent, each.renamed) for each in told}
    kept = [
        each.found
        for each in told
        if each.found.code not in ("E102", "E112")
        or not (each.parent in spelled or (each.parent, each.missing) in misspelt)
    ]
    return list(dict.fromkeys(kept))
