"""The JSON Schemas of script files and of ``project.yaml``, for editors."""

from __future__ import annotations

from functools import cache
from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from heartrule.engine.installed_types import field_models
from heartrule.language.schema import Json, json_schema

router = APIRouter(include_in_schema=False)


@router.get("/schema/{of}.json")
async def schema(request: Request, of: Literal["script", "project"]) -> JSONResponse:
    """Its ``$id`` is the address it was asked for at."""
    made = {**_made(of), "$id": str(request.url.replace(query=""))}
    return JSONResponse(made, headers={"Cache-Control": "no-cache"})


@cache
def _made(of: Literal["script", "project"]) -> Json:
    """Once, whoever asks under whatever name: it takes a tenth of a second."""
    return json_schema(field_models(), of, url="")
