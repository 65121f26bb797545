"""``heartrule forms``: the forms there are, in and out of FHIR, and what answers come to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo, echo_json
from heartrule.cli.settings import Form as As
from heartrule.cli.settings import Lang, Projects
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.language.forms.answers import CheckedAnswers
    from heartrule.language.nodes.forms import Form

forms = typer.Typer(no_args_is_help=True)
Which = Annotated[
    str,
    typer.Argument(
        metavar="FORM",
        help=said(
            "表单：项目/编号、FILE.yaml#编号，或 FHIR 的 Questionnaire 文件（.json）。",
            "A form: project/id, FILE.yaml#id, or a FHIR Questionnaire (.json).",
        ),
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help=said("写进这个文件。", "Write to this file."), show_default=False),
]
Answers = Annotated[
    Path,
    typer.Argument(
        metavar="ANSWERS",
        help=said(
            "回答：{字段: 值} 的 JSON，或 FHIR 的 QuestionnaireResponse；- 是标准输入。",
            "Answers: JSON of {field: value}, or a FHIR QuestionnaireResponse; - is standard input.",
        ),
    ),
]


@forms.command("list", help=said("列出表单。", "List the forms."))
def listed(form: As = "text", project: Projects = None, lang: Lang = None) -> None:
    from rich.cells import cell_len

    from heartrule.cli.form_files import shelves
    from heartrule.language.references import full

    found = [
        (full(each.id, one), one, one.locale or each.node.locale)
        for each in shelves(project or ())
        for one in each.forms
    ]
    if form == "json":
        shown = [_summary(name, one, locale) for name, one, locale in found]
        echo_json(shown)
        return
    words = Words(spoken_here(lang))
    width = max((cell_len(name) for name, _, _ in found), default=0)
    for name, one, locale in found:
        count = words("form_count", count=sum(each.asked for each in one.fields))
        echo(f"{name}{' ' * (width - cell_len(name))}  {one.form} · {locale} · {one.audience} · {count}")


def _summary(name: str, form: Form, locale: str) -> dict[str, Any]:
    return {
        "id": name,
        "name": form.form,
        "locale": locale,
        "audience": form.audience,
        "code": form.code.code if form.code is not None else None,
        "fields": [each.id for each in form.fields],
        "scores": [each.id for each in form.scores],
    }


@forms.command(help=said("看一张表单：题目、选项、得分和分段。", "Show a form: questions, options, scores and bands."))
def show(form: Which, project: Projects = None, lang: Lang = None) -> None:
    from heartrule.cli.form_files import form_of
    from heartrule.cli.form_output import form_lines

    words = Words(spoken_here(lang))
    for line in form_lines(form_of(form, project or (), words), words):
        echo(line)


@forms.command(
    "import",
    help=said(
        "把 FHIR R4 的 Questionnaire 读成表单，打印成脚本文件。表单装不下的，原样留在 fhir 里。",
        "Read a FHIR R4 Questionnaire as a form and print it as a script file. What a form has no place for stays "
        "under fhir as it came.",
    ),
)
def take_in(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help=said("Questionnaire 的 JSON 文件。", "JSON of a Questionnaire."))
    ],
    out: Out = None,
    lang: Lang = None,
) -> None:
    from heartrule.cli.form_files import form_yaml, json_of
    from heartrule.language.fhir.questionnaire_import import NotReadable, from_fhir

    words = Words(spoken_here(lang))
    try:
        found = from_fhir(json_of(file, words))
    except NotReadable as wrong:
        raise stop(f"{file}: {wrong.said.localized(words.language)}", 2) from None
    for each in found.told:
        echo(each.localized(words.language), err=True)
    _put(form_yaml(found.form), out, words)


@forms.command(
    help=said(
        "把表单写成 FHIR R4 的 Questionnaire；给出 --answers 时，写成 QuestionnaireResponse。",
        "Write a form as a FHIR R4 Questionnaire; with --answers, as a QuestionnaireResponse.",
    )
)
def export(
    form: Which,
    answers: Annotated[
        Path | None,
        typer.Option(
            "--answers", metavar="FILE", help=said("写这些回答。", "Write these answers."), show_default=False
        ),
    ] = None,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain",
            help=said("不带上导入时原样留下的东西。", "Leave out what was kept as it came when the form was imported."),
        ),
    ] = False,
    out: Out = None,
    project: Projects = None,
    lang: Lang = None,
) -> None:
    from datetime import datetime

    from heartrule.cli.form_files import form_of
    from heartrule.language.fhir import questionnaire_export, responses

    words = Words(spoken_here(lang))
    meant = form_of(form, project or (), words)
    if answers is None:
        made = questionnaire_export.to_fhir(meant, plain=plain)
    else:
        checked = _checked(meant, answers, words, whole=True)
        now = datetime.now().astimezone()
        made = responses.to_fhir(meant, checked.values, authored=now, zone=now.tzinfo, whole=not checked.problems)
    _put(json.dumps(made, ensure_ascii=False, indent=2) + "\n", out, words)


@forms.command(
    help=said(
        "一份回答算下来多少分、落在哪一段、会触发什么。有不合格的回答时以 1 退出。",
        "What answers come to: scores, bands, and what they call for. Exits 1 where answers are not as they should be.",
    )
)
def score(form: Which, answers: Answers, shape: As = "text", project: Projects = None, lang: Lang = None) -> None:
    from heartrule.cli.form_files import form_of
    from heartrule.cli.form_output import results
    from heartrule.language.forms.results import on_answer
    from heartrule.language.forms.scoring import scores

    words = Words(spoken_here(lang))
    meant = form_of(form, project or (), words)
    checked = _checked(meant, answers, words, whole=True)
    found = scores(meant, checked.values)
    orders = on_answer(meant, checked.values)
    if shape == "json":
        made = {
            "scores": {name: {"value": each.value, "band": each.band} for name, each in found.items()},
            "problems": [{"field": each.field, "code": each.code} for each in checked.problems],
            "hidden": sorted(checked.hidden),
            "orders": [each.model_dump(by_alias=True, exclude_defaults=True) for each in orders],
        }
        echo_json(made, default=str)
    else:
        for line in results(meant, found, orders, words):
            echo(line)
    if checked.problems:
        raise typer.Exit(1)


def _checked(form: Form, path: Path, words: Words, *, whole: bool) -> CheckedAnswers:
    from heartrule.cli.form_files import json_of
    from heartrule.language.fhir.questionnaire_import import NotReadable
    from heartrule.language.fhir.responses import from_fhir
    from heartrule.language.forms.answers import check

    given = json_of(path, words)
    if isinstance(given, Mapping) and "resourceType" in given:
        try:
            answered = from_fhir(form, given)
        except NotReadable as wrong:
            raise stop(f"{path}: {wrong.said.localized(words.language)}", 2) from None
        for each in answered.told:
            echo(each.localized(words.language), err=True)
        given = answered.answers
    if not isinstance(given, Mapping):
        raise stop(words("form_no_answers", file=path), 2)
    checked = check(form, {str(name): value for name, value in given.items()}, whole=whole)
    for problem in checked.problems:
        echo(f"{problem.field or form.form}: {problem.message.localized(words.language)}", err=True)
    return checked


def _put(text: str, out: Path | None, words: Words) -> None:
    if out is None:
        echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise stop(words("form_unwritten", file=out, reason=error.strerror or error), 2) from None
