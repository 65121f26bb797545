"""The JSON Schemas of script files and of ``project.yaml``, for editors."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from heartrule.engine.actions import field_models
from heartrule.language.schema import Json, json_schema

router = APIRouter(include_in_schema=False)


@router.get("/schema/{of}.json")
async def schema(request: Request, of: Literal["script", "project"]) -> JSONResponse:
    """Its ``$id`` is the address it was asked for at."""
    return JSONResponse(_made(of, str(request.url.replace(query=""))), headers={"Cache-Control": "no-cache"})


@lru_cache(maxsize=8)
def _made(of: Literal["script", "project"], url: str) -> Json:
    return json_schema(field_models(), of, url=url)
