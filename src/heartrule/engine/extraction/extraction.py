"""From a person's words to values: model's find (json) → an earlier answer within the action (history) → a call of its
own, where the model's answer could not be used (llm) → rules and built-in readers (rules) → the person's own words, for
text only (fallback). Every value keeps the strategy; of what is missing it is said why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from heartrule import parsing
from heartrule.engine.extraction import proof
from heartrule.engine.session.io import World
from heartrule.engine.session.moves import PersonInput
from heartrule.engine.session.question_state import QuestionState
from heartrule.engine.session.tasks import Answer
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.variables import danger_statements, dependencies, missing_reasons, scopes
from heartrule.engine.variables.evidence import alarming, gets, locate, shortened
from heartrule.engine.work import SAFETY, Work
from heartrule.language import placeholders, values
from heartrule.language.nodes import Action, FieldOf, Get, Set, VariableRules
from heartrule.locales import is_chinese
from heartrule.parsing.denials import first_of, is_bare, is_whole
from heartrule.parsing.quotes import carried_on, mended

NO_DENIAL = "no plain denial"
"""Why a no to what is marked ``risk`` was refused."""


@dataclass(frozen=True, slots=True)
class ExtractedValue:
    value: Any
    strategy: scopes.Strategy
    evidence: str | None


@dataclass(slots=True)
class ExtractionResult:
    """What became of each output: ``found`` by name, and why the others are missing (a ``missing_reasons.Reason``).
    ``differing``: two answers to the same question, as text, by name. ``fresh``: what this answer has made due; what
    is not due yet is in neither. ``risky``: what is about danger, and was told or left unclear. ``doubted``: a no of
    the model's to what is about danger that our own reading does not take for one."""

    found: dict[str, ExtractedValue]
    missing: dict[str, str]
    risky: set[str] = field(default_factory=set)
    differing: dict[str, str] = field(default_factory=dict, repr=False)
    fresh: set[str] = field(default_factory=set)
    doubted: dict[str, ExtractedValue] = field(default_factory=dict, repr=False)

    @property
    def risk(self) -> bool:
        return bool(self.risky)


@dataclass(frozen=True, slots=True)
class Source:
    """What values may be taken from. ``texts`` are all the person's answers within this action, the newest last; a
    quote that is not in them proves nothing. ``earlier`` is what former rounds found. ``asking`` names the output that
    the last question was about (None: the first; empty: nobody can say). ``called``: what a call of its own found,
    where the action's own answer could not be used. ``led``: a model leads the talk, so it has read the answer as a
    whole."""

    heard: PersonInput
    answer: Answer | None
    texts: Sequence[str] = field(repr=False)
    earlier: Mapping[str, Any] = field(repr=False)
    asking: str | None = None
    called: Mapping[str, Any] | None = field(default=None, repr=False)
    led: bool = False

    @property
    def said(self) -> str:
        return "\n".join(self.texts)

    @property
    def understood(self) -> bool:
        """Whether a model has read the words."""
        return self.answer is not None and self.answer.data is not None

    @property
    def offered(self) -> Mapping[str, Any]:
        given = self.answer.data.get("values") if self.answer and self.answer.data else None
        return given if isinstance(given, Mapping) else {}


def extract(work: Work, output: Sequence[Get | Set], source: Source) -> ExtractionResult:
    """Work the values out; nothing is written yet.

    A typed value that the model did not give, or gave without proof, may still be read by rules. Without a model the
    answer belongs to the output that was asked about.
    """
    result = ExtractionResult({}, {})
    wanted = {item.get: dependencies.rules_of(work, item) for item in gets(output)}
    due = [item.get for item in dependencies.wanted(work, output)]
    asking = next(iter(due), "") if source.asking is None else source.asking
    for name in dependencies.in_order(wanted):
        rules = wanted[name]
        known = {known: each.value for known, each in result.found.items()}
        if dependencies.lacking(work, rules, known) is not None and not (rules.risk and name in source.offered):
            continue  # of danger what is told is taken, whether or not it would be asked for
        if name not in due:
            result.fresh.add(name)
        found = _extract_one(work, name, rules, source, asking, result)
        if rules.risk and (alarming(found.value) if found else name == asking and _unclear(source.heard)):
            result.risky.add(name)
    return result


