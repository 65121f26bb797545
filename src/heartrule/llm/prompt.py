"""Task → prompt. The template decides the words; this fills them in, once, and never reads what it inserted."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from json.encoder import encode_basestring as quoted
from operator import attrgetter
from typing import Any

from heartrule.engine.session.tasks import Context, Line, Task
from heartrule.language.compiling.script import Script
from heartrule.language.placeholders import Placeholder, fill
from heartrule.llm.provider import PromptMessage, prompt_hash
from heartrule.prompts.fixed_sentences import sentence
from heartrule.prompts.library import nearest_locale, template
from heartrule.prompts.template import Simplify, Template

_NO_TEMPLATES: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Prompt:
    """``hash`` covers messages, schema and temperature. ``template`` is the file's path and version, for records."""

    messages: tuple[PromptMessage, ...] = field(repr=False)
    schema: Mapping[str, Any] = field(repr=False)
    hash: str
    template: str


def render(task: Task, script: Script | None = None, *, simplified: bool = False) -> Prompt:
    """The prompt of ``task``. ``simplified`` leaves out what the template's ``simplify`` names, for a retry.

    Raises ``TemplateError`` when the template is missing or broken.
    """
    custom = script.templates if script else _NO_TEMPLATES
    read = template(_named(task, custom), task.context.locale, task.context.scheme, custom)
    plain = read.simplify if simplified else Simplify()
    schema = _without(task.schema, [key for key in plain.keys if key not in task.required])
    values = _values(task, schema, plain, custom, read.text)
    messages = _messages(read, values, task.context.variables)
    return Prompt(messages, schema, prompt_hash(messages, schema, task.temperature), f"{read.name}@{read.version}")


def _named(task: Task, custom: Mapping[str, str]) -> str:
    """The name of the template: that of the variant, where the scheme of the script has brought one."""
    name = f"{task.template}_{task.variant}"
    scheme, locale = task.context.scheme, task.context.locale
    paths = (f"{scheme}/{name}.md", *(f"{scheme}/{name}.{each}.md" for each in (locale, nearest_locale(locale))))
    return name if task.variant and scheme and any(path in custom for path in paths) else task.template


def mend(task: Task, prompt: Prompt, said: str, problem: str, script: Script | None = None) -> Prompt:
    """``prompt`` again, with the model's own answer and what is wrong with it."""
    custom = script.templates if script else _NO_TEMPLATES
    read = template("mend", task.context.locale, task.context.scheme, custom)
    values = {"problem": problem, "output_format": output_format(prompt.schema)}
    shown = said if len(said) <= _SHOWN else f"{said[:_SHOWN]}…"
    answer = (PromptMessage("assistant", shown),) if shown.strip() else ()
    messages = (*prompt.messages, *answer, *_messages(read, values, {}))
    return Prompt(messages, prompt.schema, prompt_hash(messages, prompt.schema, task.temperature), prompt.template)


def go_on(task: Task, prompt: Prompt, head: Mapping[str, Any], spoken: str, script: Script | None = None) -> Prompt:
    """``prompt`` again, for the rest of an answer that broke off after ``spoken``, which people have seen."""
    custom = script.templates if script else _NO_TEMPLATES
    read = template("go_on", task.context.locale, task.context.scheme, custom)
    begun = json.dumps({**head, "content": spoken}, ensure_ascii=False).removesuffix('"}')
    values = {"spoken": spoken, "output_format": output_format(REST)}
    messages = (*prompt.messages, PromptMessage("assistant", begun), *_messages(read, values, {}))
    return Prompt(messages, REST, prompt_hash(messages, REST, task.temperature), f"{read.name}@{read.version}")


REST: Mapping[str, Any] = {
    "type": "object",
    "properties": {"content": {"type": "string", "minLength": 0}},
    "required": ["content"],
}
"""What is asked of an answer that goes on."""
_SHOWN = 2_000
"""Characters of a bad answer that the model is shown."""


def transcript(context: Context, custom: Mapping[str, str] = _NO_TEMPLATES, last: int | None = None) -> str:
    """What each has said until another spoke, marked by speaker. Further lines of a message are indented, so that
    nothing a person writes can begin a line and pass for another speaker or for a heading of ours."""
    return _marked(context, custom, context.history if last is None else context.history[-last:])


def _marked(context: Context, custom: Mapping[str, str], lines: Sequence[Line]) -> str:
    speakers = {line.speaker for line in lines}
    names = {each: sentence(f"speakers.{each}", 0, context.locale, context.scheme, custom) for each in speakers}
    said = groupby(lines, key=attrgetter("speaker"))
    return "\n".join([_utterance([line.text for line in group], names[speaker]) for speaker, group in said])


