"""Bytes of a script file → text that a YAML parser can be given, or located findings that say why not."""

from __future__ import annotations

import re

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, finding
from heartrule.language.nodes import Place

MAX_BYTES = 1_000_000
_MARK = "\ufeff"
# What YAML allows, without the byte order mark, which may stand at the very beginning only.
# Other line breaks than these two are breaks to the parser and none to an editor; they may not stand either.
_FORBIDDEN = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|\r(?!\n)"
)
_NAMES = {
    "\x00": Bilingual("空字符（NUL）", "a NUL character"),
    _MARK: Bilingual("字节顺序标记（BOM）", "a byte order mark"),
}


def decode(raw: bytes | str, file: str) -> tuple[str | None, list[Finding]]:
    """The text without a leading byte order mark; None when there is an error among the findings."""
    found: list[Finding] = []
    if len(raw) > MAX_BYTES or (isinstance(raw, str) and len(raw) * 3 > MAX_BYTES and _bytes(raw) > MAX_BYTES):
        return None, [finding("E002", Place(file, 1, 1), limit=MAX_BYTES // 1_000)]
    if isinstance(raw, bytes):
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            before = raw[: error.start].decode("utf-8", "replace")
            return None, [finding("E003", place(before, file))]
    else:
        text = raw
    if text.startswith(_MARK):
        text = text.removeprefix(_MARK)
        found.append(finding("W005", Place(file, 1, 1)))
    bad = _FORBIDDEN.search(text)
    if bad is None:
        return text, found
    name = _NAMES.get(bad[0]) or Bilingual(f"字符 U+{ord(bad[0]):04X}", f"the character U+{ord(bad[0]):04X}")
    return None, [*found, finding("E004", place(text[: bad.start()], file), character=name)]


def place(before: str, file: str) -> Place:
    """Where a text that begins with ``before`` goes on."""
    line = before.count("\n") + 1
    return Place(file, line, len(before) - (before.rfind("\n") + 1) + 1)


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
