"""Items of lists in a text: where their lines begin and end, one put in, one taken out."""

from __future__ import annotations

from typing import Any

from heartrule.authoring.splices import GONE, ONE_LINE, SHARED, CannotEdit, Splice, spliced, tree_at
from heartrule.authoring.yaml_writer import flow, item
from heartrule.language.bilingual import Bilingual
from heartrule.language.texts.page import Page
from heartrule.language.texts.source import Path
from heartrule.language.texts.tree import Tree

UNREADABLE = Bilingual("要放进去的这段读不懂。", "What is to be put in cannot be read.")


def list_at(text: str, path: Path, index: int = 0) -> tuple[Page, Tree]:
    """The list there, which has an item ``index`` unless it is empty."""
    found = tree_at(text, path)
    if found.kind != "list":
        raise CannotEdit(SHARED if found.kind == "alias" else GONE)
    if found.items and not -1 < index < len(found.items):
        raise CannotEdit(GONE)
    return Page(text), found


def put(text: str, path: Path, index: int, value: Any) -> str:
    """The text with an item more, before the one that is ``index`` now."""
    page, found = list_at(text, path)
    if found.flow and found.items:
        return spliced(text, [put_flow(found, index, flow(value))])
    if not found.items:
        raise CannotEdit(ONE_LINE)
    column = page.column(dash(page, found, 0))
    return spliced(text, [put_lines(page, found, index, f"{' ' * column}- {item(value, column + 2)}\n")])


def put_lines(page: Page, found: Tree, index: int, block: str) -> Splice:
    """Whole lines before an item, or behind the last one."""
    at = begin(page, found, index) if index < len(found.items) else end(page, found, len(found.items) - 1)
    return Splice(at, at, on_lines(page.text, at, block))


def put_flow(found: Tree, index: int, said: str) -> Splice:
    if index < len(found.items):
        at = found.items[index].start
        return Splice(at, at, f"{said}, ")
    at = found.items[-1].end
    return Splice(at, at, f", {said}")


def taken(text: str, path: Path, index: int) -> str:
    """The text without an item and the comment that stands right above it."""
    return spliced(text, take(text, path, index))


def take(text: str, path: Path, index: int) -> list[Splice]:
    page, found = list_at(text, path, index)
    if not found.items:
        raise CannotEdit(GONE)
    if found.flow:
        return [take_flow(found, index)]
    if len(found.items) == 1:
        return [Splice(dash(page, found, 0), found.end, "[]")]
    return [Splice(begin(page, found, index), end(page, found, index), "")]


def take_flow(found: Tree, index: int) -> Splice:
    own = found.items[index]
    if len(found.items) == 1:
        return Splice(own.start, own.end, "")
    if index + 1 < len(found.items):
        return Splice(own.start, found.items[index + 1].start, "")
    return Splice(found.items[index - 1].end, own.end, "")


def dash(page: Page, found: Tree, index: int) -> int:
    at = page.dash(found, index)
    if at < 0:
        raise CannotEdit(ONE_LINE)
    return at


def begin(page: Page, found: Tree, index: int) -> int:
    """Where the lines of an item begin, with the comments right above it."""
    own = dash(page, found, index)
    at = page.line(own)
    if page.text[at:own].strip():
        raise CannotEdit(ONE_LINE)
    least = end(page, found, index - 1) if index else 0
    while at > least:
        above = page.line(at - 1)
        line = page.text[above : at - 1]
        if above < least or not line.lstrip().startswith("#") or len(line) - len(line.lstrip(" ")) != page.column(own):
            break
        at = above
    return at


def end(page: Page, found: Tree, index: int) -> int:
    """Where the lines of an item end: what stands between it and the next one is the next one's, or nobody's."""
    return page.next_line(found.items[index].end)


def as_item(said: str, column: int) -> str:
    """YAML of an item as lines of a list whose dashes stand at a column."""
    lines = said.rstrip("\n").split("\n")
    room = " " * (column + 2)
    return "\n".join([f"{' ' * column}- {lines[0]}", *(f"{room}{line}" if line else "" for line in lines[1:])]) + "\n"


def shifted(block: str, by: int) -> str:
    """Lines moved by so many columns."""
    if not by:
        return block
    lines = block.split("\n")
    room = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    return "\n".join(_further(line, max(by, -room)) for line in lines)


def _further(line: str, by: int) -> str:
    if not line.strip():
        return line
    return " " * by + line if by > 0 else line[-by:]


def on_lines(text: str, at: int, block: str) -> str:
    """The block as whole lines, also behind a last line without its break."""
    block = block if block.endswith("\n") else block + "\n"
    if "\r\n" in text[:2000] and "\r\n" not in block:
        block = block.replace("\n", "\r\n")
    return f"\n{block}" if at and text[at - 1] != "\n" else block
