"""The OpenAPI document: what FastAPI reads off the routes, with our problems in place of its own errors."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from fastapi.openapi.utils import get_openapi
from starlette.routing import BaseRoute

from heartrule.server import desk_shapes, shapes
from heartrule.server.problems import ProblemShape, codes

ABOUT = """Sessions held from scripts. The guide to this API is `docs/api.md`.

Event streams (`text/event-stream`) carry `turn.started`, `message.delta`, `message.completed`, `choice.requested`,
`progress`, `turn.completed`, `human.typing` and `error`; the shapes of their data are `TurnStarted`, `MessageDelta`,
`Message`, `Request`, `Progress`, `TurnEnd`, `HumanTyping` and `Problem`. That of the desk carries `hello`, `item`,
`alert`, `duty` and `missed`: `Hello`, `ItemChanged`, `AlertShape`, `Colleagues`, and nothing."""
DESK = (desk_shapes.Hello, desk_shapes.ItemChanged, desk_shapes.AlertShape)
"""Events of the desk's stream."""
FRAMEWORKS = ("HTTPValidationError", "ValidationError")


def document(routes: Sequence[BaseRoute]) -> dict[str, Any]:
    found = get_openapi(title="HeartRule", version=version("heartrule"), description=ABOUT, routes=routes)
    schemas = found["components"]["schemas"]
    for name in FRAMEWORKS:
        schemas.pop(name, None)
    for shape in (ProblemShape, shapes.TurnStarted, shapes.MessageDelta, shapes.TurnEnd, shapes.HumanTyping, *DESK):
        _add(schemas, shape.model_json_schema(ref_template="#/components/schemas/{model}"))
    schemas["Problem"]["properties"]["code"]["enum"] = sorted(codes())
    return found


def _add(schemas: dict[str, Any], schema: dict[str, Any]) -> None:
    for name, part in schema.pop("$defs", {}).items():
        schemas.setdefault(name, part)
    schemas.setdefault(schema["title"], schema)