def _extract_one(
    work: Work, name: str, rules: VariableRules, source: Source, asking: str, result: ExtractionResult
) -> ExtractedValue | None:
    """One output: found, or missing with the reason, into ``result``."""
    found, reason = _found(work, name, rules, source, name == asking, result)
    if found is not None and _contradicts(work, name, rules, found, source, asking):
        result.differing[name] = missing_reasons.either(work.world, (source.earlier[name]["value"], found.value))
        found, reason = None, "contradictory"
    elif reason == "contradictory":
        result.differing[name] = missing_reasons.either(work.world, _several(work, name, rules, source))
    if found is None:
        result.missing[name] = reason
    else:
        result.found[name] = found
        result.doubted.pop(name, None)
    return found


def _found(
    work: Work, name: str, rules: VariableRules, source: Source, asked: bool, result: ExtractionResult
) -> tuple[ExtractedValue | None, str]:
    """One output, along the chain of strategies; the value, or why there is none."""
    heard = source.heard
    found, why = _by_model(work, name, rules, source, result)
    understood = source.understood or source.called is not None
    # Cut at its commas any answer is a list: where a model has read it, only what options name is one.
    typed = rules.type not in (None, "text") and (rules.type != "list" or bool(rules.options))
    if found is None and heard.repair is None and (not understood or typed) and why != "contradictory":
        found, unread = _without_model(
            work, name, _read_by(rules, understood), heard.text, asked=asked, understood=understood
        )
        why = why or unread
    if found is None and not why:
        why = missing_reasons.unread(rules, heard.text, asked=asked, understood=understood)
    return found, why


def _by_model(
    work: Work, name: str, rules: VariableRules, source: Source, result: ExtractionResult
) -> tuple[ExtractedValue | None, str]:
    """What a model has read in the words, else what was known from the same question before."""
    found, why = None, ""
    if name in source.offered:
        found, why = _counted(work, name, rules, source, source.offered[name], "json", result)
    if found is None and name in source.earlier and why != "contradictory":
        earlier = ExtractedValue(source.earlier[name]["value"], "history", source.earlier[name].get("evidence"))
        found = (_put_right(work, name) if rules.update == "overwrite" else None) or earlier
    if found is None and source.understood:
        found = _told_before(work, name)
    if found is None and source.called and name in source.called:
        found, why = _counted(work, name, rules, source, source.called[name], "llm", result)
    return found, why


def _contradicts(
    work: Work, name: str, rules: VariableRules, found: ExtractedValue, source: Source, asking: str
) -> bool:
    """Whether it is another answer to what was answered before within this action, and nobody has asked again."""
    if found.strategy != "json" or name not in source.earlier or name == asking:
        return False
    if name in missing_reasons.contradicted_before(work) or locate(found.evidence or "", source.heard.text) is None:
        return False
    return missing_reasons.differs(rules, source.earlier[name]["value"], found.value, source.heard.text, found.evidence)


def _several(work: Work, name: str, rules: VariableRules, source: Source) -> Sequence[Any]:
    given = source.offered.get(name) or (source.called or {}).get(name)
    if given is None:
        return parsing.several(rules, source.heard.text, work.world.now, _question(work))
    raw = given.get("value") if isinstance(given, Mapping) else given
    return raw if isinstance(raw, list) else [raw]


def _read_by(rules: VariableRules, understood: bool) -> VariableRules:
    """A script's own rules are for when no model can answer: where one found nothing, only our readers may still find
    a plain number or yes. Of a variable marked ``risk`` they always count."""
    return rules.model_copy(update={"rules": None}) if understood and rules.rules and not rules.risk else rules


