"""A request is answered on the loop's own thread: nothing of it is sent to another and waited for."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from heartrule.server.routes import about, events, operations, page, sessions, turns

ROUTES = [
    route
    for module in (about, events, operations, page, sessions, turns)
    for route in module.router.routes
    if isinstance(route, APIRoute)
]


def _all(dependant: Dependant) -> Iterator[Dependant]:
    yield dependant
    for each in dependant.dependencies:
        yield from _all(each)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{sorted(route.methods)[0]} {route.path}")
def test_nothing_that_a_route_needs_is_sent_to_a_thread(route: APIRoute) -> None:
    called = [each.call for each in _all(route.dependant)]
    assert called
    for call in called:
        assert inspect.iscoroutinefunction(call) or inspect.iscoroutinefunction(type(call).__call__), call
