"""Work on one prompt: opened, edited, asked as often as one likes of the models one likes, compared, and written back
as a splice of the script or as a template of the project."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

from heartrule.authoring import node_edits
from heartrule.authoring.splices import Splice, spliced
from heartrule.debugger.answers import prompt_of
from heartrule.debugger.calls import Call
from heartrule.debugger.session import DebugSession, NotPossible
from heartrule.debugger.texts import Spot, Text
from heartrule.engine.session.tasks import Attempt
from heartrule.language.yaml import parse
from heartrule.llm.model import Model
from heartrule.llm.prompt import Prompt
from heartrule.llm.provider import PromptMessage, prompt_hash
from heartrule.prompts.library import find

TIMES = 10
_TEMPLATE = re.compile(r"prompts/[A-Za-z0-9_-]+/[A-Za-z0-9_.-]+\.md")
FIELDS = (
    *("content", "goal", "tone", "purpose", "topic_content", "exercise", "question", "follow_up", "follow", "exit"),
    *("fallback", "say", "on_stop", "farewell", "caption"),
)


@dataclass(frozen=True, slots=True)
class TrialAnswer:
    """One answer of one model. ``cost`` in billionths of ``currency``."""

    model: str
    number: int
    status: str
    data: Any = field(repr=False)
    raw: str = field(repr=False)
    problem: str
    seconds: float
    tokens_in: int | None
    tokens_out: int | None
    cost: int | None
    currency: str | None


def edited(call: Call, layers: Sequence[str] | None, text: Text | None) -> Prompt:
    """The call's prompt with other words: ``layers``, one for each of its messages; or as another text has it, whose
    templates and script are the edited ones."""
    if call.prompt is None:
        raise NotPossible("debug-no-prompt", call.task.key)
    prompt = prompt_of(call.task, text.script) if text is not None else call.prompt
    if prompt is None:
        raise NotPossible("debug-no-prompt", call.task.key)
    if layers is None:
        return prompt
    if len(layers) != len(prompt.messages):
        raise NotPossible("debug-layers", str(len(prompt.messages)))
    messages = tuple(PromptMessage(m.role, words) for m, words in zip(prompt.messages, layers, strict=True))
    found = prompt_hash(messages, prompt.schema, call.task.temperature)
    return Prompt(messages, prompt.schema, found, prompt.template)


async def ran(
    session: DebugSession, call: Call, prompt: Prompt, models: Mapping[str, Model], times: int
) -> tuple[TrialAnswer, ...]:
    """Each model asked ``times`` times, one after the other, so that what is bought can be seen."""
    found = []
    script = session.texts[session.moves[call.move].text].script
    for name, model in models.items():
        for number in range(1, min(times, TIMES) + 1):
            begun = perf_counter()
            task = replace(call.task, speaks=False)
            asking = model.ask([task], script=script, prompts={task.key: prompt})
            try:
                answer = (await asking.all())[task.key]
            finally:
                await asking.aclose()
            last = answer.attempts[-1] if answer.attempts else Attempt(0, "error")
            found.append(
                TrialAnswer(
                    model=last.model or name,
                    number=number,
                    status=answer.status,
                    data=answer.data,
                    raw=last.raw,
                    problem=last.cause,
                    seconds=perf_counter() - begun,
                    tokens_in=last.tokens_in,
                    tokens_out=last.tokens_out,
                    cost=last.cost,
                    currency=last.currency,
                )
            )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class FileEdit:
    """An edit of one file: what it becomes, and the splices that make it so."""

    file: str
    text: str = field(repr=False)
    splices: tuple[Splice, ...] = field(repr=False)


def fields(text: Text, spot: Spot) -> dict[str, str]:
    """The texts of an action that prompts are made of, by key."""
    node = _data(text, spot)
    return {key: value for key in FIELDS if isinstance(value := node.get(key), str)}


def _data(text: Text, spot: Spot) -> Mapping[str, Any]:
    data: Any = parse(text.files[spot.file], spot.file).documents
    for part in spot.path:
        data = data[part]
    return data if isinstance(data, Mapping) else {}


def accepted(text: Text, spot: Spot, key: str, value: str) -> FileEdit:
    """A field of an action as it is to be, as the least splice of its file. Raises ``CannotEdit``."""
    if spot.project != text.home.id or spot.file not in text.files:
        raise NotPossible("debug-not-here", spot.file)
    old = text.files[spot.file]
    splices = node_edits.set_value(old, (*spot.path, key), value)
    return FileEdit(spot.file, spliced(old, splices), tuple(splices))


def template_file(text: Text, call: Call) -> tuple[str, str]:
    """The file of the call's template and its words: the project's own where it has one, else what we ship, under the
    path at which one of the project's own is read."""
    context = call.task.context
    scheme = context.scheme or "default"
    path, words = find(call.task.template, "md", context.locale, context.scheme, text.home.schemes)
    return (f"prompts/{path}" if path in text.home.schemes else f"prompts/{scheme}/{call.task.template}.md"), words


def template_of(text: Text, path: str, words: str) -> FileEdit:
    """A template of the project: a file under ``prompts/``."""
    if not _TEMPLATE.fullmatch(path):
        raise NotPossible("debug-not-here", path)
    return FileEdit(path, words, (Splice(0, len(text.files.get(path, "")), words),))


def shown(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1)