def _counted(
    work: Work,
    name: str,
    rules: VariableRules,
    source: Source,
    offered: Any,
    strategy: scopes.Strategy,
    result: ExtractionResult,
) -> tuple[ExtractedValue | None, str]:
    """What a model offers, as far as it counts. Of a variable marked ``risk``, and where a model leads of all that
    tells of danger, a no counts only where our own readers say no too, or its quote is all that was said; words that
    they take for a yes are a yes. Where a model leads, what our own readers do not take for a no is doubted, and read
    once more (``asking.denials``)."""
    found, why = _from_model(work, name, rules, offered, source.said, strategy)
    careful = rules.risk or (source.led and name in danger_statements.NAMES)
    if not careful or found is None or alarming(found.value):
        return found, why
    rules = rules.model_copy(update={"risk": True})
    quote = str(offer(offered)[1] or found.evidence)
    said = quoted(quote, (*source.texts, source.heard.text))
    read = parsing.parse_value(rules, said, work.world.script.locale, work.world.now)
    if read is not None and alarming(read.value):
        return ExtractedValue(read.value, "rules", shortened(read.evidence)), why
    # What the safety project asks in fixed words is read whole already: see second_reading.
    if work.running.project == SAFETY and not work.led:
        return found, why
    denied = read is not None if source.led else clears(work.world, rules, quote, said)
    if denied and _is_about(name, quote, source):
        return found, why
    if source.led:
        result.doubted[name] = ExtractedValue(found.value, strategy, quote)
    else:
        scopes.refuse(work, name, found.value, strategy=strategy, evidence=found.evidence, reason=NO_DENIAL)
    return None, "vague"


def _is_about(name: str, quote: str, source: Source) -> bool:
    """Whether a no is about this: where a model asks about danger in its own order, a mere no belongs to what it has
    just asked for, and to nothing else; the wish and the thoughts may be asked for in one question."""
    if not (source.led and is_bare(quote)):
        return True
    return danger_statements.is_asked(name, source.asking) and locate(quote, source.heard.text) is not None


def clears(world: World, rules: VariableRules, quote: str, said: str) -> bool:
    """Whether a no to what is marked ``risk`` is what the words say, by our own reading or as a whole; or what they
    say first, where nothing behind it turns ("没，说过了")."""
    locale, now = world.script.locale, world.now
    read = parsing.parse_value(rules, said, locale, now)
    if read is not None:
        return not alarming(read.value)
    if is_whole(quote, said):
        return True
    first = first_of(said)
    if not first or locate(quote, said) is None:
        return False
    read = parsing.parse_value(rules, first, locale, now)
    return read is not None and not alarming(read.value)


def quoted(quote: str, texts: Sequence[str]) -> str:
    """The one of somebody's answers that a quote is from, the newest first; the newest where it is from none."""
    return next((text for text in reversed(texts) if locate(quote, text) is not None), texts[-1] if texts else "")


def _unclear(heard: PersonInput) -> bool:
    """An answer that does not say. Asking what the question means is no answer."""
    return heard.repair not in ("repeat", "clarify", "purpose")


def _put_right(work: Work, name: str) -> ExtractedValue | None:
    """What they have put in the place of what this question had found, told to another one: what was found before is
    not written over it again."""
    held = work.variables.find(name, [scopes.definition(work, name)[0]])
    if held is None or held[1].strategy not in ("passive", "correction") or held[1].value is None:
        return None
    return ExtractedValue(held[1].value, "history", held[1].evidence)


def _told_before(work: Work, name: str) -> ExtractedValue | None:
    """What was told in passing, before this question came: nobody has to say it again for the sake of the question."""
    held = work.variables.find(name, [scopes.definition(work, name)[0]])
    if held is None or held[1].strategy != "passive":
        return None
    return ExtractedValue(held[1].value, "history", held[1].evidence)


def _accepted(
    work: Work, name: str, rules: VariableRules, raw: Any, strategy: scopes.Strategy, evidence: str | None
) -> values.Outcome:
    """The value as its rules take it; what they refuse, whole or in part, is recorded."""
    outcome = values.accept(rules, raw, lambda other: raw if other == name else scopes.lookup(work, other))
    refused = [("", raw, outcome)] if isinstance(outcome, values.Bad) else outcome.left_out
    for each in refused:
        path, part, bad = each if isinstance(each, tuple) else (each.path, each.raw, each.bad)
        reason = f"{path}: {bad.code}" if path else bad.code
        scopes.refuse(work, name, part, strategy=strategy, evidence=evidence, reason=reason)
    return outcome


