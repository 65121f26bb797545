"""``heartrule eval``, and of it ``batch``: from how many questions on the configured model answers worse."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from heartrule.cli.eval_extract import EXTRACT, extract
from heartrule.cli.eval_judge import JUDGE, judge
from heartrule.cli.eval_listening import LISTENING, listening
from heartrule.cli.eval_memory import MEMORY, memory
from heartrule.cli.eval_risk import INTERRUPTIONS, RISK, interruptions, risk
from heartrule.cli.evaluations import configured_model, progress, rows_or_stop
from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo, echo_json
from heartrule.cli.settings import Data, Lang
from heartrule.cli.words import Words, said, spoken_here
from heartrule.locales import is_chinese

if TYPE_CHECKING:
    from heartrule.evals.batches import Plan
    from heartrule.evals.figures import Size
    from heartrule.evals.labelled_files import Columns, LabelledUtterance

LabelledFile = Annotated[
    Path, typer.Argument(metavar="FILE", help=said("JSON Lines 或 CSV，带标签。", "Labelled JSON Lines or CSV."))
]
TextColumn = Annotated[
    str, typer.Option("--text", metavar="COLUMN", help=said("来访者的话在哪一列。", "Column of what was said."))
]
LabelColumn = Annotated[
    str, typer.Option("--label", metavar="COLUMN", help=said("答案在哪一列。", "Column of the right answer."))
]
Question = Annotated[
    str | None,
    typer.Option(
        "--question",
        help=said("问题（是或否）；不写则读 question 列。", "The yes-or-no question; else column question is read."),
    ),
]
QuestionColumn = Annotated[
    str, typer.Option("--question-column", metavar="COLUMN", help=said("问题在哪一列。", "Column of the question."))
]
Questions = Annotated[
    Path | None,
    typer.Option(
        "--questions",
        metavar="YAML",
        help=said("几道题：[{question: …, label: 列名}, …]。", "Several: a list of {question: …, label: column}."),
    ),
]
Before = Annotated[
    str,
    typer.Option(
        "--before",
        metavar="COLUMN",
        help=said("咨询师上一句话在哪一列。", "Column of what the counsellor had said."),
    ),
]
Positive = Annotated[
    str,
    typer.Option(
        "--positive",
        metavar="LABEL",
        help=said(
            "哪个标签算“是”（默认认得 1/0、是/否 等）。",
            "The label that means yes (1/0, yes/no and the like are known).",
        ),
    ),
]
Sizes = Annotated[str, typer.Option("--sizes", help=said("每次问几道，逗号隔开。", "Questions a call, with commas."))]
Limit = Annotated[
    int | None, typer.Option("--limit", min=1, help=said("只用前几行。", "Only so many rows, the first."))
]
Locale = Annotated[
    Literal["zh-CN", "en"], typer.Option("--locale", help=said("提示词的语言。", "Language of the prompts."))
]
Cache = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="FILE",
        help=said("把答案存在这里，中断后接着做。", "Keep answers here, to go on after a break."),
    ),
]
Parallel = Annotated[
    int, typer.Option("--parallel", min=1, max=64, help=said("同时最多几次调用。", "Calls at once, at most."))
]
AsJson = Annotated[bool, typer.Option("--json", help=said("输出 JSON。", "Print JSON."))]


evaluations = typer.Typer(no_args_is_help=True)
evaluations.command(help=RISK)(risk)
evaluations.command(help=INTERRUPTIONS)(interruptions)
evaluations.command(help=MEMORY)(memory)
evaluations.command(help=EXTRACT)(extract)
evaluations.command(help=LISTENING)(listening)
evaluations.command(help=JUDGE)(judge)


@evaluations.command(
    help=said(
        "同样的判断题，一次问 1、2、4、8、16 道，看准确率从哪里开始掉。问法和会谈里一样。会调用配置好的模型，要花钱。",
        "Ask the same yes-or-no questions in calls of 1, 2, 4, 8 and 16, as a turn does, and see from where on it "
        "answers worse. Calls the configured model, which costs money.",
    )
)
def batch(
    file: LabelledFile,
    text: TextColumn = "text",
    label: LabelColumn = "label",
    question: Question = None,
    question_column: QuestionColumn = "question",
    questions: Questions = None,
    before: Before = "",
    positive: Positive = "",
    sizes: Sizes = "1,2,4,8,16",
    limit: Limit = None,
    locale: Locale = "zh-CN",
    cache: Cache = None,
    parallel: Parallel = 4,
    as_json: AsJson = False,
    data: Data = None,
    lang: Lang = None,
) -> None:
    import asyncio

    from heartrule.evals.batches import Plan
    from heartrule.evals.labelled_files import Columns, LabelledQuestion

    words = Words(spoken_here(lang))
    wanted = _sizes(sizes, words)
    asked = (
        (LabelledQuestion(label, " ".join(question.split())),)
        if question
        else (LabelledQuestion(label, column=question_column),)
    )
    columns = Columns(text, asked, before, positive)
    rows = _rows(file, columns, questions, limit, words)
    plan = Plan(locale, wanted, _fillers(locale), parallel=parallel)
    if not as_json:
        number = sum(len(row.answers) for row in rows)
        echo(words("eval_begins", texts=len(rows), questions=number), err=True)
    found = asyncio.run(_measured(rows, plan, cache, data, words))
    if as_json:
        from heartrule.cli.evaluation_output import plain

        echo_json(plain(found))
        return
    from heartrule.cli.evaluation_output import shown

    for line in shown(found, words):
        echo(line)


def _sizes(text: str, words: Words) -> tuple[int, ...]:
    """In rising order, and 1 among them: all others are held against it."""
    try:
        found = sorted({1, *(int(part) for part in text.split(","))})
    except ValueError:
        raise stop(words("eval_bad_sizes", text=text), 2) from None
    if found[0] < 1 or found[-1] > 100:
        raise stop(words("eval_bad_sizes", text=text), 2)
    return tuple(found)


def _rows(
    file: Path, columns: Columns, questions: Path | None, limit: int | None, words: Words
) -> list[LabelledUtterance]:
    from dataclasses import replace

    from heartrule.evals import labelled_files

    def read() -> list[LabelledUtterance]:
        found = columns if questions is None else replace(columns, asked=labelled_files.questions(questions))
        return labelled_files.load_rows(file, found, limit)

    return rows_or_stop(read, words)


def _fillers(locale: str) -> tuple[str, ...]:

    from heartrule.language.texts.plain import packaged_yaml

    return tuple(packaged_yaml("heartrule.evals", "fillers.yaml")["zh" if is_chinese(locale) else "en"])


async def _measured(
    rows: list[LabelledUtterance], plan: Plan, cache: Path | None, data: Path | None, words: Words
) -> list[Size]:
    from dataclasses import replace

    from heartrule.evals.answer_cache import AnswerCache
    from heartrule.evals.batches import Batches

    model, asked = configured_model(data, words)
    try:
        return await Batches(model, replace(plan, asked=asked), AnswerCache(cache), progress(words)).run(rows)
    finally:
        await model.aclose()
