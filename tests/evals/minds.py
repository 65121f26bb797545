"""Models of known quality: they know the right answers and lose them as calls grow."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

QUESTION = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)
Body = dict[str, Any]


def asked(body: Body) -> list[tuple[int, str]]:
    """The numbered questions of a prompt."""
    prompt = "\n".join(each["content"] for each in body["messages"])
    return [(int(number), text) for number, text in QUESTION.findall(prompt)]


def last_words(body: Body) -> str:
    prompt = "\n".join(each["content"] for each in body["messages"])
    return re.findall(r"^来访者：(.*)$", prompt, re.MULTILINE)[-1]


def mind(truth: Callable[[str, str], bool], up_to: int = 100) -> Callable[[Body], str]:
    """Answers as ``truth(words, question)`` says as long as a call asks at most ``up_to``; of more it finds nothing."""

    def answer(body: Body) -> str:
        questions = asked(body)
        holds = [
            {"id": number, "confidence": 0.9, "evidence": ""}
            for number, text in questions
            if len(questions) <= up_to and truth(last_words(body), text)
        ]
        return json.dumps({"holds": holds}, ensure_ascii=False)

    return answer
