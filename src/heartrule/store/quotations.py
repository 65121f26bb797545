"""Words that are to be forgotten, found wherever they are quoted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from heartrule.parsing.text import normalise

VERBATIM = 12
"""Characters from which on a text that stands somewhere else is taken for the words, and not for a word of the script.
"""
OF_A_VALUE = 6
"""Characters from which on the same goes for a text that was the value of a variable."""
_MACHINE = re.compile(r"[\w./:+\-]*", re.ASCII)
"""What moments, ids and numbers are made of: such words are not looked for, because what holds them may be none."""
_EDGES = " \t\r\n。．.！!？?…~～,，、;；:：（）()“”\"'"


class Quotations:
    """As they were said, and as rules read them. ``said``: whole texts of a person; ``values``: what they became."""

    def __init__(self, said: Iterable[str], values: Iterable[str] = ()) -> None:
        self._said = tuple(said)
        found = {form for text in self._said for form in _forms(text) if len(form) >= VERBATIM}
        found |= {form for text in values for form in _forms(text) if len(form) >= OF_A_VALUE}
        wanted = {form for form in found if not _MACHINE.fullmatch(form)}
        wanted |= {written for form in wanted for written in _in_json(form)}
        self._forms = sorted(wanted, key=lambda form: (-len(form), form))
        self._looks = re.compile("|".join(map(re.escape, self._forms)) or r"(?!)")
        written = {json.dumps(form, ensure_ascii=False)[1:-1] for form in wanted} | wanted
        self._stored = tuple(each.encode("utf-8", "surrogatepass") for each in sorted(written))

    def __bool__(self) -> bool:
        return bool(self._forms)

    def may_stand_in(self, stored: bytes) -> bool:
        """Of a value as the store keeps it, JSON or a text: False only where ``out_of`` would leave it as it is. Most
        of what there is holds none of the words, and need not be read for that."""
        return any(each in stored for each in self._stored)

    def out_of(self, data: Any) -> Any:
        """The same without them; the very same object where they are not in it."""
        if isinstance(data, str):
            if self._looks.search(data) is not None:
                for form in self._forms:
                    data = data.replace(form, "")
            return data
        if isinstance(data, Mapping):
            changed = dict(self._changed(data.items()))
            return {**data, **changed} if changed else data
        if isinstance(data, list | tuple):
            changed = dict(self._changed(enumerate(data)))
            return [changed.get(at, each) for at, each in enumerate(data)] if changed else data
        return data

    def _changed(self, parts: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
        for name, each in parts:
            if each is not None and (left := self.out_of(each)) is not each:
                yield name, left

    def proves(self, evidence: str) -> bool:
        """Whether a quotation is one of them, or holds one."""
        parts = [part for part in evidence.split("\n") if part.strip()]
        texts = [form for text in self._said for form in (text, normalise(text))]
        return any(part.strip() in text for part in parts for text in texts) or self.out_of(evidence) != evidence


def _forms(text: str) -> Iterable[str]:
    for form in (text, text.strip(), normalise(text)):
        for part in (form, *form.split("\n")):
            yield from (part, part.strip(), part.strip(_EDGES))


def _in_json(form: str) -> Iterable[str]:
    """As it stands in JSON that is kept as a text: forms that were sent, what models answered."""
    for ascii_alone in (False, True):
        yield json.dumps(form, ensure_ascii=ascii_alone)[1:-1]


def long_texts(data: Any) -> list[str]:
    """Every text in it that is long enough to be somebody's words."""
    if isinstance(data, str):
        return [data] if len(data.strip()) >= VERBATIM else []
    if isinstance(data, Mapping):
        return [text for each in data.values() for text in long_texts(each)]
    return [text for each in data for text in long_texts(each)] if isinstance(data, list | tuple) else []
