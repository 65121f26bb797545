"""W433: an option of a variable that is written twice, and a keyword that stands for two values."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.shape.kinds import describe


def check(view: View) -> Iterator[Finding]:
    for rules in view.rules():
        seen: set[str] = set()
        for index, option in enumerate(rules.options or ()):
            text = str(option).strip()
            if text in seen and "options" in rules.model_fields_set:
                place = view.project.at(rules, "options", index, value=True)
                yield finding("W433", place, text=describe(option))
            seen.add(text)
        for rule in rules.rules or ():
            words: dict[str, str] = {}
            for value, meant in (rule.keywords or {}).items():
                for index, word in enumerate(meant):
                    if words.setdefault(word, str(value)) != str(value):
                        place = view.project.at(rule, "keywords", value, index, value=True)
                        yield finding("W433", place, text=describe(word))
