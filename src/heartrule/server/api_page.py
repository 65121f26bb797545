"""The OpenAPI document as a page to read: no script, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

HEAD = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>HeartRule API</title>
<link rel="stylesheet" href="/docs.css">
"""


def reading_page(document: Mapping[str, Any]) -> str:
    return "".join(_page(document))


def _page(document: Mapping[str, Any]) -> Iterator[str]:
    info = document["info"]
    yield HEAD
    yield f"<main><h1>{escape(info['title'])} <small>{escape(info['version'])}</small></h1>"
    yield _paragraphs(info["description"])
    yield '<p>As a document for programs: <a href="/openapi.json">openapi.json</a>.</p>'
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield from _operation(path, method, operation)
    yield "<h2>Shapes</h2>"
    for name, schema in sorted(document["components"]["schemas"].items()):
        yield f'<section id="{escape(name)}"><h3>{escape(name)}</h3>{_paragraphs(schema.get("description", ""))}'
        yield from _fields(schema)
        yield "</section>"
    yield "</main></html>"


def _operation(path: str, method: str, operation: Mapping[str, Any]) -> Iterator[str]:
    yield f"<section><h2><code>{method.upper()} {escape(path)}</code></h2>"
    yield _paragraphs(operation.get("description", ""))
    for parameter in operation.get("parameters", []):
        told = parameter.get("description", "")
        kind = _kind(parameter.get("schema", {}))
        yield f"<p><code>{escape(parameter['name'])}</code> ({parameter['in']}): {kind}. {escape(told)}</p>"
    for content in operation.get("requestBody", {}).get("content", {}).values():
        yield f"<p>Takes {_kind(content['schema'])}.</p>"
    yield "<dl>"
    for status, response in operation["responses"].items():
        kinds = ", ".join(
            f"{escape(media)} {_kind(content.get('schema', {}))}"
            for media, content in response.get("content", {}).items()
        )
        yield f"<dt>{status}</dt><dd>{escape(response.get('description', ''))} {kinds}</dd>"
    yield "</dl></section>"


def _fields(schema: Mapping[str, Any]) -> Iterator[str]:
    required = set(schema.get("required", []))
    yield "<dl>"
    for name, field in schema.get("properties", {}).items():
        mark = "" if name in required else " (may be absent)"
        told = escape(field.get("description", ""))
        yield f"<dt><code>{escape(name)}</code></dt><dd>{_kind(field)}{mark} {told}</dd>"
    yield "</dl>"


def _kind(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return f'<a href="#{escape(name)}">{escape(name)}</a>'
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(escape(str(each)) for each in schema["enum"])
    if "const" in schema:
        return escape(str(schema["const"]))
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return escape(str(schema.get("type", "anything")))


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{escape(part)}</p>" for part in text.split("\n\n") if part)
