"""E283: a field or score that a form names and does not have. W211: a name in its texts that nothing declares. E291:
``on_submit`` or a directive writes a variable that is declared nowhere."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View, nearest
from heartrule.language.names import COUNTERS, NameUse
from heartrule.language.nodes.forms import Form
from heartrule.language.texts.source import Path

_AFTER = ("on_answer", "on_submit")


def check(view: View) -> Iterator[Finding]:
    declared = {variable.var for variable in view.variables()} | set(view.globals)
    written = view.written()
    for form in view.project.forms:
        yield from _named(view, form)
        for read in view.names.reads(form):
            yield from _read(view, form, read, declared | written)
        for write in view.names.writes(form):
            if write.head not in declared and view.project.whole:
                place = view.project.at(form, *write.keys, value=True)
                yield finding("E291", place, name=clip(write.name), advice=nearest(write.head, sorted(declared)))


def _named(view: View, form: Form) -> Iterator[Finding]:
    for keys, name in _references(form):
        if name not in form.by_id:
            yield _unknown(view, form, keys, name)
    above: set[str] = set()
    for index, field in enumerate(form.fields):
        if field.within is not None and field.within in form.by_id and field.within not in above:
            yield _unknown(view, form, ("fields", index, "within"), field.within)
        above.add(field.id)


def _references(form: Form) -> Iterator[tuple[Path, str]]:
    for index, field in enumerate(form.fields):
        if field.within is not None:
            yield ("fields", index, "within"), field.within
    for index, score in enumerate(form.scores):
        for number, name in enumerate(score.sum):
            yield ("scores", index, "sum", number), name
    for index, order in enumerate(form.on_answer):
        yield ("on_answer", index, "field"), order.field


def _unknown(view: View, form: Form, keys: Path, name: str) -> Finding:
    place = view.project.at(form, *keys, value=True)
    known = list(form.by_id)
    return finding("E283", place, mend=view.renamed(place, name, known), name=clip(name), advice=_near(name, known))


def _read(view: View, form: Form, read: NameUse, declared: set[str]) -> Iterator[Finding]:
    head, _, part = read.name.partition(".")
    field, score = head in form.by_id and part in ("", "label"), head in form.score_by_id and part in ("", "band")
    place = view.project.within(form, read.offset, *read.keys)
    after = read.keys[0] in _AFTER
    if read.expression is not None:
        if not ((head in form.by_id and not part) or (after and (field or score))):
            known = [*form.by_id, *(form.score_by_id if after else ())]
            yield finding("E283", place, name=clip(read.name), advice=_near(head, known))
    elif not ((after and (field or score)) or read.head in declared or read.name in COUNTERS) and view.project.whole:
        known = [*declared, *((*form.by_id, *form.score_by_id) if after else ())]
        advice = nearest(read.head, sorted(known))
        yield finding("W211", place, name=clip(read.name), advice=advice if "?" in advice.en else Bilingual("", ""))


def _near(name: str, known: list[str]) -> Bilingual:
    found = nearest(name, known)
    return found if known else Bilingual("", "")
