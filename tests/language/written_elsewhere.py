"""Scripts in other spellings by chance: a text with comments, blank lines and styles, and the data that it means."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

Pair = tuple[dict[str, Any], Any]
"""What is written, and what it means in our spelling."""
_WORDS = (
    "你好",
    "今天怎么样",
    "慢慢说",
    "it's fine",
    "一二三",
    "say: it",
    "a # b",
    "{称呼}，你好",
    "- 不",
    "好的。",
    "5 分",
    "q?",
)


@dataclass
class Elsewhere:
    """One document. ``comments`` counts those that were put into it, each with its number."""

    seed: int
    comments: int = 0
    names: int = 0
    random: Random = field(init=False)
    long: set[int] = field(default_factory=set)
    kept: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)

    def document(self) -> tuple[str, Any]:
        """The text, and its data in our spelling."""
        make = self.random.choice(
            [self._sessions, self._sessions, self._alone, self._technique, self._rules, self._skills, self._cast]
        )
        written, meant = make()
        return "\n".join(self._mapping(written, 0)) + "\n", meant

    def documents(self) -> tuple[str, list[Any]]:
        """One text of one to three documents, and their data."""
        pairs = [self.document() for _ in range(self.random.choice([1, 1, 1, 2, 3]))]
        text = pairs[0][0]
        if self.random.random() < 0.2:
            text = f"{self._comment()}\n---{self._behind()}\n{text}"
        for each, _ in pairs[1:]:
            ended = f"...{self._behind()}\n" if self._maybe() else ""
            text += f"{ended}---{self._behind()}\n{each}"
        return text, [meant for _, meant in pairs]

    # what there is

    def _sessions(self) -> Pair:
        pairs = [self._session() for _ in range(self.random.randint(1, 2))]
        return {"sessions": [pair[0] for pair in pairs]}, {"sessions": [pair[1] for pair in pairs]}

    def _alone(self) -> Pair:
        written, meant = self._session()
        return {"metadata": {"version": 1}, "session": written}, {"metadata": {"version": 1}, "sessions": [meant]}

    def _session(self) -> Pair:
        phases = [self._phase() for _ in range(self.random.randint(1, 2))]
        name, id_ = self._name(), self._slug()
        key, phases_key = self._one("session_name", "session"), self._one("phases", "stages")
        written = {self._one("session_id", "id"): id_, key: name, phases_key: [pair[0] for pair in phases]}
        meant: dict[str, Any] = {"id": id_, "session": name, "phases": [pair[1] for pair in phases]}
        if self._maybe():
            variable = self._name()
            told = {"auto": True} if self._maybe() else {"update": "auto"}
            written["declare"] = [{"var": variable, **told}]
            meant["declare"] = [{"var": variable, "listen": {"mode": "passive"}}]
        return written, meant

    def _technique(self) -> Pair:
        given, back, id_ = self._name(), self._name(), self._slug()
        actions = self._actions()
        written = {"technique_id": id_, "technique_name": self._name(), "input_parameters": [{"name": given}]}
        meant = {"id": id_, "skill": written["technique_name"], "parameters": [{"name": given}]}
        if self._maybe():
            written["output_variables"] = [back]
            meant["returns"] = [back]
        written["topic"] = {"actions": actions[0]}
        return written, {"skills": [{**meant, "actions": actions[1]}]}

    def _skills(self) -> Pair:
        """Techniques that say by ``declare`` what may be given to them."""
        pairs = []
        for _ in range(self.random.randint(1, 2)):
            name, given, found = self._name(), self._name(), self._name()
            declared: dict[str, Any] = {"var": given, "define": self._line()}
            parameter = {"name": given, "define": declared["define"]}
            if self._maybe():
                declared["value"] = parameter["default"] = self._line()
            ask = {"ask": self._text(), "output": [{"get": found}]}
            meant = {"type": "ask", "content": ask["ask"], "output": [{"get": found}]}
            written = {self._one("goal", "topic"): name, "declare": [declared], "actions": [ask]}
            ours = {"skill": name, "parameters": [parameter], "returns": [given, found], "actions": [meant]}
            pairs.append((written, ours))
        return {"skills": [pair[0] for pair in pairs]}, {"skills": [pair[1] for pair in pairs]}

    def _cast(self) -> Pair:
        """Roles and variables."""
        role, name, variable = self._name(), self._name(), self._name()
        kind, ours = self.random.choice([("AI", "ai"), ("HUMAN", "person")])
        roles = {"role": role, "type": kind, "name": name, self._one("desc", "pic", "define"): self._text()}
        held = {"name": variable, "define": self._line(), "defaultValue": self._line()}
        meant = {"var": variable, "define": held["define"], "value": held["defaultValue"]}
        form = {"combobox": self._name(), "choices": [{"value": "男"}, {"value": "女"}]}
        options = [{"value": each["value"], "label": each["value"]} for each in form["choices"]]
        field = {"id": form["combobox"], "type": "single", "label": form["combobox"], "options": options}
        form_name = self._name()
        return {
            "roles": self._lines([roles]),
            "variables": [held],
            "forms": [{"form": form_name, "fields": [form]}],
        }, {
            "roles": [{"role": ours, "name": name}],
            "global": [meant],
            "forms": [{"form": form_name, "fields": [field]}],
        }

    def _rules(self) -> Pair:
        pairs = [self._rule() for _ in range(self.random.randint(1, 3))]
        return {"rules": [pair[0] for pair in pairs]}, {"awareness": [pair[1] for pair in pairs]}

    def _rule(self) -> Pair:
        name, text = self._name(), self._text()
        written = {"rule": name, "check_time": "always", "if": "来访者是否累了", "reply": text}
        then = [{"directive": "FEEDBACK", "text": text}]
        meant = {"awareness": name, "priority": "P1", "at": ["answer"], "condition": {"judge": "来访者是否累了"}}
        if self._maybe():
            written["call"] = "呼吸"
            then.append({"directive": "CALL_TECHNIQUE", "technique": "呼吸"})
        if self._maybe():
            written["cancel_if"] = "分 > 3"
            meant["expires"] = {"condition": "分 > 3"}
        return self._shuffled(written, "rule", "reply", "call"), {**meant, "then": then}

    def _phase(self) -> Pair:
        topics = [self._topic() for _ in range(self.random.randint(1, 2))]
        name = self._name()
        written = {self._one("stage", "phase_name", "phase"): name}
        meant: dict[str, Any] = {"phase": name}
        if self._maybe():
            written["entry_condition"] = meant["condition"] = "1 == 1"
        steps = [pair[0] for pair in topics]
        if self.random.random() < 0.3:
            scene = {"scene": self._name(), "ai": self._name(), "human": self._name()}
            told = "；".join(f"{key}：{value}" for key, value in scene.items())
            at = self.random.randrange(len(topics))
            steps.insert(at, scene)
            meant["instructions"] = f"【{topics[at][1]['topic']}】{told}" if at else told
        written[self._one("topics", "steps")] = self._lines(steps)
        self._annotate(written)
        return written, {**meant, "steps": [pair[1] for pair in topics]}

    def _topic(self) -> Pair:
        name, actions = self._name(), self._actions()
        key = self._one("topic_name", "topic", "goal")
        written = {key: name, "actions": actions[0]}
        self._annotate(written)
        return written, {"topic": name, "actions": actions[1]}

    def _actions(self) -> tuple[list[Any], list[Any]]:
        pairs = [self._action() for _ in range(self.random.randint(1, 4))]
        return [pair[0] for pair in pairs], [pair[1] for pair in pairs]

    def _action(self) -> Pair:
        make = self.random.choice([self._said, self._asked, self._thought, self._picked, self._called, self._rows])
        written, meant = make()
        if self._maybe() and "type" in written:
            kind = written.pop("type")
            keys = list(written)
            inside = {key: written[key] for key in keys}
            written = {"action_type": kind, "config": inside} if inside else {"action_type": kind}
            if self._maybe():
                written["action_id"] = meant["id"] = self._slug()
        return written, meant

    def _said(self) -> Pair:
        text = self._text()
        meant = {"type": "say", "content": text}
        return self.random.choice([{"say": text}, {"type": "say", "content_template": text}, dict(meant)]), meant

    def _asked(self) -> Pair:
        text, name, prompt = self._text(), self._name(), self._text()
        kind = self._one("ask", "ai_ask")
        written = {"type": kind, "question_template": text}
        meant: dict[str, Any] = {"type": kind, "content": text}
        if kind == "ai_ask":
            meant["question"] = text
        get: dict[str, Any] = {"get": name}
        if self._maybe():
            written |= {self._one("target_variable", "extract_to"): name, "extraction_prompt": prompt}
            get["define"] = prompt
            written = self._shuffled(written, "type")
        else:
            written["output_variables"] = [name]
        return written, {**meant, "output": [get]}

    def _thought(self) -> Pair:
        text, name = self._text(), self._name()
        written = {self._one("think", "ai_think"): text, "input_variables": [name]}
        return written, {"type": "ai_think", "content": text, "input": [name]}

    def _rows(self) -> Pair:
        """A thought that fills the rows of a list."""
        text, name, names = self._text(), self._name(), [self._name() for _ in range(self.random.randint(1, 3))]
        output = [{"get": each, "define": self._text()} for each in names]
        fields = [{"name": each["get"], "define": each["define"]} for each in output]
        listed = {"get": name, "type": "list", "update": "merge_unique", "key": names[0], "fields": fields}
        written = {"think": text, "tolist": name, "output": self._lines(output)}
        return self._lines(written), {"type": "ai_think", "content": text, "output": [listed]}

    def _picked(self) -> Pair:
        name, labels = self._name(), [self._line(), self._line()]
        written = {"user_option": name, "choices": [{"A": labels[0]}, {"B": labels[1]}]}
        choices = [{"value": "A", "label": labels[0]}, {"value": "B", "label": labels[1]}]
        return written, {"type": "user_option", "var": name, "choices": choices}

    def _called(self) -> Pair:
        name, given, text = self._name(), self._name(), self._line()
        timings = {"NOW": {"timing": "now", "resume": "skip"}, "AFTER_GOAL": {"timing": "after_topic"}}
        timing = self._one(*timings)
        written = {"call": name, "timing": timing, "input": [{"set": given, "value": text}]}
        written["output"] = [{"set": "我的", "value": "{他的}"}]
        meant = {"type": "use_skill", "skill": name, **timings[timing], "input": {given: text}}
        return self._shuffled(written, "call"), {**meant, "output": [{"set": "我的", "get": "他的"}]}

    def _annotate(self, data: dict[str, Any]) -> None:
        """A note, anywhere but in front."""
        if self.random.random() < 0.2:
            self.names += 1
            data[self._one("description", "version", "author", "remark")] = self._text()

    def _lines(self, value: Any) -> Any:
        """What is not written in one line."""
        self.long.add(id(value))
        self.kept.append(value)
        return value

    # by chance

    def _maybe(self) -> bool:
        return self.random.random() < 0.5

    def _one(self, *of: str) -> str:
        return self.random.choice(of)

    def _name(self) -> str:
        self.names += 1
        return f"{self._one('名', '变量', '话题', 'name')}{self.names}"

    def _slug(self) -> str:
        self.names += 1
        return f"x{self.names}"

    def _line(self) -> str:
        return self._one(*_WORDS)

    def _text(self) -> str:
        return self._line() if self._maybe() else f"{self._line()}\n{self._line()}{self._one(chr(10), chr(10), '')}"

    def _shuffled(self, data: dict[str, Any], *first: str) -> dict[str, Any]:
        """In another order, these keys before all others and among each other as they are."""
        rest = [key for key in data if key not in first]
        self.random.shuffle(rest)
        return {key: data[key] for key in [*(key for key in first if key in data), *rest]}

    # how it is written

    def _comment(self) -> str:
        self.comments += 1
        return f"# c{self.comments};"

    def _between(self, indent: int) -> Iterator[str]:
        if self.random.random() < 0.15:
            yield ""
        if self.random.random() < 0.2:
            yield " " * indent + self._comment()

    def _behind(self) -> str:
        return "  " + self._comment() if self.random.random() < 0.25 else ""

    def _mapping(self, data: dict[str, Any], indent: int, lead: str = "") -> Iterator[str]:
        for number, (key, value) in enumerate(data.items()):
            if number or not lead:
                yield from self._between(indent)
            head = (lead if lead and not number else " " * indent) + f"{key}:"
            yield from self._entry(head, value, indent)

    def _entry(self, head: str, value: Any, indent: int) -> Iterator[str]:
        short = not self._deep(value)
        if isinstance(value, dict | list) and (not value or (short and self.random.random() < 0.2)):
            yield f"{head} {self._flow(value)}{self._behind()}"
        elif isinstance(value, dict):
            yield head + self._behind()
            yield from self._mapping(value, indent + self.random.choice([2, 4]))
        elif isinstance(value, list):
            yield head + self._behind()
            yield from self._list(value, indent + self.random.choice([0, 2]))
        elif isinstance(value, str) and "\n" in value:
            yield from self._block(head, value, indent)
        else:
            yield f"{head} {self._scalar(value)}{self._behind()}"

    def _block(self, head: str, value: str, indent: int) -> Iterator[str]:
        """A text in lines: as they are, or folded; with or without the last break; indented as its mark says."""
        further = self.random.choice([2, 2, 4])
        mark = self._one("|", "|", ">") + (str(further) if self.random.random() < 0.1 else "")
        mark += "" if value.endswith("\n") else "-"
        yield f"{head} {mark}{self._behind()}"
        for number, line in enumerate(value.removesuffix("\n").split("\n")):
            if number and mark.startswith(">"):
                yield ""
            yield " " * (indent + further) + line

    def _list(self, items: list[Any], indent: int) -> Iterator[str]:
        for item in items:
            yield from self._between(indent)
            if isinstance(item, dict) and (self.random.random() < 0.8 or self._deep(item)):
                yield from self._mapping(item, indent + 2, " " * indent + "- ")
            else:
                yield " " * indent + "- " + self._flow(item) + self._behind()

    def _deep(self, value: Any) -> bool:
        """Whether something in it is not written in one line."""
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return id(value) in self.long or any(self._deep(part) for part in parts)

    def _flow(self, value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{key}: {self._flow(part)}" for key, part in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(self._flow(part) for part in value) + "]"
        return self._scalar(value)

    def _scalar(self, value: Any) -> str:
        if not isinstance(value, str):
            return json.dumps(value)
        if value.isalnum() and self._maybe():
            return value
        if "\n" not in value and self._maybe():
            return "'" + value.replace("'", "''") + "'"
        return json.dumps(value, ensure_ascii=False)
