"""Spellings from elsewhere, each with our form: what is read in place of them (``parts/``), and what a finding names
where one is written so that it cannot be (E191)."""

from __future__ import annotations

from functools import cache
from typing import Any

from heartrule.language.spellings.parts import awareness, flow, form_fields, notes, skills, variables

_ENDS = ("exit_condition", "exit_conditions")
_IDENTIFIERS = {f"{noun}_{part}": part for noun in ("session", "phase", "topic") for part in ("id", "goal")}
_VARIABLE = {"auto": "listen", "extraction_prompt": "define", "require": "on_failure: {do: …}"}
_DECLARED = {
    **_VARIABLE,
    **dict.fromkeys(("name", "variable", "variable_name"), "var"),
    "description": "define",
    **dict.fromkeys(("default", "defaultValue", "default_value", "initial_value"), "value"),
}
_CALLS = {"timing_to": "to", "fromlist": "for_each"}

KEYS: dict[str, dict[str, str]] = {
    "": {
        "session": "sessions: [{session: …}]",
        "session_id": "sessions: [{session: …, id: …}]",
        "session_name": "sessions: [{session: …}]",
        "technique_name": "skills: [{skill: …}]",
        "technique_id": "skills: [{skill: …, id: …}]",
        "technique": "skills: [{skill: …}]",
        "input_parameters": "skills: [{parameters: […]}]",
        "output_variables": "skills: [{returns: […]}]",
        "topic": "skills: [{skill: …, actions: […]}]",
        "rule": "awareness: [{awareness: …}]",
        "rules": "awareness: [{awareness: …}]",
        "consciousness": "awareness: [{awareness: …}]",
        "variables": "global: [{var: …}]",
    },
    "sessions": {**_IDENTIFIERS, "session_name": "session", "stages": "phases"},
    "phases": {
        **_IDENTIFIERS,
        "stage": "phase",
        "phase_name": "phase",
        "entry_condition": "condition",
        "topics": "steps",
    },
    "steps": {**_IDENTIFIERS, "topic_name": "topic", "entry_condition": "condition"},
    "skills": {
        "topic": "skill",
        **skills.NAMES,
        "input_parameters": "parameters",
        "output_variables": "returns",
    },
    "actions": {
        "action_type": "type",
        "action_id": "id",
        "config": "content, output, …",
        "content_template": "content",
        "question_template": "question",
        "prompt_template": "content",
        "say_goal": "goal",
        "think_goal": "content",
        "target_variable": "output: [{get: …}]",
        "extract_to": "output: [{get: …}]",
        "extraction_prompt": "output: [{get: …, define: …}]",
        "input_variables": "input",
        "output_variables": "output",
        "exit_condition": "exit",
        **_CALLS,
    },
    "declare": _DECLARED,
    "global": _DECLARED,
    "output": _VARIABLE,
    "awareness": {
        "rule": "awareness",
        "check_time": "at",
        "if": "condition",
        "reply": "then",
        "call": "then: [{directive: CALL_TECHNIQUE, technique: …}]",
        "cancel_if": "expires",
        "cancel_when": "expires",
    },
}

ONE_KEY: dict[str, str] = {
    "say": "type: say",
    "ai_say": "type: ai_say",
    "ask": "type: ask",
    "ai_ask": "type: ai_ask",
    "think": "type: ai_think",
    "ai_think": "type: ai_think",
    "user_say": "type: user_say",
    "user_option": "type: user_option",
    "set_var": "type: set_var",
    "use_skill": "type: use_skill",
    "call": "type: use_skill",
    "open_rule": "awareness: {enable: […]}",
    "close_rule": "awareness: {disable: […]}",
    "scene": "roles",
}
"""The first key of an action that has no ``type``: what the action is."""

VALUES: dict[tuple[str, str], dict[str, str]] = {
    ("actions", "type"): {"fill_form": "type: show_form", "think": "type: ai_think", "call": "type: use_skill"},
    ("actions", "timing"): {
        "NOW": "timing: now, resume: skip",
        "BEFORE_GOAL": "timing: before_topic, to: …",
        "AFTER_GOAL": "timing: after_topic",
        "AFTER_STAGE": "timing: after_phase",
    },
    ("declare", "update"): {"auto": "listen"},
    ("global", "update"): {"auto": "listen"},
    ("output", "update"): {"auto": "listen"},
}


def canonical(kind: str, key: str, value: Any = None) -> str | None:
    """The form this version reads in place of ``key`` (or of ``key: value``), None when it is no known spelling."""
    if isinstance(value, str) and (form := VALUES.get((kind, key), {}).get(value)):
        return form
    return KEYS.get(kind, {}).get(key)


_NAMES = {
    **flow.NAMES,
    "skills": (*skills.NAMES, "params", *flow.CANCELS),
    "": ("script", "script_content", "form"),
    "parameters": tuple(skills.PARAMETER),
    "strategy": tuple(flow.STRATEGY),
    **dict.fromkeys(("global", "declare", "output"), variables.NAMES),
    "awareness": {*awareness.NAMES, *awareness.SETTINGS, "trigger_condition", "trigger_timing", "action"},
    "transitions": flow.TARGETS,
    "phases": {**flow.NAMES["phases"], **flow.SWITCHES, **dict.fromkeys((*flow.CANCELS, *_ENDS))},
    "sessions": {**flow.NAMES["sessions"], **dict.fromkeys(flow.CANCELS)},
    "steps": {**flow.NAMES["steps"], **dict.fromkeys((*flow.CANCELS, *_ENDS, "repeat_until"))},
    "roles": ("type",),
    "forms": ("form_id", "form_name", "title", "target", "target_user", *form_fields.NO_WAY),
    "fields": (*form_fields.FIELDS, *form_fields.NAMES, "choices", "multiline"),
    "actions": {
        *("custom_conditions", "has_questions", "action"),
    },
}


@cache
def foreign(kind: str) -> frozenset[str]:
    """The keys of other spellings at such a place."""
    found = set(KEYS.get(kind, ()))
    if kind == "actions":
        found |= {"extraction_prompt", "open_rule", "close_rule", "scene"}
    found |= set(_NAMES.get(kind, ())) | notes.NOTES.get(kind, frozenset())
    return frozenset(found)


def one_key(action: dict[Any, Any]) -> tuple[str, str] | None:
    """For an action without ``type``: the key that says what it is, and the form this version reads."""
    return next(((key, ONE_KEY[key]) for key in action if key in ONE_KEY), None)
