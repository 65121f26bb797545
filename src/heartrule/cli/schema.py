"""``heartrule schema``: the JSON Schema of script files or of ``project.yaml``, for editors."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from heartrule.cli.safe_text import echo_json
from heartrule.cli.words import said


def schema(
    of: Annotated[
        Literal["script", "project", "test"],
        typer.Argument(
            metavar="[script|project|test]",
            help=said("脚本文件、project.yaml，或者测试文件。", "Script files, project.yaml, or test files."),
        ),
    ] = "script",
    url: Annotated[
        str,
        typer.Option("--url", help=said("这份模式会放在哪个地址（$id）。", "The address it will be found at ($id).")),
    ] = "",
    lang: Annotated[
        Literal["zh", "en", "both"],
        typer.Option("--lang", help=said("悬停说明用什么语言。", "The language of what is shown on hovering.")),
    ] = "both",
) -> None:
    from heartrule.engine.installed_types import field_models
    from heartrule.language.schema import json_schema
    from heartrule.script_tests.schema import json_schema as of_tests

    spoken = "" if lang == "both" else lang
    made = of_tests(lang=spoken, url=url) if of == "test" else json_schema(field_models(), of, lang=spoken, url=url)
    echo_json(made)
