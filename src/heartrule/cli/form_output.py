"""A form, and what its answers come to, in lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from heartrule.cli.words import Words

if TYPE_CHECKING:
    from heartrule.language.forms.scoring import ScoreResult
    from heartrule.language.nodes.forms import Form, FormField, OnAnswer, Score


def form_lines(form: Form, words: Words) -> Iterator[str]:
    code = f" · {form.code.system} {form.code.code}" if form.code is not None else ""
    yield f"{form.form} · {form.id} · {form.audience}{code}"
    for text in (form.description, form.source, form.licence):
        yield from (f"  {line}" for line in text.splitlines())
    yield ""
    for field in form.fields:
        yield from _field(field, words)
    for score in form.scores:
        yield from _score(score)
    for order in form.on_answer:
        condition = f" {order.if_.source}" if order.if_ is not None else ""
        yield f"{order.field}:{condition} → {order.directive} {order.technique or ''}".rstrip()


def _field(field: FormField, words: Words) -> Iterator[str]:
    marks = [field.type, *([words("form_required")] if field.required else [])]
    if field.show_when is not None:
        marks.append(words("form_when", condition=field.show_when.source))
    yield f"{field.id}  {field.label}  ({', '.join(marks)})"
    for option in field.options:
        yield f"    {option.value}  {option.label}"


def _score(score: Score) -> Iterator[str]:
    yield f"{score.id} = {' + '.join(score.sum)}"
    for band in score.bands:
        yield f"    {band.from_:g}–{band.to:g}  {band.label}"


def results(form: Form, found: Mapping[str, ScoreResult], orders: Iterable[OnAnswer], words: Words) -> Iterator[str]:
    for name, scored in found.items():
        label = form.score_by_id[name].label or name
        if scored.value is None:
            incomplete = words("form_incomplete")
            yield f"{label}: {incomplete}"
        else:
            yield f"{label}: {scored.value}" + (f" · {scored.band}" if scored.band is not None else "")
    for order in orders:
        yield f"{order.field} → {order.directive} {order.technique or ''}".rstrip()
