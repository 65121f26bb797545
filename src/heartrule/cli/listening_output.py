"""How well a session listened, as people read it and as programs do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from heartrule.cli.evaluation_output import share
from heartrule.cli.words import Words
from heartrule.evals.figures import Count
from heartrule.evals.listening_figures import ENOUGH, LEAST, MOST, Measure, Report, Section

_FEW = 12
"""Ids of what went wrong that are told unasked."""
_MORE = {
    "beginnings": "listening_more_beginnings",
    "refusals": "listening_more_refusals",
    "choices": "listening_more_choices",
}


def shown(report: Report, words: Words, *, show: bool, rules: bool) -> Iterator[str]:
    for template, came in report.came.items():
        told = ", ".join(f"{words.of('extract_came', name)} {count}" for name, count in sorted(came.items()))
        yield words("listening_came", template=template, came=told)
    if report.stale:
        yield words("extract_stale", count=len(report.stale), ids=" ".join(_few(report.stale, show)))
    for section in report.sections:
        yield from _section(section, words, show=show)
    yield ""
    yield words("listening_thresholds", **_limits())
    yield from _verdict(report, words, rules=rules)


def _section(section: Section, words: Words, *, show: bool) -> Iterator[str]:
    yield ""
    yield words.of("listening_parts", section.part) + words("listening_items", count=section.items)
    heard, taken = words.of("listening_heard", section.part), words.of("listening_taken", section.part)
    yield words("listening_goal", what=heard, count=_share(section.all.heard), goal=f"≥ {LEAST['leading']:.0%}")
    yield words("listening_goal", what=taken, count=_share(section.all.taken), goal=f"≤ {MOST['leading']:.0%}")
    for each in section.langs:
        yield "  " + words("listening_lang", lang=each.label, heard=_share(each.heard), taken=_share(each.taken))
    for count in section.more:
        yield words("listening_more", what=words.of(_MORE[section.part], count.label), count=_share(count))
    for key, counts in (("listening_tags_heard", section.heard), ("listening_tags_taken", section.taken)):
        if counts:
            yield words(key)
            yield from (f"    {count.label:<14}{_share(count)}" for count in counts)
    for key, ids in (("listening_missed", section.missed), ("listening_wrong", section.wrong)):
        yield words(key, count=len(ids), ids=" ".join(_few(ids, show)) or "–")


def _verdict(report: Report, words: Words, *, rules: bool) -> Iterator[str]:
    if rules:
        yield words("listening_no_model")
        return
    for lang, fit in report.verdicts.items():
        if fit is None:
            yield words("listening_too_few", lang=lang, count=ENOUGH)
            continue
        measures = [each for section in report.sections for each in section.langs if each.label == lang]
        sure = "" if all(each.sure for each in measures) else words("listening_unsure")
        yield words("listening_verdict", lang=lang, fit=words.of("listening_fits", fit), unsure=sure)
    if report.unmeasured:
        yield words("listening_unmeasured", parts=", ".join(words.of("listening_parts", p) for p in report.unmeasured))


def _few(ids: Sequence[str], show: bool) -> list[str]:
    return [*ids] if show or len(ids) <= _FEW else [*ids[:_FEW], "…"]


def _share(each: Count) -> str:
    return f"{share(each.share)} {each.count}/{each.of}"


def _limits() -> dict[str, str]:
    """The thresholds, in percent."""
    least = {f"least_{name}": f"{value:.0%}" for name, value in LEAST.items()}
    return least | {f"most_{name}": f"{value:.0%}" for name, value in MOST.items()}


def plain(report: Report) -> dict[str, Any]:
    """For JSON. Each measure with what a model that does so is fit for."""
    told = asdict(report)
    for section, given in zip(report.sections, told["sections"], strict=True):
        given["all"] = _measure(section.all)
        given["langs"] = [_measure(each) for each in section.langs]
    return {**told, "thresholds": {"least": LEAST, "most": MOST}, "interval": "Wilson, 95 %"}


def _measure(each: Measure) -> dict[str, Any]:
    return {**asdict(each), "fit": each.fit, "sure": each.sure}
