"""Which problems a route may answer with, for the OpenAPI document."""

from __future__ import annotations

from typing import Any

from heartrule.server.problems import MEDIA_TYPE

DESCRIPTIONS = {
    400: "The body is not JSON, or its length was said twice.",
    401: "The token is missing, broken or expired.",
    403: "The server does not allow this.",
    404: "There is nothing here, or the token does not open it.",
    406: "What is accepted is not answered here.",
    408: "The body did not come in time.",
    409: "The session is over, cannot be restored, or the key was used for something else.",
    413: "Too long.",
    415: "The body is not sent as JSON.",
    422: "Something in the request is not right.",
    425: "What was said before this has not come yet; send it again in a moment.",
    429: "Too many requests.",
    500: "Something went wrong; the reference is in the log.",
    501: "The server cannot make this.",
    502: "The provider at which staff sign in, or the index of packages, does not answer as it should.",
    503: "Busy or restarting; send it again in a moment.",
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The ``responses`` of a route that may answer with these, besides those that every route may."""
    schema = {"$ref": "#/components/schemas/Problem"}
    return {
        status: {"description": DESCRIPTIONS[status], "content": {MEDIA_TYPE: {"schema": schema}}}
        for status in sorted({*statuses, 422, 429, 500, 503})
    }
