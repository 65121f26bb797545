"""``ai_think``: the model works something out; nothing is shown."""

from __future__ import annotations

from typing import ClassVar, Literal

from heartrule.engine.action_types import ActionType
from heartrule.engine.asking import ask_rounds
from heartrule.engine.extraction.extraction import assign, described, values_schema
from heartrule.engine.session.moves import Moves, Step
from heartrule.engine.session.tasks import Task
from heartrule.engine.tasks.prompt_context import fill, shared
from heartrule.engine.variables import dependencies, scopes
from heartrule.engine.variables.evidence import gets
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.language.nodes import Action, Get, Json, Node, Set, Template
from heartrule.language.nodes.traits import Plan, Traits
from heartrule.language.values import types as value_types


class Decide(Node):
    var: str
    options: list[Json]
    default: Json


class Fields(Action):
    traits: ClassVar[Traits] = Traits(silent=True, model="unseen", recalls=True, plan=Plan(moved=True))

    type: Literal["ai_think"]
    content: Template
    input: list[str] = []
    output: list[Get | Set] = []
    decide: Decide | None = None


class AiThink(ActionType):
    name = "ai_think"
    fields = Fields

    def enter(self, work: Work, action: Fields) -> Moves:
        data: dict[str, object] = {}
        if work.model:
            task = _task(work, action)
            answer = (yield (task,))[task.key]
            data = dict(answer.data or {})
        given, risk = data.get("values"), False
        for item in gets(action.output):
            before = scopes.lookup(work, item.get)
            raw = given.get(item.get) if isinstance(given, dict) else None
            raw = raw.get("value") if isinstance(raw, dict) and "value" in raw else raw
            rules = dependencies.rules_of(work, item)
            written = raw is not None and scopes.write(work, item.get, raw, strategy="llm", rules=rules)
            if not written and before is None:
                ask_rounds.take_default(work, item)
            risk = risk or scopes.rings(work, item.get, rules, before)
        assign(work, action.output)
        if action.decide:
            chosen = _chosen(action.decide, data)
            if chosen is None or not scopes.write(work, action.decide.var, chosen, strategy="llm"):
                scopes.write(work, action.decide.var, action.decide.default, strategy="fallback")
        return Step(done=True, risk=risk)


def _task(work: Work, action: Fields) -> Task:
    locale = work.world.script.locale
    given = {name: placeholders.format_value(scopes.lookup(work, name), locale).strip() for name in action.input}
    inputs = [f"- {name}: {words}" for name, words in given.items() if words]
    properties: dict[str, object] = {"reasoning": {"type": "string"}}
    required = []
    if gets(action.output):
        properties["values"] = values_schema(work, action.output, quoted=False)
        required.append("values")
    if action.decide:
        properties["decision"] = {"enum": list(action.decide.options)}
        required.append("decision")
    return Task(
        key=work.task_key("ai_think"),
        kind="analyse",
        role="generate",
        template="ai_think",
        context=shared(work),
        values={
            "content": fill(work, action.content),
            "inputs": "\n".join(inputs),
            "outputs": described(work, action.output),
            "options": " | ".join(placeholders.format_value(o, locale) for o in action.decide.options)
            if action.decide
            else "",
        },
        schema={"type": "object", "properties": properties, "required": list(properties)},
        required=tuple(required),
        tier=action.model,
    )


def _chosen(decide: Decide, data: dict[str, object]) -> object:
    """The option the model chose, matched loosely; None for anything else."""
    try:
        return value_types.option(decide.options, data.get("decision"))
    except value_types.Refused:
        return None


AI_THINK = AiThink()
