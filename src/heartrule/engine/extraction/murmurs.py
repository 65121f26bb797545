"""A sound or a shrug is no content: where a text is wanted it is asked for again, unless a mere yes would answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from heartrule import parsing
from heartrule.engine.dialogue.fixed_wording import EMPTY
from heartrule.engine.session.moves import PersonInput
from heartrule.engine.session.tasks import Answer
from heartrule.engine.variables import scopes
from heartrule.engine.variables.evidence import gets
from heartrule.engine.work import Work
from heartrule.language.nodes import Get, Set, VariableRules
from heartrule.parsing.murmurs import asks_yes_or_no, is_bare, says_nothing

_WORDS = (None, "text", "list")


def without(
    work: Work, output: Sequence[Get | Set], heard: PersonInput, answer: Answer | None, *, strict: bool = False
) -> tuple[PersonInput, Answer | None]:
    """The words and the model's answer without what would be taken from a murmur. ``strict``: the script asks for more
    than a sound, whatever its question (``verify: non_empty``)."""
    is_sound = strict and says_nothing(heard.text)
    if heard.choice is not None or heard.repair is not None or not (is_sound or is_bare(heard.text)):
        return heard, answer
    asked = _asked(work, output)
    if not asked or not all(_is_text(rules, heard.text) for rules in asked.values()):
        return heard, answer
    if is_sound:
        return replace(heard, repair=EMPTY), _without(answer, lambda _, proof: says_nothing(proof))
    if asks_yes_or_no(_question(work)):
        return heard, answer
    if answer is None or answer.data is None:
        return replace(heard, repair=EMPTY), answer
    return heard, _without(answer, lambda value, _: is_bare(value))


def _asked(work: Work, output: Sequence[Get | Set]) -> dict[str, VariableRules]:
    """What the question was about: all outputs, where nobody can say."""
    name = work.frame.asking
    wanted = {item.get: scopes.rules_for(scopes.definition(work, item.get)[1], item) for item in gets(output)}
    return {name: wanted[name]} if name in wanted else wanted


def _is_text(rules: VariableRules, text: str) -> bool:
    """Whether the words would be kept as they are. The script's own rules may know what to make of them."""
    return rules.type in _WORDS and not rules.options and parsing.read_by_rules(rules, text) is None


def _question(work: Work) -> str:
    """What was asked last, as it was put."""
    said = next((each.text for each in reversed(work.transcript()) if each.sender == "ai"), "")
    return said if "?" in said or "？" in said else work.frame.question


def _without(answer: Answer | None, is_hollow: Callable[[str, str], bool]) -> Answer | None:
    given = answer.data.get("values") if answer is not None and answer.data is not None else None
    if answer is None or answer.data is None or not isinstance(given, Mapping):
        return answer
    kept = {name: each for name, each in given.items() if not is_hollow(*_value_and_proof(each))}
    return replace(answer, data={**answer.data, "values": kept})


def _value_and_proof(given: object) -> tuple[str, str]:
    """A value as text with its proof."""
    value, proof = (given.get("value"), given.get("evidence")) if isinstance(given, Mapping) else (given, None)
    return str(value), proof if isinstance(proof, str) else "-"
