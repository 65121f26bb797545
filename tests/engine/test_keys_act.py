"""Every key of every type of action changes something: conversations with it and without it differ in what is said,
asked of a model, written or on record. Where a key does nothing, lint tells (``tests/language/test_rules_idle``).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import yaml
from tests.language.material import checked

from heartrule.engine.installed_types import field_models
from heartrule.engine.session.io import FormAnswers, Input
from heartrule.engine.session.tasks import Task
from heartrule.testing.talk import Talk, compile_text

Node = dict[str, Any]
FILES = {"project.yaml": "id: local\nmedia_hosts: [media.example.org]\n"}
CALM = {"verdicts": [{"id": number, "verdict": "no", "confidence": 1.0, "evidence": ""} for number in range(1, 9)]}
PICTURE = "data:image/png;base64,iVBORw0KGgo="
WORDS = (
    ["还行，8分，换了部门", "嗯", "好，懂了，改天吧", "没有", "好"],
    ["不知道", "不太明白", None, "跳过", "算了", "不想说"],
)
"""What two people say; None: nothing, for eleven minutes."""


def get(name: str, **more: Any) -> Node:
    return {"get": name, "define": name, **more}


SLEEP = {"type": "ai_ask", "content": "问睡眠", "question": "睡得怎样？", "output": [get("睡眠")]}
STRETCH = {**SLEEP, "output": [get("睡眠", question="睡得怎样？"), get("起因", question="为什么？")]}
TELL = {"type": "ai_say", "content": "讲讲睡眠。"}
CHOICES = [{"value": "a", "label": "甲"}, {"value": "b", "label": "乙"}]
STEPS = [{"say": "吸气", "wait": "reply"}, {"say": "呼气", "wait": "done"}]
PLAIN: dict[str, list[Node]] = {
    "say": [{"content": "你好。"}],
    "ask": [{"content": "睡得怎样？", "output": [get("睡眠")]}],
    "ai_ask": [SLEEP, STRETCH, {**SLEEP, "output": [get("昨天")]}],
    "ai_say": [{**TELL, "max_rounds": 3}, TELL],
    "ai_think": [{"content": "想一想", "output": [get("起因")]}],
    "set_var": [{"var": "起因", "value": "累"}],
    "use_skill": [{"skill": "放松"}, {"skill": "放松", "timing": "before_topic", "to": "end"}],
    "show_form": [{"form": "quiz"}],
    "show_pic": [{"picture": "https://media.example.org/a.png", "alt": "图"}],
    "ai_pic": [{"prompt": "一片海", "alt": "海"}],
    "user_option": [{"var": "选", "choices": CHOICES}],
    "user_say": [{"content": "我准备好了"}],
    "ai_guide": [{"exercise": "呼吸", "exercise_steps": STEPS}],
    "parallel_actions": [{"actions": [{"type": "say", "content": "你好。"}, {"type": "ask", "content": "好吗？"}]}],
}
OTHERS: Node = {
    "condition": "心情 > 5",
    "timeout": "10m",
    "fallback": "换一句话。",
    "model": "quality",
    "review": True,
    "memory": {"write": {"enabled": True}},
    "on_timeout": "end",
    "card": {"title": "卡", "text": "字"},
    "chart": {"title": "图", "variables": ["心情"]},
    "audio": {"src": "https://media.example.org/a.mp3", "transcript": "听"},
    "adaptive": True,
    "actions": [{"type": "say", "content": "换了。"}],
    "alt": "河",
    "caption": "水",
    "choices": [*CHOICES[:1], {"value": "c", "label": "丙"}],
    "content": "换个说法。",
    "decide": {"var": "选", "options": ["a", "b"], "default": "a"},
    "exercise_steps": STEPS[:1],
    "exit": "他说了睡眠",
    "exit_criteria": {"min_rounds": 3},
    "exit_sources": ["max_rounds"],
    "expr": "1 + 1",
    "follow": "问问起因",
    "follow_up": "再问一句",
    "for_each": {"in": "人们", "as": "人"},
    "form": "other",
    "goal": "听懂",
    "input": {"线索": "海"},
    "literal": True,
    "max_rounds": 1,
    "may_use": ["放松"],
    "min_rounds": 3,
    "known_as": {"note": "{心情}"},
    "mode": "view",
    "on_stop": "停了。",
    "output": [get("别的"), {"set": "起因", "value": 1}],
    "picture": "https://media.example.org/b.png",
    "prompt": "一条河",
    "purpose": "让他看见",
    "question": "换个问法？",
    "replies": [{"pattern": "明白|嗯", "pick": "a"}],
    "require_acknowledgment": False,
    "required": True,
    "rest": "余下",
    "resume": "skip",
    "rounds": "1-2",
    "scope": "session",
    "skill": "歇歇",
    "store_as": "图",
    "style": "choice",
    "subtype": "elicit_example",
    "timing": "after_topic",
    "to": "end",
    "tolist": "人们",
    "tone": "温柔",
    "topic_content": "材料",
    "topic_content_from": "context",
    "value": "困",
    "values": {"nights": 5},
    "var": "别的",
    "verify": "non_empty",
    "when_known": "confirm",
}
SPECIAL: dict[tuple[str, str], Any] = {
    ("use_skill", "output"): [{"get": "结果", "set": "结果"}],
    ("ai_ask", "required"): False,
    ("ai_think", "input"): ["心情"],
    ("user_option", "required"): False,
}
TOLD = {
    ("ai_guide", "exercise"): "its name stands in the summary: tests/server/test_summaries.py",
    ("use_skill", "to"): "of before_topic, with a topic that is planned: tests/engine/test_scheduler.py",
    ("user_option", "rest"): "what is said beside the choice: tests/engine/test_choices_in_own_words.py",
}


def keys() -> Iterator[tuple[str, str]]:
    for name, fields in sorted(field_models().items()):
        if name in PLAIN:
            yield from ((name, key) for key in sorted(set(fields.model_fields) - {"type", "id"}))


def test_no_type_is_left_out() -> None:
    assert set(field_models()) - set(PLAIN) == set()


@pytest.mark.parametrize(("kind", "key"), [each for each in keys() if each not in TOLD])
def test_a_key_acts(kind: str, key: str) -> None:
    """In some variant, with a model or without, with one person or the other; else lint tells of it."""
    pairs = [_pair({"type": kind, **plain}, key) for plain in PLAIN[kind]]
    acts = any(_differs(*pair) for pair in pairs)
    assert acts or all(_told(without, with_, key) for without, with_ in pairs)


def _pair(plain: Node, key: str) -> tuple[str, str]:
    if key == "on_timeout":
        plain = {**plain, "timeout": "10m"}
    value = SPECIAL.get((plain["type"], key), OTHERS[key])
    return _script(plain), _script({**plain, key: value})


def _differs(without: str, with_: str) -> bool:
    looked = ((who, level) for level in (0, 1, None) for who in range(len(WORDS)))
    return any(_trace(without, *each) != _trace(with_, *each) for each in looked)


def _told(without: str, with_: str, key: str) -> bool:
    """Whether lint says that it does nothing; of ``on_timeout``, that ``timeout`` does not."""
    found = checked({**FILES, "a.yaml": without if key == "on_timeout" else with_})
    name = "timeout" if key == "on_timeout" else key
    return any(each.code in ("W241", "W268", "W442") and name in each.message.en for each in found)


def _script(action: Node) -> str:
    more = {"type": "ask", "id": "more", "content": "还有吗？{睡眠}{起因}{别的}{结果}", "output": [get("还有")]}
    first = {"type": "ask", "id": "first", "content": "昨天怎么样？", "output": [get("昨天")]}
    steps = [
        {"topic": "开头", "id": "begin", "actions": [first]},
        {"topic": "话题", "id": "middle", "goal": "谈谈", "strategy": {"notes": "温和"}, "actions": [action, more]},
        {"topic": "末尾", "id": "end", "actions": [{"type": "say", "content": "再见{余下}"}]},
    ]
    declared = [
        {"var": "心情", "type": "integer", "define": "几分", "value": 3},
        {"var": "人们", "type": "list", "define": "人", "value": ["妈妈", "爸爸"]},
        {"var": "昨天", "define": "昨天"},
    ]
    nights = {"id": "nights", "label": "几晚", "type": "integer", "required": True}
    form = {"form": "小问卷", "fields": [nights, {"id": "note", "label": "还有", "type": "text"}]}
    rest = {"skill": "放松", "parameters": [{"name": "线索"}], "returns": ["结果"]}
    script = {
        "forms": [{**form, "id": "quiz"}, {**form, "id": "other"}],
        "skills": [
            {
                **rest,
                "actions": [{"type": "say", "content": "松{线索}"}, {"type": "set_var", "var": "结果", "value": 1}],
            },
            {"skill": "歇歇", "actions": [{"type": "say", "content": "歇"}]},
        ],
        "sessions": [{"session": "甲", "declare": declared, "phases": [{"phase": "一", "steps": steps}]}],
    }
    return yaml.safe_dump(script, allow_unicode=True, sort_keys=False)


@cache
def _trace(text: str, who: int, level: int | None) -> str:
    talk = Talk(compile_text(text, files=FILES), None if level is None else lambda task: _answered(task, level))
    seen = [_seen(talk)]
    for said in WORDS[who]:
        if talk.state.ended:
            break
        if said is None:
            talk.wait(minutes=11)
        elif talk.request.form is not None and said != "跳过":
            talk.move(Input("form_cancel" if who else "form_submit", form=FormAnswers("", {"nights": 4})))
        else:
            talk.say(said)
        seen.append(_seen(talk))
    talk.beside()
    return repr((seen, [_plain(task) for task in talk.asked]))


def _seen(talk: Talk) -> Any:
    turn = talk.turn
    events = [event.model_dump(mode="json") for event in turn.events]
    return _plain((turn.messages, events, turn.wake_at, turn.request, turn.memories, turn.variables, turn.after))


def _answered(task: Task, level: int) -> Any:
    """What fits: the first of what may be, or the last; never an end where it is the last."""
    if task.template == "risk":
        return CALM
    made = {**_filled(task.schema, task, level)}
    return {**made, **({"EXIT": ("YES", "NO")[level]} if "EXIT" in made else {})}


def _filled(schema: Any, task: Task, level: int) -> Any:
    if "enum" in schema:
        return schema["enum"][-level]
    if "anyOf" in schema:
        return _filled(schema["anyOf"][0], task, level)
    kind = schema["type"][0] if isinstance(schema.get("type"), list) else schema.get("type")
    if kind == "object":
        return {name: _filled(each, task, level) for name, each in schema.get("properties", {}).items()}
    if kind == "array":
        return [_filled(schema["items"], task, level)] if "items" in schema else []
    if kind in ("integer", "number"):
        return min(schema.get("maximum", 90), (90, 50)[level])
    if kind == "boolean":
        return level == 0
    said = [line.text for line in task.context.history if line.speaker == "person"]
    return PICTURE if "picture" in task.schema["properties"] else (said or ["还行"])[-1]


def _plain(value: Any, depth: int = 0) -> Any:
    """Whatever it is made of, to be compared."""
    if depth > 9 or value is None or isinstance(value, str | int | float | bool):
        return value
    if dataclasses.is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name), depth + 1) for each in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(name): _plain(each, depth + 1) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each, depth + 1) for each in value]
    return _plain(vars(value), depth + 1) if hasattr(value, "__dict__") else type(value).__name__
