"""A model in the test's own hands that answers every task in its shape, and the same prompt always the same.

It reads what the last line of the transcript says, takes values from it where they plainly stand there, and words its
replies from the prompt's hash. It understands nothing; it is what load, fault and crash tests hold sessions with.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from heartrule.llm.provider import Request, prompt_hash

PERSON = re.compile(r"^(?:来访者|Visitor|Client|Person)[：:][ \t]?(.*(?:\n    .*)*)", re.MULTILINE)
_NUMBER = re.compile(r"\d{1,4}")
_NO = ("没有", "不", "没", "no")
_YES = ("有", "是", "会", "yes")
_NOTHING: Mapping[str, Any] = {"array": [], "object": {}}
"""What a field holds of which nothing is known: what may hold many things, or parts, is empty."""


def counsel(request: Request, speakers: tuple[str, ...] = ()) -> dict[str, Any]:
    """An answer in the shape of the request's schema. ``speakers`` are further names the person may go by."""
    prompt = request.messages[-1].text
    found = PERSON.findall(prompt)
    for name in speakers:
        found += re.findall(rf"^{re.escape(name)}[：:][ \t]?(.*(?:\n    .*)*)", prompt, re.MULTILINE)
    words = re.sub(r"\n\s*", "\n", found[-1]).strip() if found else ""
    mark = prompt_hash(request.messages, request.schema, request.temperature)[:6]
    schema = request.schema or {}
    properties: Mapping[str, Any] = schema.get("properties", {})
    values = _values(properties.get("values", {}).get("properties", {}), words)
    wanted = properties.get("values", {}).get("properties", {})
    complete = bool(words) and all(name in values for name in wanted)
    answer: dict[str, Any] = {}
    for key, shape in properties.items():
        answer[key] = _field(key, shape, values, complete, mark)
    return answer


def _field(key: str, shape: Mapping[str, Any], values: dict[str, Any], complete: bool, mark: str) -> Any:
    match key:
        case "EXIT":
            return "YES" if complete else "NO"
        case "values":
            return [] if shape.get("type") == "array" else values
        case "understood" | "should_exit":
            return complete
        case "progress_suggestion":
            return "completed" if complete else "continue_needed"
        case "content":
            return f"我听到了（{mark}）。" if complete else f"可以再说一点吗（{mark}）？"
        case "verdicts":
            return [{"id": n, "verdict": _verdict(shape), "confidence": 0.9, "evidence": ""} for n in range(1, 4)]
        case "assessment":
            return {
                "understanding_level": 85,
                "has_questions": False,
                "expressed_understanding": True,
                "reasoning": mark,
            }
        case "metrics":
            return dict.fromkeys(shape.get("properties", {}), f"平稳 {mark}")
        case "decision":
            return shape["enum"][0]
        case _:
            return _NOTHING.get(shape.get("type", ""), mark)


def _verdict(shape: Mapping[str, Any]) -> Any:
    """No, in whatever way the schema says it."""
    verdict = shape.get("items", {}).get("properties", {}).get("verdict", {})
    return "no" if "enum" in verdict else False


def _values(wanted: Mapping[str, Any], words: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, shape in wanted.items():
        proved = shape.get("properties", {}).get("value")
        value = _value(shape if proved is None else proved, words)
        if value is not None:
            found[name] = value if proved is None else {"value": value, "evidence": words[:20]}
    return found


def _value(shape: Mapping[str, Any], words: str) -> Any:
    if "enum" in shape:
        return next((option for option in shape["enum"] if str(option) in words), None)
    match shape.get("type"):
        case "integer" | "number":
            digits = _NUMBER.search(words)
            return int(digits[0]) if digits else None
        case "boolean":
            lowered = words.lower()
            return False if lowered.startswith(_NO) else True if lowered.startswith(_YES) else None
        case "array":
            return [part for part in re.split(r"[、,，]\s*", words) if part] or None
        case "object":
            return None
        case _:
            return words or None