def is_refused(work: Work, name: str, rules: VariableRules, offered: Any, said: str) -> bool:
    """Whether a model's value cannot be taken: nothing proves it, or its rules refuse it whole. Two values are not
    refused: they are asked about. Nothing is recorded."""
    raw, quote = offer(offered)
    if raw is None or raw == "":
        return False
    quote = set_right(rules, quote, said)
    if _evidence(work, rules, raw, quote, said) is None:
        return True
    raw, strays = proof.grounded(rules, raw, quote, _grounds(work, said))
    if strays and not raw:
        return True
    outcome = values.accept(rules, raw, lambda other: raw if other == name else scopes.lookup(work, other))
    return isinstance(outcome, values.Bad) and missing_reasons.refused(outcome.code, rules, raw) != "contradictory"


def offer(offered: Any) -> tuple[Any, Any]:
    """A model's value, and the quote that is to prove it."""
    has_quote = isinstance(offered, Mapping) and "value" in offered
    return (offered.get("value"), offered.get("evidence")) if has_quote else (offered, None)


def proof_of(raw: Any, quote: Any, said: str) -> str | None:
    """What of these words proves a model's value: its quote, or the value itself where it came without one."""
    return locate(quote, said) if isinstance(quote, str) and quote.strip() else _own_form(raw, said)


def _evidence(work: Work, rules: VariableRules, raw: Any, quote: Any, said: str) -> str | None:
    """The words that prove a model's value: a quote that stands there whole, and agrees with it. Of a variable marked
    ``risk`` a yes needs no more than a quote: code may only raise."""
    texts = [said, _said_before(work)] if isinstance(quote, str) and rules.type in (None, "text") else [said]
    evidence, where = next(((found, each) for each in texts if (found := proof_of(raw, quote, each))), (None, ""))
    if evidence is None or (rules.risk and alarming(raw)):
        return evidence
    words = quote if isinstance(quote, str) and quote.strip() else placeholders.format_value(raw, "en")
    return evidence if proof.holds(rules, raw, words, where, _question(work)) else None


def _grounds(work: Work, said: str) -> tuple[str, str, str]:
    """All that a text may be made of: these answers, what was said before, and the question (吃药了吗？ 嗯)."""
    return said, _said_before(work), _question(work)


def _from_model(
    work: Work, name: str, rules: VariableRules, offered: Any, said: str, strategy: scopes.Strategy
) -> tuple[ExtractedValue | None, str]:
    raw, quote = offer(offered)
    if raw is None or raw == "":
        return None, ""
    quote = set_right(rules, quote, said)
    evidence = _evidence(work, rules, raw, quote, said)
    if evidence is None:
        scopes.refuse(work, name, raw, strategy=strategy, evidence=None, reason="no proof")
        return None, "vague"
    raw, strays = proof.grounded(rules, raw, quote, _grounds(work, said))
    for each in strays:
        scopes.refuse(work, name, each, strategy=strategy, evidence=evidence, reason="no proof")
    if strays and not raw:
        return None, "vague"
    outcome = _accepted(work, name, rules, raw, strategy, evidence)
    if isinstance(outcome, values.Bad):
        return None, missing_reasons.refused(outcome.code, rules, raw)
    return ExtractedValue(outcome.value, strategy, evidence), ""


def _said_before(work: Work) -> str:
    """The person's words that the model had before its eyes. A text may be known from them: who has said it already is
    not asked again. A number, a yes or a choice is not: it means nothing without its question."""
    return "\n".join(m.text for m in work.transcript() if m.sender == "person" and not m.withheld)


