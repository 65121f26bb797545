"""An answer in the safety project that the rules cannot read may be read once more, by one small question to the model.

Rules raise, the model may only clear: what the rules read as a yes, what holds back (but, sometimes), and what any risk
rule hears where nothing is denied beside it, is never shown to it. It sees the words before, since an answer may point
back ("I told you", "not on purpose"), and reads reproaches, threats to leave and asides as people do. No model, no
answer in time, or a quote that is not in the words: it stays unclear.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from heartrule import parsing
from heartrule.engine.awareness import awareness
from heartrule.engine.session.moves import PersonInput
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.tasks.listener_view import newest, overheard
from heartrule.engine.variables import scopes
from heartrule.engine.variables.evidence import gets, length, locate
from heartrule.engine.work import SAFETY, Work
from heartrule.language.nodes import Get, Set, VariableRules
from heartrule.parsing.denials import holds_back, parts_of
from heartrule.parsing.yes_no import read_yes_no

LONGEST = 300
"""Length of an answer that is shown, as ``evidence.length`` counts. Whoever says more tells a story."""
BEFORE = 10
"""Messages before it that are shown with it, at least."""
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"answer": {"enum": ["no", "yes", "unclear"]}, "evidence": {"type": "string"}},
    "required": ["answer", "evidence"],
}


def question(work: Work, output: list[Get | Set], heard: PersonInput) -> Task | None:
    """What the model is asked about these words; None where it may not be, or need not."""
    name = _open(work, output, heard)
    if name is None:
        return None
    return Task(
        key=work.task_key("reading"),
        kind="judge",
        role="judge",
        template="reading",
        context=overheard(work, newest(work, BEFORE)),
        values={
            "question": work.frame.question,
            "define": scopes.rules_for(*_looked_for(work, output, name)).define or "",
            "answer": " ".join(heard.text.split()),
        },
        schema=SCHEMA,
        required=("answer",),
        temperature=0.0,
        seconds=awareness.HOLD,
    )


def value(work: Work, output: list[Get | Set], heard: PersonInput, answer: Answer | None) -> Answer | None:
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


def _open(work: Work, output: list[Get | Set], heard: PersonInput) -> str | None:
    """The name of the yes or no that these words leave open; None where they may not be read once more."""
    if not work.world.model or work.running.project != SAFETY or heard.repair is not None or heard.choice is not None:
        return None
    item = next(iter(gets(output)), None)
    if item is None or not heard.text.strip() or length(heard.text) > LONGEST or holds_back(heard.text):
        return None
    rules = scopes.rules_for(*_looked_for(work, output, item.get))
    if rules.type != "boolean" or _is_alarming(work, heard.text):
        return None
    read = parsing.parse_value(rules, heard.text, work.world.script.locale, work.world.now)
    return item.get if read is None else None


def _is_alarming(work: Work, text: str) -> bool:
    """Whether a risk rule hears danger in it; a watch word beside a plain no may be what is denied."""
    found = {verdict.verdict for verdict in awareness.by_rules(work, text)} - {"no"}
    return bool(found) and not (found == {"watch"} and any(read_yes_no(each) is False for each in parts_of(text)))


def _looked_for(work: Work, output: list[Get | Set], name: str) -> tuple[VariableRules | None, Get]:
    return scopes.definition(work, name)[1], next(item for item in gets(output) if item.get == name)
