"""Actions: ``action_type`` with ``config``, one-key actions, and the keys that are only called something else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heartrule.language.findings import clip
from heartrule.language.spellings.parts import calls, choices, notes, outputs, pictures
from heartrule.language.spellings.parts.rewrite import Made, Refusal, SpelledMapping, both, senseless
from heartrule.language.texts.page import scalar
from heartrule.language.texts.text_edits import Edit
from heartrule.language.texts.tree import Entry

TYPES = {"think": "ai_think", "fill_form": "show_form", "call": "use_skill"}
ONE_KEY: Mapping[str, tuple[str, str]] = {
    "say": ("say", "content"),
    "ai_say": ("ai_say", "content"),
    "ask": ("ask", "content"),
    "ai_ask": ("ai_ask", "content"),
    "think": ("ai_think", "content"),
    "ai_think": ("ai_think", "content"),
    "user_say": ("user_say", "content"),
    "call": ("use_skill", "skill"),
    "use_skill": ("use_skill", "skill"),
    "set_var": ("set_var", "var"),
    "fill_form": ("show_form", "form"),
    "show_form": ("show_form", "form"),
    "fill": ("show_form", "form"),
    "show_pic": ("show_pic", "picture"),
    "ai_pic": ("ai_pic", "prompt"),
    "ai_guide": ("ai_guide", "exercise"),
    "set": ("set_var", "var"),
    "parallel_actions": ("parallel_actions", "actions"),
}
"""The key of an action without a type → the type, and what a value in one line is."""
KINDS = frozenset({*TYPES, *(kind for kind, _ in ONE_KEY.values()), "user_option"})
"""What ``action:`` may say in place of ``type:``."""
FIELDS: Mapping[str, Mapping[str, str]] = {
    "show_form": {"form_id": "form", "form_name": "form"},
    "set_var": {"variable": "var", "variable_name": "var", "name": "var", "expression": "expr"},
    "use_skill": {
        **dict.fromkeys(("skill_id", "skill_name", "technique", "technique_id", "technique_name"), "skill"),
        **dict.fromkeys(("params", "parameters", "input_parameters"), "input"),
    },
    "show_pic": {
        **dict.fromkeys(("image", "image_url", "image_id", "pic", "pic_url", "picture_url", "url"), "picture"),
        **dict.fromkeys(("picture_id", "pic_id", "src"), "picture"),
        **dict.fromkeys(("alt_text",), "alt"),
    },
    "ai_pic": {**dict.fromkeys(("image_prompt", "content"), "prompt"), **dict.fromkeys(("alt_text",), "alt")},
    "ai_guide": {
        **dict.fromkeys(("exercise_name", "exercise_type", "practice", "content"), "exercise"),
        "steps": "exercise_steps",
    },
}
"""What the fields of one type of action are called elsewhere."""
_NO_WAY = ("foreach", "loop_until", "do")
_CONTENT = ("content", "content_template", "prompt_template")
_MEANT = ("prompt", "message", "msg", "text", "内容")
"""What people write for ``content`` by mistake: that is told to them."""
_KEYS = {
    "content_template": "content",
    "prompt_template": "content",
    "say_goal": "goal",
    "exit_condition": "exit",
}


def spelled(here: SpelledMapping) -> Made:
    config = here.get("config")
    if config is not None or here.get("action_type"):
        left = list(notes.empty(here, config.value if config else here.node))
        yield from left
        if left:
            return
    if config is not None:
        yield from _config(here, config)
        return
    yield from here.rename({"action_type": "type", "action_id": "id"})
    if not here.get("type", "action_type") and (called := here.get("action")) and called.value.text() in KINDS:
        yield here.page.rename(called, "type")
        return
    typed = here.node.given("type", "action_type")
    kind = typed.value.text() if typed else None
    if kind is None:
        yield from _one_key(here)
        return
    entry = here.get("type", "action_type")
    if entry is not None and kind in TYPES:
        yield [Edit(entry.value.start, entry.value.end, (TYPES[kind],))]
    kind = TYPES.get(kind, kind)
    yield from here.rename(FIELDS.get(kind, {}))
    yield from _doubled(here, kind)
    yield from pictures.spelled(here, kind)
    if kind == "ai_guide":
        yield from _steps(here)
    yield from _criteria(here, kind)
    yield from _words(here, kind)
    yield from outputs.spelled(here, kind) if kind != "use_skill" else calls.spelled(here)
    if kind == "user_option":
        yield from choices.bare(here)
    if kind == "ai_think":
        yield from here.rename({"input_variables": "input"})
    elif kind != "use_skill" and (given := here.get("input_variables")):
        yield senseless(
            given,
            "只有 ai_think 和 use_skill 有 input；别的动作在文字里写 {变量名} 就能用到。",
            "Only ai_think and use_skill have an input; in other actions write {name} in the text.",
        )


def otherwise(action: Mapping[Any, Any]) -> bool:
    """Whether an action, by its data, is one to look at closer for what it has not or has in another shape."""
    kind, output = action.get("type"), action.get("output")
    if any(key in action for key in FIELDS.get(TYPES.get(str(kind), str(kind)), ())):
        return True
    if kind == "ai_think" and "tolist" in action:
        return True
    if kind == "ai_ask" and "question" in action and "content" not in action:
        return True
    if kind == "user_option" and ("content" in action or "question" in action):
        return True
    if kind in outputs.ASKS and any(key in action for key in ("choices", *outputs.OF_ANSWER)):
        return True
    steps = action.get("exercise_steps")
    if kind == "ai_guide" and isinstance(steps, list) and any(isinstance(step, str) for step in steps):
        return True
    if kind in ("show_pic", "ai_pic") and "alt" not in action:
        return True
    bare = isinstance(output, list) and any(isinstance(item, str) for item in output)
    return kind in ONE_KEY and (kind in action or bare)


def _doubled(here: SpelledMapping, kind: str) -> Made:
    """``type: ai_say`` beside ``ai_say: …``: the words under the old key, which the new one goes before."""
    entry, main = here.get(kind), ONE_KEY.get(kind, ("", ""))[1]
    if entry is None or not main or not entry.value.single:
        return
    if not here.get(main):
        yield here.page.rename(entry, main)
    elif without := notes.commented(here, entry):
        yield Refusal(entry.key.start, "W196", {"written": clip(entry.name)}, without=without)


def _steps(here: SpelledMapping) -> Made:
    """Steps of an exercise that are words alone."""
    steps = here.get("exercise_steps")
    if steps is None or steps.value.kind != "list":
        return
    edits = outputs.names(here.page, steps.value, "say")
    for item in steps.value.items:
        if (said := item.get("content", "step", "text")) and not item.get("say"):
            edits += here.page.rename(said, "say")
    if edits:
        yield edits


def _config(here: SpelledMapping, config: Entry) -> Made:
    kind = config.value.get("type")
    if (
        kind
        and here.get("type", "action_type")
        and kind.value.text() not in KINDS
        and config.value.get(*outputs.TARGETS)
    ):
        # It is about the variable.
        yield here.page.rename(kind, outputs.TYPE)
        return
    twice = [entry for entry in config.value.entries if here.get(entry.name)]
    if twice:
        yield both(twice[0], twice[0].name)
        return
    if any(source.get("config") for source in here.node.merged()):
        # Of two of them YAML keeps one whole; lifted, they would become one.
        yield both(config, "config")._replace(without=here.page.remove(here.node, config))
        return
    lifted = here.page.hoist(here.node, config)
    if lifted:
        yield lifted


_CRITERIA = {
    "ai_ask": ("custom_conditions",),
    "ai_say": ("custom_conditions", "understanding_threshold", "has_questions", "min_rounds"),
}


def _criteria(here: SpelledMapping, kind: str) -> Made:
    """Criteria of the exit that stand beside the other fields."""
    found = [entry for name in _CRITERIA.get(kind, ()) if (entry := here.get(name))]
    if not found or here.get("exit_criteria"):
        yield from (both(entry, "exit_criteria") for entry in found)
        return
    yield here.page.nest(here.node, found[0], "exit_criteria", found[0].name)


def _one_key(here: SpelledMapping) -> Made:
    if strange := here.get(*_NO_WAY):
        yield senseless(
            strange,
            "动作里不能套动作：给每个动作写 condition；要重复，用话题的 repeat 或 for_each。",
            "Actions hold no actions: give each a condition; to repeat, use repeat or for_each of the topic.",
        )
        return
    for entry in here.node.entries:
        if entry.name == "user_option":
            yield from choices.one_key(here, entry)
            return
        if entry.name not in ONE_KEY:
            continue
        kind, main = ONE_KEY[entry.name]
        head = f"type: {kind}" + (", " if here.node.flow else "\n" + " " * here.page.column(entry.key.start))
        if entry.value.kind == "mapping":
            lifted = here.page.hoist(here.node, entry)
            if lifted:
                yield choices.led(lifted, entry.key.start, (head,))
        elif entry.value.single and entry.value.value is None and not here.node.flow:
            at = entry.value.start
            yield [Edit(entry.key.start, entry.key.end, ("type",)), Edit(at, at, (f" {kind}",))]
        elif here.get(main):
            yield both(entry, main)
        elif entry.value.single or main == "actions":
            yield [Edit(entry.key.start, entry.key.end, (head, main))]
        return


def _words(here: SpelledMapping, kind: str) -> Made:
    """What is said, asked or thought about."""
    yield from here.rename(_KEYS)
    question = here.get("question_template")
    asked = here.get("question")
    alone = question is None and not here.node.given(*_CONTENT, *_MEANT)
    if alone and asked is not None and kind == "ai_ask":
        yield here.page.before(here.node, asked, "content: ", *here.page.copied(asked.value, 0, twice=True))
    if question is not None:
        if kind != "ai_ask":
            yield from here.rename({"question_template": "content"})
        elif here.get("question"):
            yield both(question, "question")
        else:
            edits = here.page.rename(question, "question")
            if not here.get(*_CONTENT):
                copied = here.page.copied(question.value, 0, twice=True)
                edits = [*here.page.before(here.node, question, "content: ", *copied), *edits]
            yield edits
    aim = here.get("think_goal")
    if aim is not None:
        yield from _aim(here, aim)


def _aim(here: SpelledMapping, aim: Entry) -> Made:
    """``think_goal``: what is thought about, or the first line of it where there is a prompt too."""
    prompt = here.get(*_CONTENT)
    if prompt is None:
        yield from here.rename({"think_goal": "content"})
        return
    first, rest = aim.value.text(), prompt.value.text()
    if first is None or rest is None:
        yield both(aim, "content")
        return
    page, whole = here.page, f"{first.rstrip()}\n{rest}"
    told = page.inner(prompt.value.start, prompt.value.end, prompt.value)
    unfit = any(not sign.isprintable() and sign != "\n" for sign in whole) or whole.endswith("\n\n")
    if here.node.flow or unfit or page.behind(prompt.value.end):
        edit = page.revalued(prompt.value, scalar(whole))
    else:
        indent = "\n" + " " * (page.column(prompt.key.start) + 2)
        strip = "" if whole.endswith("\n") else "-"
        beside = (piece for each in told for piece in ("  ", each))
        lines = "".join(indent + line if line else "\n" for line in whole.removesuffix("\n").split("\n"))
        edit = Edit(prompt.value.start, page.end_of_line(prompt.value.end), (f"|2{strip}", *beside, lines))
    settled = [] if here.node.flow else page.settled(prompt.value.end, page.column(prompt.key.start))
    freed = [each for value in (prompt.value, aim.value) for each in here.freed(value, prompt.value, aim.value)]
    yield [edit, *settled, *freed, *page.remove(here.node, aim)]