def whole_transcript(context: Context, custom: Mapping[str, str] = _NO_TEMPLATES, last: int | None = None) -> str:
    """The same, with what was said before the window; for a retry only the ``last`` lines."""
    return transcript(context, custom, last) if last else _marked(context, custom, context.earlier + context.history)


def _utterance(texts: Sequence[str], name: str) -> str:
    mark = f"{name}: " if name.isascii() else f"{name}："
    paragraphs = ["\n    ".join([each for part in text.splitlines() if (each := part.strip())]) for text in texts]
    return mark + " ".join(filter(None, paragraphs))


def output_format(schema: Mapping[str, Any]) -> str:
    """A compact example of an answer, on one line, made from the schema; order of the keys as in the schema. A
    ``description`` in the schema stands where the text goes."""
    if "const" in schema or "default" in schema:
        return _literal(schema.get("const", schema.get("default")))
    if (options := schema.get("enum")) and not schema.get("description"):
        return _options(options)
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return output_format(choices[0])
    kind = schema.get("type", "object" if "properties" in schema else "string")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return _object(schema)
    if kind == "array":
        return f"[{output_format(schema.get('items', {}))}]"
    if kind in ("integer", "number") and "minimum" in schema and "maximum" in schema:
        return f"<{schema['minimum']}-{schema['maximum']}>"
    return _PLAIN.get(kind) or quoted(str(schema.get("description") or "…"))


def output_outline(schema: Mapping[str, Any]) -> str:
    """The keys of an answer and no more, for a template that says in its own words what stands behind each."""
    marks = {"array": "[…]", "object": "{…}"}
    fields = schema.get("properties", {})
    return "{" + ",".join(f"{quoted(name)}:{marks.get(each.get('type'), '…')}" for name, each in fields.items()) + "}"


_PLAIN = {"boolean": "<true|false>", "null": "null", "integer": "<integer>", "number": "<number>"}
"""Nothing that could be copied: an example that holds a 0 is answered with 0."""


def _options(options: Sequence[Any]) -> str:
    shown = [option for option in options if option is not None]
    if all(isinstance(option, str) for option in shown):
        return quoted("|".join(shown))
    return "|".join(_literal(option) for option in shown)


def _literal(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _object(schema: Mapping[str, Any]) -> str:
    fields = dict(schema.get("properties", {}))
    others = schema.get("additionalProperties")
    if not fields and isinstance(others, Mapping):
        fields = {"…": others}
    shown = (f"{quoted(name)}:{output_format(each)}" for name, each in fields.items())
    return "{" + ",".join(shown) + "}"


def _without(schema: Mapping[str, Any], keys: list[str]) -> Mapping[str, Any]:
    if not keys or "properties" not in schema:
        return schema
    smaller = {**schema, "properties": {k: v for k, v in schema["properties"].items() if k not in keys}}
    if "required" in schema:
        smaller["required"] = [key for key in schema["required"] if key not in keys]
    return smaller


def _values(
    task: Task, schema: Mapping[str, Any], plain: Simplify, custom: Mapping[str, str], text: str
) -> Mapping[str, str]:
    """What is long is made where the template's ``text`` names it: a transcript costs as much as all the rest."""
    made: dict[str, Callable[[], str]] = {
        "chat_history": lambda: transcript(task.context, custom, plain.history),
        "whole_history": lambda: whole_transcript(task.context, custom, plain.history),
        "output_format": lambda: output_format(schema),
        "output_outline": lambda: output_outline(schema),
        **{f"without_{key}": lambda: "yes" for key in plain.keys if key not in schema.get("properties", {})},
    }
    values = {**task.context.values, **task.values, **dict.fromkeys(plain.drop, "")}
    values |= {name: make() for name, make in made.items() if name in text}
    values["last_round"] = "yes" if values.get("rounds_left") == "0" else ""
    return values | {name: " ".join(values[name].split())[:_NAME] for name in ("who", "user") if name in values}


_NAME = 60
"""Characters of a name. People give their own; one line of a prompt is all it may be."""


def _messages(read: Template, values: Mapping[str, str], variables: Mapping[str, str]) -> tuple[PromptMessage, ...]:
    def system(name: str) -> str | None:
        return values.get(name, "" if name in read.inputs else None)

    def script(name: str) -> str | None:
        return variables.get(name, values.get(name))

    def missing(placeholder: Placeholder) -> str:
        return placeholder.source

    def has(name: str) -> bool:
        return bool((values.get(name) or variables.get(name) or "").strip())

    found = []
    for part, text in read.resolved(has):
        if filled := fill(text, script, system, missing).strip():
            found.append(PromptMessage(part, filled))
    return tuple(found)
