"""What is wrong with a request, in words that do not repeat what it held."""

from __future__ import annotations

from fastapi.exceptions import RequestValidationError

from heartrule.server.problems import Problem

SHOWN = 5
LONGEST = 60


def what_is_wrong(error: RequestValidationError) -> Problem:
    """Names the places and what was expected there; never the values. A body that was not sent as JSON comes in as
    bytes, whatever they say."""
    found = error.errors()
    if isinstance(error.body, bytes):
        return Problem("unsupported-media-type")
    if any(each["type"] == "json_invalid" for each in found):
        return Problem("not-json")
    told = [f"{_place(each['loc'])}: {each['msg'].removeprefix('Value error, ')}" for each in found[:SHOWN]]
    return Problem("invalid-request", what="; ".join(told))


def _place(loc: tuple[int | str, ...]) -> str:
    """The place without the names that the sender made up, which are the keys of unforeseen fields."""
    return ".".join(str(part)[:LONGEST] for part in loc if part != "body") or "body"
