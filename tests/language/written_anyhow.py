"""Scripts in other spellings by chance, written as crookedly as YAML allows: texts with blanks that count, marks of
indentation, kept blank lines, anchors and aliases, comments in any column, dashes far from what they begin."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.language.written_elsewhere import Elsewhere, Pair

_LINES = ("# 不是注释", "---x", "&x *y", "key: |", "  缩进的", "行末有空格  ", "【步骤】", "say: it", "好的。", "- 不")


@dataclass
class Anyhow(Elsewhere):
    """``texts``: what has been said, to be said again; ``anchors``: names of texts that have been written; ``tight``: a
    text in lines has just been written; ``kept``: and the blank lines behind it are its own."""

    texts: list[str] = field(default_factory=list)
    anchors: dict[str, str] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    column: int = 2
    tight: bool = False
    keeps: bool = False

    def document(self) -> tuple[str, Any]:
        self.texts, self.anchors, self.told = [], {}, set()
        self.tight = self.keeps = False
        return super().document()

    # what there is

    def _text(self) -> str:
        if self.texts and self._rarely(0.15):
            return self._one(*self.texts)
        lines = [self._line() if self._rarely(0.3) else self._one(*_LINES) for _ in range(self.random.randint(1, 3))]
        self.names += 1
        lines[0] += f" u{self.names}"
        if self._rarely(0.2):
            lines.insert(1, "")
        text = "\n".join(lines) + self._one("", "", "\n", "\n", "\n\n")
        if self._rarely(0.15):
            text = f"   {text}"
        self.texts.append(text)
        return text

    def _actions(self) -> tuple[list[Any], list[Any]]:
        written, meant = super()._actions()
        for make in (self._aimed, self._labelled, self._worded, self._given):
            if self._rarely(0.2):
                action, ours = make()
                at = self.random.randint(0, len(written))
                written.insert(at, action)
                # Each of those before it is one action, or (with words) two.
                here = sum(len(self._meanings(each)) for each in written[:at])
                meant[here:here] = ours
        return written, meant

    def _meanings(self, written: Any) -> str:
        """A letter for each action that it means."""
        return "ab" if "user_option" in (written.get("type"), *written) and "content" in written else "a"

    def _aimed(self) -> tuple[Any, list[Any]]:
        goal, prompt = self._text(), self._text()
        written = {"type": "think", "think_goal": goal, "prompt_template": prompt, "output": [{"get": self._name()}]}
        meant = {"type": "ai_think", "content": f"{goal.rstrip()}\n{prompt}", "output": written["output"]}
        return self._shuffled(written), [meant]

    def _labelled(self) -> tuple[Any, list[Any]]:
        name, labels = self._name(), {letter: self._text() for letter in "ABC"}
        written = {"type": "user_option", "var": name, "choices": labels}
        choices = [{"value": letter, "label": label} for letter, label in labels.items()]
        return self._shuffled(written), [{"type": "user_option", "var": name, "choices": choices}]

    def _worded(self) -> tuple[Any, list[Any]]:
        written, (meant,) = self._labelled()
        words = self._text()
        written = self._shuffled({**written, "content": words})
        return self._lines(written), [{"type": "say", "content": words}, meant]

    def _given(self) -> tuple[Any, list[Any]]:
        name, given = self._name(), {self._name(): self._text() for _ in range(2)}
        written = {"call": name, "input": [{"set": key, "value": text} for key, text in given.items()]}
        return written, [{"type": "use_skill", "skill": name, "input": given}]

    def _rarely(self, share: float) -> bool:
        return self.random.random() < share

    # how it is written

    def _between(self, indent: int) -> Iterator[str]:
        if self.keeps:
            return
        if self._rarely(0.12):
            yield self._one("", "   ")
        if self._rarely(0.15):
            column = self.random.choice([indent, indent, 0, indent + 2, indent + 6])
            yield " " * (min(column, indent) if self.tight else column) + self._comment()

    def _mapping(self, data: dict[str, Any], indent: int, lead: str = "") -> Iterator[str]:
        for number, (key, value) in enumerate(data.items()):
            if number or not lead:
                yield from self._between(indent)
            self.tight = self.keeps = False
            self.column = indent + 2
            head = lead if lead and not number else " " * indent
            yield from self._entry(head + (f"'{key}'" if self._rarely(0.05) else key) + ":", value, indent)

    def _entry(self, head: str, value: Any, indent: int) -> Iterator[str]:
        if not isinstance(value, str):
            yield from super()._entry(head, value, indent)
        elif value in self.anchors and self._maybe():
            yield f"{head} *{self.anchors[value]}{self._behind()}"
        else:
            marked = f"{head}{self._anchored(value)}"
            # Nobody writes a name or a word of the language in lines.
            blocks = value in self.texts and ("\n" in value or self._rarely(0.2))
            yield from super()._entry(marked, value, indent) if not blocks else self._block(marked, value, indent)

    def _anchored(self, value: str) -> str:
        if value not in self.texts or value in self.anchors or not self._rarely(0.2):
            return ""
        self.names += 1
        self.anchors[value] = f"n{self.names}"
        return f" &{self.anchors[value]}"

    def _block(self, head: str, value: str, indent: int) -> Iterator[str]:
        body = value.rstrip("\n")
        ends = len(value) - len(body)
        further = self.random.choice([1, 2, 2, 2, 3, 4])
        counted = str(further) if body.startswith(" ") or self._rarely(0.1) else ""
        signs = [counted, {0: "-", 1: ""}.get(ends, "+")]
        self.random.shuffle(signs)
        yield f"{head} |{''.join(signs)}{self._behind()}"
        for line in body.split("\n"):
            yield " " * (indent + further) + line if line else self._one("", " " * indent)
        yield from [""] * (ends - 1)
        self.tight, self.keeps = True, ends > 1

    def _list(self, items: list[Any], indent: int) -> Iterator[str]:
        for item in items:
            yield from self._between(indent)
            self.tight = self.keeps = False
            self.column = indent + 2
            if not isinstance(item, dict) or not (self._rarely(0.85) or self._deep(item)):
                yield " " * indent + "- " + self._flow(item) + self._behind()
            elif self._rarely(0.1):
                yield " " * indent + "-" + self._behind()
                yield from self._mapping(item, indent + self.random.choice([2, 4]))
            else:
                room = self.random.choice([1, 1, 1, 3])
                yield from self._mapping(item, indent + 1 + room, " " * indent + "-" + " " * room)

    def _flow(self, value: Any) -> str:
        if isinstance(value, str):
            return f"*{self.anchors[value]} " if value in self.anchors and self._maybe() else self._scalar(value)
        if isinstance(value, dict):
            return "{" + self._joined([f"{key}: {self._flow(part)}" for key, part in value.items()]) + "}"
        if isinstance(value, list):
            return "[" + self._joined([self._flow(part) for part in value]) + "]"
        return json.dumps(value)

    def _joined(self, parts: list[str]) -> str:
        """One after another, here and there in lines of their own with a comment behind the comma."""
        written = "".join(
            part + (f",  {self._comment()}\n{' ' * self.column}" if self._rarely(0.1) else ", ") for part in parts[:-1]
        )
        return written + "".join(parts[-1:])


__all__ = ["Anyhow", "Pair"]
