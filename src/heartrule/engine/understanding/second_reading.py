"""An answer in the safety project that the rules cannot read may be read once more, by one small question to the model.

Rules raise, the model may only clear: what the rules read as a yes, what any risk rule hears, and what turns (but,
sometimes) is never shown to it. No model, no answer in time, or a quote that is not in the words: it stays unclear.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from heartrule import readers
from heartrule.engine.actions.base import Heard
from heartrule.engine.calling.prompting import shared
from heartrule.engine.calling.tasks import Answer, Task
from heartrule.engine.scoping import scopes
from heartrule.engine.understanding.extraction import gets, locate
from heartrule.engine.watching import awareness
from heartrule.engine.work import SAFETY, Work
from heartrule.language.nodes import Get, Set
from heartrule.readers.denials import is_turned

LONGEST = 120
"""Characters of an answer that is shown. Whoever says more tells a story."""
_TURNS = re.compile(
    r"但|可是|不过|只是|有时|偶尔|可能|也许|或许|大概|应该|好像|差不多|(?<!继续)(?<!接着)(?<!接着说)(?<!接着聊)(?<!放心)吧|万一|如果|要是"
    r"|暂时|骗|才怪|呵呵|[?？…]"
    r"|\b(?:but|though|although|however|sometimes|maybe|perhaps|probably|guess|suppose"
    r"|kind of|sort of|not really|if|unless"
    r"|until|yet|almost|mostly|lol|kidding|sure whatever)\b",
    re.IGNORECASE,
)
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"answer": {"enum": ["no", "yes", "unclear"]}, "evidence": {"type": "string"}},
    "required": ["answer", "evidence"],
}


def question(work: Work, output: list[Get | Set], heard: Heard) -> Task | None:
    """What the model is asked about these words; None where it may not be, or need not."""
    name = _open(work, output, heard)
    if name is None:
        return None
    return Task(
        key=work.task_key("reading"),
        kind="judge",
        role="judge",
        template="reading",
        context=shared(work),
        values={"question": str(work.frame.memory.get("question", "")), "answer": " ".join(heard.text.split())},
        schema=SCHEMA,
        required=("answer",),
        temperature=0.0,
        seconds=awareness.HOLD,
    )


def value(work: Work, output: list[Get | Set], heard: Heard, answer: Answer | None) -> Answer | None:
    """The model's reading in the form of an extraction. A reading without its proof is none."""
    data: Mapping[str, Any] = (answer.data if answer else None) or {}
    name = _open(work, output, heard)
    said, quote = data.get("answer"), data.get("evidence")
    if answer is None or name is None or said not in ("yes", "no") or not isinstance(quote, str):
        return None
    if locate(quote, heard.text) is None:
        return None
    found = {name: {"value": said == "yes", "evidence": quote}}
    return replace(answer, data={"understood": True, "values": found, "content": ""})


def _turns(text: str) -> bool:
    return _TURNS.search(text) is not None or is_turned(text)


def _open(work: Work, output: list[Get | Set], heard: Heard) -> str | None:
    """The name of the yes or no that these words leave open; None where they may not be read once more."""
    if not work.world.model or work.running.project != SAFETY or heard.repair is not None or heard.choice is not None:
        return None
    item = next(iter(gets(output)), None)
    if item is None or not heard.text.strip() or len(heard.text) > LONGEST or _turns(heard.text):
        return None
    rules = scopes.rules_for(scopes.definition(work, item.get)[1], item)
    if rules.type != "boolean" or any(verdict.verdict != "no" for verdict in awareness.by_rules(work, heard.text)):
        return None
    read = readers.read(rules, heard.text, work.world.script.locale, work.world.now)
    return item.get if read is None else None
