"""Writes ``docs/actions.md`` and ``docs/zh/actions.md``: types and defaults from the models, words from
``docs/actions.yaml``. With ``--check`` it writes nothing and fails when they are not up to date."""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import annotated_types
import yaml
from pydantic.fields import FieldInfo

from heartrule.engine.installed_types import field_models
from heartrule.language.expressions import Expression
from heartrule.language.nodes import Action, Node, Text
from heartrule.language.nodes.conditions import Condition

ROOT = Path(__file__).resolve().parent.parent
PAGES = {"en": ROOT / "docs" / "actions.md", "zh": ROOT / "docs" / "zh" / "actions.md"}
COMMON = tuple(name for name in Action.model_fields if name != "type")
SIMPLE = {str: "text", int: "integer", float: "number", bool: "boolean"}


class MissingText(LookupError):
    """A field or model has no text in ``docs/actions.yaml``."""


class Page:
    def __init__(self, texts: Mapping[str, Any], language: str) -> None:
        self._texts = texts
        self._language = language
        self.used: set[tuple[str, ...]] = set()

    def text(self, *path: str) -> str:
        found: Any = self._texts
        for key in path:
            found = found.get(key, {}) if isinstance(found, Mapping) else {}
        if self._language not in found:
            raise MissingText(f"docs/actions.yaml has no {'.'.join(path)} in {self._language}")
        self.used.add(path)
        return str(found[self._language])

    def word(self, name: str) -> str:
        return self.text("words", name)

    def kind(self, annotation: Any, metadata: tuple[Any, ...] = ()) -> str:
        """A field's type in words."""
        if annotation in (Condition, get_args(Condition)[0]):
            return self.word("condition")
        if get_origin(annotation) is Annotated:
            annotation, *more = get_args(annotation)
            metadata = (*metadata, *more)
        if annotation is Expression:
            return self.word("expression")
        if annotation is Any:
            return self.word("literal")
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin in (Union, types.UnionType):
            options = [self.kind(argument, metadata) for argument in arguments if argument is not type(None)]
            return f" {self.word('or')} ".join(options)
        if origin is Literal:
            return self.word("one_of").format(", ".join(f"`{value}`" for value in arguments))
        if origin is list:
            return self.word("list").format(self.kind(arguments[0]))
        if origin is dict:
            return self.word("map")
        if origin is tuple:
            return self.word("pair")
        if annotation is Action:
            return self.word("action")
        if isinstance(annotation, type) and issubclass(annotation, Node):
            return f"[{annotation.__name__}](#{annotation.__name__.lower()})"
        if any(isinstance(part, Text) for part in metadata):
            return self.word("template")
        return self.word(SIMPLE[annotation]) + bounds(metadata)

    def field(self, owner: tuple[str, ...], name: str, info: FieldInfo) -> str:
        key = info.alias or name
        try:
            meaning = self.text(*owner, "fields", key)
        except MissingText:
            meaning = self.text("fields", key)
        kind = self.kind(info.annotation, tuple(info.metadata)).replace("|", "\\|")
        return f"| `{key}` | {kind} | {self._default(info)} | {meaning} |"

    def _default(self, info: FieldInfo) -> str:
        if info.is_required():
            return self.word("required")
        value = info.get_default(call_default_factory=True, validated_data={})
        if value is None or value in ("", [], {}):
            return self.word("none")
        return f"`{json.dumps(value, ensure_ascii=False).strip(chr(34))}`"

    def table(self, owner: tuple[str, ...], fields: Mapping[str, FieldInfo]) -> Iterator[str]:
        yield f"| {' | '.join(self.word(name) for name in ('field', 'kind', 'default', 'meaning'))} |"
        yield "|---|---|---|---|"
        for name, info in fields.items():
            yield self.field(owner, name, info)
        yield ""

    def lines(self, models: Mapping[str, type[Action]]) -> Iterator[str]:
        yield from (f"# {self.text('title')}", "", self.text("intro"), "")
        yield from (f"## {self.text('common')}", "")
        yield from self.table((), {name: Action.model_fields[name] for name in COMMON})
        for name, model in models.items():
            yield from (f"## {name}", "", self.text("types", name, "summary"), "")
            own = {key: info for key, info in model.model_fields.items() if key not in Action.model_fields}
            yield from self.table(("types", name), own)
            yield from (f"{self.word('ends')}: {self.text('types', name, 'ends')}", "")
            yield from ("```yaml", self.text("types", name, "example"), "```", "")
        yield from (f"## {self.text('parts')}", "")
        for part in parts(models):
            owner = ("models", part.__name__)
            yield from (f'<a id="{part.__name__.lower()}"></a>', "", f"### {self.text(*owner, 'name')}", "")
            yield from (self.text(*owner, "summary"), "")
            yield from self.table(owner, part.model_fields)


def bounds(metadata: tuple[Any, ...]) -> str:
    low = next((part.ge for part in metadata if isinstance(part, annotated_types.Ge)), None)
    high = next((part.le for part in metadata if isinstance(part, annotated_types.Le)), None)
    if low is None and high is None:
        return ""
    return f" {low if low is not None else '…'}–{high if high is not None else '…'}"


def parts(models: Mapping[str, type[Action]]) -> list[type[Node]]:
    """The models that actions hold, in the order in which they are met."""
    found: dict[type[Node], None] = {}

    def visit(annotation: Any) -> None:
        if isinstance(annotation, type) and issubclass(annotation, Node):
            if annotation not in found and annotation is not Action:
                found[annotation] = None
                for info in annotation.model_fields.values():
                    visit(info.annotation)
            return
        for argument in get_args(annotation):
            visit(argument)

    for model in models.values():
        for info in model.model_fields.values():
            visit(info.annotation)
    return list(found)


def pages() -> dict[Path, str]:
    texts = yaml.load((ROOT / "docs" / "actions.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
    models = {name: field_models()[name] for name in texts["types"]}
    written = {}
    for language, path in PAGES.items():
        page = Page(texts, language)
        written[path] = "\n".join(page.lines(models)).rstrip() + "\n"
    return written


def main() -> int:
    stale = [path for path, text in pages().items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is not up to date; run: make docs")
        return 1 if stale else 0
    for path, text in pages().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"Wrote {path.relative_to(ROOT)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
