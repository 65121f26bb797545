"""Requests read off the OpenAPI document, in a short form; ``make fuzz`` asks twenty thousand times."""

from __future__ import annotations

from tests.chaos.fuzz import fuzz
from tests.server.material import API, Grounds, run


def test_nothing_that_fits_the_document_or_breaks_it_breaks_the_server() -> None:
    ran = fuzz(540, 240)
    assert ran.count >= 460
    assert all(status < 500 for status in ran.answers)
    assert {200, 201, 401, 404, 422} <= set(ran.answers)
    assert ran.operations == set(ran.said)
    assert sum("{session}" in operation for operation in ran.operations) > 25


def test_the_document_says_where_a_token_is_needed_and_what_each_answer_is(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            document = (await api.get("/openapi.json")).json()
            for path, methods in document["paths"].items():
                for method, operation in methods.items():
                    name = f"{method} {path}"
                    guarded = any(part in path for part in ("/sessions", "/desk", "/persons"))
                    expected = [{"token": []}] if guarded else None
                    if path.startswith((f"{API}/desk/", f"{API}/staff/", f"{API}/debug/", f"{API}/workbench/")):
                        opens = path.endswith(("/chat/api/v1/about", "/staff/sign-in", "/staff/ways")) or any(
                            part in path for part in ("/staff/sign-in/", "/staff/links/")
                        )
                        expected = None if opens else [{"token": []}, {"cookie": []}]
                        if "/chat/api/v1/sessions/" in path:
                            # What a chat element asks with its session's own token, whoever opened the debug session.
                            expected = [{"token": []}]
                    if name == f"post {API}/sessions":
                        expected = [{"token": []}, {}]
                    assert operation.get("security") == expected, name
                    assert operation["description"], name
                    for status, response in operation["responses"].items():
                        if path.startswith(API) and int(status) >= 400:
                            assert list(response["content"]) == ["application/problem+json"], name
            problem = document["components"]["schemas"]["Problem"]
            assert "put-down" in problem["properties"]["code"]["enum"]
            assert "HTTPValidationError" not in document["components"]["schemas"]

    run(work())