def _without_model(
    work: Work, name: str, rules: VariableRules, text: str, *, asked: bool, understood: bool
) -> tuple[ExtractedValue | None, str]:
    """The answer belongs to the output that was asked about. Of another one it holds only what that one's own rules
    find: a number, a yes or a word means nothing without its question."""
    locale, now, question = work.world.script.locale, work.world.now, _question(work)
    if asked:
        # what the safety project asks is about danger, whatever is marked: nothing there is taken back by code
        careful = work.running.project == SAFETY and rules.type == "boolean" and not rules.risk
        said = rules.model_copy(update={"risk": True}) if careful else rules
        read = parsing.parse_value(said, text, locale, now, question)
    else:
        read = parsing.read_by_rules(rules, text, locale, now)
    if read is None and asked and not (understood or rules.risk) and parsing.several(rules, text, now, question):
        return None, "contradictory"
    if read is None:
        return None, missing_reasons.unread(
            rules, text, asked=asked, understood=understood and rules.type in (None, "text")
        )
    raw_words = rules.type in (None, "text") and read.value == text.strip()
    outcome = _accepted(work, name, rules, read.value, "rules", shortened(read.evidence))
    if isinstance(outcome, values.Bad):
        return None, missing_reasons.refused(outcome.code, rules, read.value)
    return ExtractedValue(outcome.value, "fallback" if raw_words else "rules", shortened(read.evidence)), ""


def reads(work: Work, action: Action | None, text: str) -> bool:
    """Whether words that sound like not knowing are the answer to the yes or no that waits (清楚了吗？ 不清楚)."""
    for item in gets(action.peek("output") or []) if action is not None and work.frame.wait is not None else []:
        rules = dependencies.rules_of(work, item)
        asked = work.frame.asking in (None, "", item.get)
        if rules.type == "boolean" and asked:
            return (
                parsing.parse_value(rules, text, work.world.script.locale, work.world.now, _question(work)) is not None
            )
    return False


def _question(work: Work) -> str:
    """How the question was put that is answered."""
    return work.frame.question


def set_right(rules: VariableRules, quote: Any, said: str) -> Any:
    """A quote that differs in one letter from what was said, or ends there within a word, as it was said; any other as
    it is. Where danger is asked about nothing is mended."""
    if rules.risk or not isinstance(quote, str) or not quote.strip():
        return quote
    mend = mended if locate(quote, said) is None else carried_on
    return mend(quote, said) or quote


def _own_form(raw: Any, said: str) -> str | None:
    """A bare value proves itself only where it literally stands in what was said."""
    if isinstance(raw, str) and raw.strip():
        return locate(raw, said)
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        return locate(placeholders.format_value(raw, "en"), said)
    return None


def commit(
    work: Work, output: Sequence[Get | Set], extraction: ExtractionResult, earlier: Mapping[str, Any] | None = None
) -> None:
    """Write what was found, each behind what it depends on. ``earlier`` is what former rounds wrote: it is not added to
    a list a second time. What could not be written is found no longer."""
    wanted = {item.get: dependencies.rules_of(work, item) for item in gets(output)}
    for name in dependencies.in_order(wanted):
        rules, found = wanted[name], extraction.found.get(name)
        if found is None:
            continue
        value = found.value
        if rules.update in ("append", "merge_unique") and name in (earlier or {}):
            value = _beyond(value, (earlier or {})[name]["value"])
            if value is None:
                continue
        strategy, evidence = found.strategy, found.evidence
        if not scopes.write(work, name, value, strategy=strategy, evidence=evidence, rules=rules, checked=True):
            del extraction.found[name]


def _beyond(value: Any, before: Any) -> Any:
    """What ``value`` says that ``before`` did not; None when it is nothing."""
    if isinstance(value, list):
        known = before if isinstance(before, list) else [before]
        return [item for item in value if item not in known] or None
    if isinstance(value, str) and isinstance(before, str) and value.startswith(before):
        return value[len(before) :].strip() or None
    return None if value == before else value


def remember(work: Work, extraction: ExtractionResult) -> None:
    """Keep what was found for later rounds of the same action."""
    if extraction.found:
        kept = QuestionState.of(work.frame).found
        for name, found in extraction.found.items():
            kept[name] = {"value": found.value, "evidence": found.evidence}


def assign(work: Work, output: Sequence[Get | Set]) -> None:
    """The ``set`` items of an output, when the action ends."""
    for item in output:
        if isinstance(item, Set):
            scopes.write(work, item.set, literal(work, item.value), strategy="set")


