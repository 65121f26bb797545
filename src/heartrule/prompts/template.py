"""One prompt template: front matter, sections, optional blocks.

A file looks like this::

    ---
    id: ai_ask
    version: 1
    locale: zh-CN
    inputs: [who, chat_history, content, output_format]
    simplify: {drop: [style], keys: [metrics], history: 8}
    ---
    # system
    你是{%who%}。
    # user
    {%chat_history%}
    {%?style%}
    风格：{%style%}
    {%/style%}

``{%?a|b%}…{%/a|b%}`` is shown when a or b has a value, ``{%!a%}…{%/a%}`` when a has none; a tag alone on its line takes
the line with it, and a line that is one placeholder without a value vanishes. ``{%>rules%}`` on a line of its own
includes a partial. Without ``# system`` and ``# user`` the whole body is the user message. All of this is decided on
the template's own text before anything is filled in, so nothing that is inserted can open or close a block.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

import yaml

from heartrule.language.texts.plain import read_yaml

Part = Literal["system", "user"]

_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*\r?\n", re.DOTALL | re.MULTILINE)
_SECTION = re.compile(r"^#[ \t]*(system|user)[ \t]*$", re.MULTILINE)
_TAG = re.compile(r"\{%([?!/])\s*([^{}%]+?)\s*%\}")
_LONE_TAG = re.compile(r"^[ \t]*(\{%[?!/][^{}%]+%\})[ \t]*\n", re.MULTILINE)
_INCLUDE = re.compile(r"^\{%>\s*([a-z][a-z0-9_]*)\s*%\}[ \t]*$", re.MULTILINE)
_SYSTEM_NAME = re.compile(r"\{%\s*([^{}%?!/>][^{}%]*?)\s*%\}")
_LONE_NAME = re.compile(r"^[ \t]*\{%\s*([^{}%?!/>][^{}%]*?)\s*%\}[ \t]*\n", re.MULTILINE)
_BLANKS = re.compile(r"\n{3,}")
_FRONT_LIMIT = 8_000
_SIZE_LIMIT = 60_000


class TemplateError(Exception):
    """The template cannot be read. The text names the template and the fault."""


@dataclass(frozen=True, slots=True)
class Simplify:
    """What a retry leaves out: values that become empty, answer keys that are not asked for, all but the last lines of
    the transcript."""

    drop: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    history: int | None = None


@dataclass(frozen=True, slots=True)
class Block:
    names: tuple[str, ...]
    present: bool
    """True: shown when one of ``names`` has a value. False: shown when none has."""
    children: tuple[str | Block, ...]


@dataclass(frozen=True, slots=True)
class Template:
    name: str
    version: str
    locale: str
    inputs: tuple[str, ...]
    simplify: Simplify
    sections: tuple[tuple[Part, tuple[str | Block, ...]], ...]
    text: str = field(repr=False)

    def names(self) -> set[str]:
        """Every system variable that the text mentions, in placeholders or in blocks."""
        tags = {name for kind, names in _TAG.findall(self.text) if kind != "/" for name in _split(names)}
        return tags | set(_SYSTEM_NAME.findall(self.text))

    def resolved(self, has: Callable[[str], bool]) -> list[tuple[Part, str]]:
        """The sections with their blocks decided; placeholders are still in the text."""

        def lone(found: re.Match[str]) -> str:
            return found[0] if has(found[1]) else ""

        texts = [(part, "".join(_shown(nodes, has))) for part, nodes in self.sections]
        return [(part, _tidy(_LONE_NAME.sub(lone, f"{text}\n"))) for part, text in texts]


@lru_cache(maxsize=256)
def included(text: str) -> tuple[str, ...]:
    """Names of the partials that a template includes, each by a line ``{%>name%}``."""
    return tuple(dict.fromkeys(_INCLUDE.findall(text)))


def parse_template(name: str, text: str, partials: Mapping[str, str] | None = None) -> Template:
    """Read a template. ``partials`` holds the texts it includes; those may not include others."""
    if len(text) > _SIZE_LIMIT:
        raise TemplateError(f"template {name}: longer than {_SIZE_LIMIT} characters")
    front, body = _front_matter(name, text)
    bodies = {each: _front_matter(each, part)[1].strip("\n") for each, part in (partials or {}).items()}
    body = _INCLUDE.sub(lambda found: bodies.get(found[1], ""), body)
    return Template(
        name=name,
        version=str(front.get("version", "")),
        locale=str(front.get("locale", "")),
        inputs=_names(name, front.get("inputs")),
        simplify=_simplify(name, front.get("simplify")),
        sections=_sections(name, body),
        text=body,
    )


def _front_matter(name: str, text: str) -> tuple[dict[str, Any], str]:
    text = text.replace("\r\n", "\n")
    found = _FRONT.match(text)
    if found is None:
        return {}, text
    if len(found[1]) > _FRONT_LIMIT:
        raise TemplateError(f"template {name}: front matter longer than {_FRONT_LIMIT} characters")
    try:
        front = read_yaml(found[1])
    except (yaml.YAMLError, RecursionError):
        raise TemplateError(f"template {name}: the front matter is not YAML") from None
    if front is not None and not isinstance(front, dict):
        raise TemplateError(f"template {name}: the front matter must be a mapping")
    return front or {}, text[found.end() :]


def _names(name: str, value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise TemplateError(f"template {name}: a list of names is needed in the front matter")
    return tuple(str(item) for item in value)


def _simplify(name: str, value: object) -> Simplify:
    if value is None:
        return Simplify()
    if not isinstance(value, dict):
        raise TemplateError(f"template {name}: `simplify` must be a mapping")
    history = value.get("history")
    if history is not None and (not isinstance(history, int) or history < 1):
        raise TemplateError(f"template {name}: `simplify.history` must be a whole number above 0")
    return Simplify(_names(name, value.get("drop")), _names(name, value.get("keys")), history)


def _sections(name: str, body: str) -> tuple[tuple[Part, tuple[str | Block, ...]], ...]:
    marks = list(_SECTION.finditer(body))
    if not marks:
        return (("user", _nodes(name, body)),)
    if body[: marks[0].start()].strip():
        raise TemplateError(f"template {name}: text before the first section")
    ends = [mark.start() for mark in marks[1:]] + [len(body)]
    found: list[tuple[Part, tuple[str | Block, ...]]] = []
    for mark, end in zip(marks, ends, strict=True):
        part: Part = "system" if mark[1] == "system" else "user"
        if any(part == earlier for earlier, _ in found):
            raise TemplateError(f"template {name}: section {part} stands there twice")
        found.append((part, _nodes(name, body[mark.end() : end])))
    return tuple(found)


def _split(names: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in names.split("|"))


def _nodes(name: str, text: str) -> tuple[str | Block, ...]:
    """A tag alone on its line takes the line with it."""
    text = _LONE_TAG.sub(r"\1", text)
    stack: list[tuple[str, str, list[str | Block]]] = [("", "", [])]
    at = 0
    for tag in _TAG.finditer(text):
        stack[-1][2].append(text[at : tag.start()])
        at = tag.end()
        if tag[1] != "/":
            stack.append((tag[1], tag[2], []))
            continue
        kind, opened, children = stack.pop()
        if not stack or opened != tag[2]:
            raise TemplateError(f"template {name}: {{%/{tag[2]}%}} closes nothing that is open")
        stack[-1][2].append(Block(_split(opened), kind == "?", tuple(children)))
    if len(stack) > 1:
        raise TemplateError(f"template {name}: {{%{stack[-1][0]}{stack[-1][1]}%}} is never closed")
    stack[0][2].append(text[at:])
    return tuple(stack[0][2])


def _shown(nodes: tuple[str | Block, ...], has: Callable[[str], bool]) -> list[str]:
    found: list[str] = []
    for node in nodes:
        if isinstance(node, str):
            found.append(node)
        elif any(map(has, node.names)) == node.present:
            found.extend(_shown(node.children, has))
    return found


def _tidy(text: str) -> str:
    return _BLANKS.sub("\n\n", text).strip()
