"""W405: how values are put together does not fit what they are: ``merge_unique`` of objects without a ``key``, or of a
value that there is one of; a ``key`` without ``merge_unique``."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View

_SINGLE = ("integer", "number", "boolean", "enum", "date")


def check(view: View) -> Iterator[Finding]:
    for rules in view.rules():
        at = view.project.at
        if rules.update in ("append", "merge_unique") and rules.type in _SINGLE:
            place = at(rules, "update", value=True)
            mend = view.replaced(place, rules.update, "overwrite", safe=False)
            why = Bilingual(f"类型 {rules.type} 只有一个值", f"the type {rules.type} has one value only")
            yield finding("W405", place, mend=mend, update=rules.update, why=why)
        elif rules.update == "merge_unique" and rules.fields and rules.key is None and rules.type != "object":
            why = Bilingual(
                "没有 key，不知道哪两项是同一项", "without key nobody can tell which two items are the same"
            )
            yield finding("W405", at(rules, "update", value=True), update=rules.update, why=why)
