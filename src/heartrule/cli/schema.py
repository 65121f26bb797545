"""``heartrule schema``: the JSON Schema of script files, for editors."""

from __future__ import annotations

import json

import typer


def schema() -> None:
    from heartrule.engine.actions import field_models
    from heartrule.language.schema import json_schema

    typer.echo(json.dumps(json_schema(field_models()), ensure_ascii=False, indent=2))