def literal(work: Work, value: Any) -> Any:
    """A literal of the script with the placeholders in its texts filled, in words that a person may be shown. A text
    that is one placeholder and nothing else is that variable's value, whatever its type; nothing when it has none."""
    if isinstance(value, str):
        only = placeholders.sole_name(value)
        if only is not None:
            return scopes.lookup(work, only)
        return fill(work, value, to_person=True)
    if isinstance(value, list):
        return [literal(work, item) for item in value]
    if isinstance(value, Mapping):
        return {key: literal(work, item) for key, item in value.items()}
    return value


def kind(work: Work, rules: VariableRules) -> str:
    """What sort of value it is, in a word."""
    return work.spoken(f"kinds.{rules.type or 'text'}", 0)


def described(work: Work, output: Sequence[Get | Set], *, every: bool = False) -> str:
    """The outputs as the prompt lists them: name, type where it is not text, meaning, what is allowed. ``every``: also
    those that are not looked for yet, so that the list stays the same while they become known."""
    rows = []
    zh = is_chinese(work.world.script.locale)
    left, right, colon = ("（", "）", "：") if zh else (" (", ")", ": ")
    for item in gets(output) if every else dependencies.wanted(work, output):
        rules = dependencies.rules_of(work, item)
        sort = "" if rules.type in (None, "text") else f"{left}{kind(work, rules)}{right}"
        row = f"- {item.get}{sort}{colon}{fill(work, rules.define) or item.get}"
        if rules.options:
            row += (
                " ["
                + " | ".join(placeholders.format_value(option, work.world.script.locale) for option in rules.options)
                + "]"
            )
        if rules.range:
            low, high = (placeholders.format_value(limit, "en") for limit in rules.range)
            row += f" [{low}–{high}]"
        if rules.fields:
            row += " {" + ", ".join(_field(work, field) for field in rules.fields) + "}"
        rows.append(row)
    return "\n".join(rows)


def _field(work: Work, field: FieldOf) -> str:
    """A field says what it may be where it is no text: what a model cannot see it cannot keep to."""
    locale = work.world.script.locale
    sort = "" if field.type == "text" else f" ({work.spoken(f'kinds.{field.type}', 0)})"
    allowed = " | ".join(placeholders.format_value(option, locale) for option in field.options or ())
    if field.range:
        allowed = "–".join(placeholders.format_value(limit, "en") for limit in field.range)
    return f"{field.name}{sort}: {field.define or field.type}" + (f" [{allowed}]" if allowed else "")


def known(work: Work, output: Sequence[Get | Set]) -> str:
    """The outputs that have a value already, for the prompt; what a script presumes, nobody has told."""
    rows = []
    for item in dependencies.wanted(work, output):
        value = scopes.lookup(work, item.get)
        held = work.variables.find(item.get, work.chain())
        presumed = held is not None and held[1].strategy == "set" and not held[1].evidence
        if value is not None and not presumed:
            rows.append(f"- {item.get} = {placeholders.format_value(value, work.world.script.locale)}")
    return "\n".join(rows)


def values_schema(work: Work, output: Sequence[Get | Set], *, quoted: bool = True) -> dict[str, Any]:
    """JSON Schema of the sparse ``values`` object: each value with the quote that proves it (``quoted``), or bare. What
    is about danger may be told though nobody would ask for it now."""
    due = {item.get for item in dependencies.wanted(work, output)}
    rules = {item.get: dependencies.rules_of(work, item) for item in gets(output)}
    properties = {name: _json_type(each) for name, each in rules.items() if each.risk or name in due}
    if quoted:
        properties = {name: _with_quote(kind) for name, kind in properties.items()}
    return {"type": "object", "properties": properties}


def _with_quote(kind: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"value": kind, "evidence": {"type": "string"}},
        "required": ["value", "evidence"],
    }


def _json_type(rules: VariableRules) -> dict[str, Any]:
    if rules.options:
        one = {"enum": list(rules.options)}
        return {"type": "array", "items": one} if rules.type == "list" else one
    kinds = {
        "integer": {"type": "integer"},
        "number": {"type": "number"},
        "boolean": {"type": "boolean"},
        "date": {"type": "string", "description": "YYYY-MM-DD"},
        "list": {"type": "array"},
        "object": {"type": "object"},
    }
    return kinds.get(rules.type or "text", {"type": "string"})
