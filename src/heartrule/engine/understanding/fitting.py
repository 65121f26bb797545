"""Which one earlier answer a correction can only be about, whatever was answered last: the one that holds what it says
was wrong, the one that it names, or the only one that is counted in the unit it is told in (三天)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from heartrule import readers
from heartrule.engine.calling.prompting import fill
from heartrule.engine.understanding import which_answer
from heartrule.engine.understanding.which_answer import Known, Own, Taken
from heartrule.engine.work import Work
from heartrule.language.nodes import VariableRules
from heartrule.readers import confirming, telling
from heartrule.readers.corrections import Correction
from heartrule.readers.numbers import only_number
from heartrule.readers.text import words_of
from heartrule.readers.units import asked, kind

_NUMBERS = ("integer", "number")
_TEXT = (None, "text")
_NAMES = ("名字", "name")
"""What is put right by saying what one is called, whatever else was answered since."""
_NO = re.compile(r"^(?:其实|我|家里|根本)*没有?(.{1,12}?)$|^(?:there is|there's|i have|we have) no (.{1,20})$", re.I)
_SHORT = 6
"""Letters of an item that takes another one's place."""
_SELF = re.compile("[我他她你它]|自己|因为|没|不")
_LONG = 4
"""Letters of an English word that is more than the or he."""
_I_AM = ("我叫", "叫我", "我的名字", "call me", "my name", "i'm called", "i am called")
Fit = Taken | Literal["several"] | None


def fits(work: Work, known: Sequence[Known], own: Own, said: Correction) -> Fit:
    """What is put right, several where it may be about more than one, None where it is about none."""
    if (item := _of_a_list(work, known, said)) is not None:
        return item
    able = [each for each in known if not each.rules.risk and which_answer.can(each.rules)]
    found: list[Known] = []
    if said.old:
        found = [each for each in able if _held(work, each, said.old)] or _named(work, able, own, said.old)
        found = [] if _is_own(work, own, said.old) or _is_own(work, own, said.new) else found
    elif said.about or said.points:
        found = _by_unit_named(work, able, own, said.about)
        if not found:
            return None  # what is named otherwise is looked for among all that can be named
    if not found and not _is_own(work, own, said.new):
        found = [each for each in able if _counted(work, each, said.new) and _is_about(work, each, said.old)]
    if not found and not said.old:
        found = _called(work, able, own, said.new)
    if found and not said.new:
        return Taken(found[0]) if _held(work, found[0], said.old) else None
    taken = [each for each in (_taken(work, each, said) for each in found) if each is not None]
    if len(taken) > 1 or (found and not taken and said.points):
        return "several"
    return taken[0] if taken else None


def _of_a_list(work: Work, known: Sequence[Known], said: Correction) -> Taken | None:
    """The list without an item, or with another one in its place, where the words deny it (不是妈妈，是姑姑)."""
    denied = _NO.match(said.new) if not said.old else None
    old, new = (denied[1] or denied[2], "") if denied else (said.old, said.new)
    if not readers.fold(old):
        return None
    holding = [(each, at) for each in known for at in _items(each) if _is_item(work, each, at, old)]
    if len(holding) != 1:
        return None
    (each, at), items = holding[0], list(holding[0][0].value.value)
    newest = next((asked.found for asked in reversed(work.state.asked) if asked.texts), {})
    if said.plain == "denied" and not said.points and each.name not in newest:
        return None  # 不是爸爸，是姑姑 may as well answer what was asked since
    if new and (len(readers.fold(new)) > _SHORT or _SELF.match(new)):
        return None
    if new:
        read = readers.read(each.rules, new, work.world.script.locale, work.world.now)
        key = each.rules.key
        if read is None or not isinstance(read.value, list) or len(read.value) != 1:
            return None
        items[at] = {**items[at], key: new} if key and isinstance(items[at], Mapping) else read.value[0]
    else:
        del items[at]
    rules = each.rules.model_copy(update={"update": "overwrite"})
    return Taken(Known(each.name, rules, each.value, each.asked), items, old if denied or not new else new)


def _items(known: Known) -> range:
    is_list = known.rules.type == "list" and isinstance(known.value.value, list) and not known.rules.risk
    return range(len(known.value.value) if is_list else 0)


def _is_item(work: Work, known: Known, at: int, old: str) -> bool:
    """Also by another word for it that the list's own rules know (爸爸: 父亲)."""
    item, key = known.value.value[at], known.rules.key
    told = item.get(key) if isinstance(item, Mapping) and key else item
    if not isinstance(told, str):
        return False
    read = readers.read_by_rules(known.rules, old, work.world.script.locale, work.world.now)
    return readers.fold(told) == readers.fold(old) or (read is not None and read.value == [item])


