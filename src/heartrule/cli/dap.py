"""``heartrule dap``: the debugger for editors (DAP), on standard input and output."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from heartrule.cli.words import said


def dap(
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", help=said("数据文件夹；不给就用完即弃。", "The data folder; without one nothing is kept.")
        ),
    ] = None,
    projects: Annotated[
        list[Path] | None,
        typer.Option("--project", help=said("脚本可以引用的项目文件夹。", "Folders of projects that scripts may use.")),
    ] = None,
) -> None:
    import asyncio

    from heartrule.cli.dap_stream import serve

    asyncio.run(serve(data, projects or []))
