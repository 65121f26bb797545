"""What has changed in texts that are no data, or cannot be read; and what else but data changed in those that can."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from heartrule.authoring.diff.change import Change
from heartrule.authoring.diff.change_texts import both_called, file_called, joined, of_node, value_called
from heartrule.authoring.splices import comments
from heartrule.language.bilingual import Bilingual
from heartrule.language.texts.page import Page
from heartrule.language.texts.tree import trees


def lines_changed(file: str, before: str, after: str) -> Iterator[Change]:
    """The lines that are others, with their numbers as they are now."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for kind, low, high, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        was, now = "".join(old[low:high]), "".join(new[first:last])
        place = _numbered(first + 1, last) if kind != "delete" else _numbered(low + 1, high)
        yield Change(
            "text", file, (), of_node(file_called(file), _told(kind, place, was, now)), was or None, now or None
        )


def _told(kind: str, place: Bilingual, was: str, now: str) -> Bilingual:
    if kind == "insert":
        return joined(Bilingual("新的", "new "), place, Bilingual("：", ": "), value_called(now))
    if kind == "delete":
        return joined(Bilingual("去掉了原来的", "taken out, former "), place, Bilingual("：", ": "), value_called(was))
    one, other = both_called(was, now)
    return joined(
        place, Bilingual("：", ": "), Bilingual(f"{one.zh}改成{other.zh}", f"now {other.en} instead of {one.en}")
    )


def _numbered(first: int, last: int) -> Bilingual:
    if first >= last:
        return Bilingual(f"第 {first} 行", f"line {first}")
    return Bilingual(f"第 {first} 到 {last} 行", f"lines {first} to {last}")


def comments_changed(file: str, before: str, after: str) -> Iterator[Change]:
    """Comments that came and went."""
    old, new = comments(before), comments(after)
    for comment in (old - new).elements():
        said = joined(Bilingual("去掉了注释", "comment taken out: "), value_called(comment))
        yield Change("comment", file, (), of_node(file_called(file), said), before=comment)
    for comment in (new - old).elements():
        said = joined(Bilingual("新的注释", "new comment: "), value_called(comment))
        yield Change("comment", file, (), of_node(file_called(file), said), after=comment)


def formatting_changed(file: str, before: str, after: str) -> Change:
    """The text is another one and says the same."""
    if _in_order(before) != _in_order(after):
        told = Bilingual("注释换了地方，其他没变", "comments stand elsewhere, nothing else changed")
        return Change("comment", file, (), of_node(file_called(file), told))
    told = Bilingual(
        "只是写法变了（空格、引号、键的次序），意思没变",
        "only the way it is written changed (spaces, quotes, order of keys), not what it says",
    )
    return Change("formatting", file, (), of_node(file_called(file), told))


def _in_order(text: str) -> list[str]:
    return [text[start:end].rstrip() for start, end in Page(text).inner(0, len(text), *trees(text))]
