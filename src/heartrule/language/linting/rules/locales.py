"""W409: a ``locale`` that names no language: a word (``chinese``), an underscore (``zh_CN``), a country (``cn``)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Node

_TAG = re.compile(r"[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?(-[a-z\d]{4,8})*", re.IGNORECASE)
_MEANT = {
    "zh-CN": ("cn", "zh-zh", "chinese", "mandarin", "中文", "汉语", "普通话", "简体中文", "简体"),
    "zh-TW": ("tw", "繁体中文", "繁體中文", "繁体"),
    "en": ("us", "uk", "gb", "eng", "english", "英文", "英语"),
}
_WORDS = {word: tag for tag, words in _MEANT.items() for word in words}


def check(view: View) -> Iterator[Finding]:
    project = view.project
    nodes: tuple[Node, ...] = (project.node, *project.sessions, *project.skills, *project.forms, *project.roles)
    for node in nodes:
        locale = node.peek("locale")
        if not isinstance(locale, str) or "locale" not in node.model_fields_set:
            continue
        meant = _meant(locale)
        if meant != locale:
            place = project.at(node, "locale", value=True)
            mend = view.replaced(place, locale, meant) if meant is not None else None
            yield finding("W409", place, mend=mend, locale=clip(locale))


def _meant(locale: str) -> str | None:
    """The tag that was meant; the same where it is one, None where nobody can tell."""
    plain = locale.strip().casefold().replace("_", "-")
    if plain in _WORDS:
        return _WORDS[plain]
    if _TAG.fullmatch(locale):
        return locale
    found = _TAG.fullmatch(plain)
    if found is None:
        return None
    language, *rest = plain.split("-")
    return "-".join([language, *(part.upper() if len(part) == 2 else part.capitalize() for part in rest)])