def _taken(work: Work, known: Known, said: Correction) -> Taken | None:
    """The new value, where it is one of this variable and not what it holds already."""
    words = said.new
    if known.rules.type in _TEXT and not known.rules.options and not known.rules.rules:
        renamed = confirming.renamed(words)
        words = renamed[1] if renamed is not None else words.removeprefix("叫")
    if known.rules.type in _NUMBERS and not _counts_it(work, known, words):
        return None
    read = which_answer.reading(work, known, words)
    return None if read is None or read.value == known.value.value else Taken(known, read.value, read.evidence)


def _held(work: Work, known: Known, old: str) -> bool:
    """Whether ``old`` is the value that was told, in its own unit where it has one."""
    told = only_number(old)
    if known.rules.type in _NUMBERS:
        kinds = _kinds(work, known)
        return told is not None and told.value == known.value.value and (not told.unit or kind(told.unit) in kinds)
    return known.rules.type != "boolean" and readers.fold(old) == readers.fold(which_answer.shown(work, known))


def _named(work: Work, able: Sequence[Known], own: Own, name: str) -> list[Known]:
    if which_answer.names_own(work, own, name):
        return []
    found = which_answer.named(work, able, Correction("earlier", name, name, about=name))
    return [each for each in found if _is_its_name(work, each, name)] or _by_unit_named(work, able, own, name)


def _is_its_name(work: Work, known: Known, name: str) -> bool:
    """Whether it is nothing but a word for it (名字被老师写错了 tells a story)."""
    bare = known.name.rpartition(".")[2].replace("_", " ")
    if name in confirming.names_of(bare, fill(work, known.rules.define, to_person=True)):
        return True
    told = f"{bare}\n{which_answer.about(work, known)}"
    if name.isascii():
        return {*_long_words(name)} <= {*_long_words(told)} and bool(_long_words(name))
    return readers.fold(name) in readers.fold(told)


def _long_words(text: str) -> list[str]:
    """English words that say what something is about."""
    return [word for word in words_of(text).split() if len(word) >= _LONG]


def _by_unit_named(work: Work, able: Sequence[Known], own: Own, name: str) -> list[Known]:
    """Those that are counted in the unit that a name holds (天数)."""
    kinds = set(asked(name).kinds) if not which_answer.names_own(work, own, name) else set()
    return [each for each in able if each.rules.type in _NUMBERS and kinds & _kinds(work, each)]


def _is_about(work: Work, known: Known, old: str) -> bool:
    """Whether what is said to be wrong is a number, or a word of the question (睡眠: 睡了几个小时)."""
    if not old or only_number(old) is not None:
        return True
    about = which_answer.about(work, known)
    said = _long_words(old) if old.isascii() else readers.fold(old)
    return bool({*said} & {*(_long_words(about) if old.isascii() else readers.fold(about))})


def _counted(work: Work, known: Known, new: str) -> bool:
    """Whether what is said now is counted in the unit that this was told or asked for in."""
    only = only_number(new)
    if only is None or not only.unit:
        return False
    if known.rules.type in _NUMBERS:
        return kind(only.unit) in _kinds(work, known)
    before = telling.told_number(known.value.evidence or "") if known.rules.type in _TEXT else None
    return before is not None and bool(before.unit) and kind(before.unit) == kind(only.unit)


def _counts_it(work: Work, known: Known, words: str) -> bool:
    only = only_number(words)
    return only is not None and (not only.unit or kind(only.unit) in _kinds(work, known))


def _kinds(work: Work, known: Known) -> set[str]:
    """What is counted: as it was asked for, and as it was told."""
    told = only_number(known.value.evidence or "")
    kinds = set(asked(which_answer.about(work, known)).kinds)
    return kinds | ({kind(told.unit)} if told is not None and told.unit else set())


def _is_own(work: Work, own: Own, words: str) -> bool:
    """Whether the question that waits is counted in the same, so that it may be its answer."""
    only = only_number(words)
    if only is None:
        return False
    question = str(work.frame.memory.get("question", ""))
    for _, rules in own:
        kinds = asked(f"{question}\n{fill(work, rules.define, to_person=True)}").kinds
        if rules.type in _NUMBERS and (not only.unit or not kinds or kind(only.unit) in kinds):
            return True
        if only.unit and kind(only.unit) in kinds:
            return True
    return False


def _called(work: Work, able: Sequence[Known], own: Own, new: str) -> list[Known]:
    """Names: nobody says what they are called about anything else."""
    if (
        confirming.renamed(new) is None
        or not new.casefold().startswith(_I_AM)
        or any(_is_name(work, name, rules) for name, rules in own)
    ):
        return []
    return [each for each in able if each.rules.type in _TEXT and _is_name(work, each.name, each.rules)]


def _is_name(work: Work, name: str, rules: VariableRules) -> bool:
    known = confirming.names_of(name.rpartition(".")[2].replace("_", " "), fill(work, rules.define, to_person=True))
    return any(each in known for each in _NAMES)
