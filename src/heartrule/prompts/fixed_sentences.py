"""Sentences that are said without a model: ``spoken.yaml`` of the scheme over ours, by locale."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import yaml

from heartrule.language.compiling.script import Script
from heartrule.language.texts.plain import read_yaml
from heartrule.prompts.library import find
from heartrule.prompts.template import TemplateError


def spoken(script: Script | None, key: str, index: int = 0, *, locale: str | None = None) -> str:
    """The sentence under ``key`` (``acknowledge``, ``reask.need_number``, …), its placeholders still in it.

    Where there are several, ``index`` picks one, counting round; pass something that grows, so that neighbours differ.
    Raises KeyError for a key that no file knows.
    """
    scheme = (script.session.template_scheme or script.project.template_scheme) if script else None
    locale = locale or (script.locale if script else "zh-CN")
    return sentence(key, index, locale, scheme, script.templates if script else {})


def spoken_table(script: Script | None = None, *, locale: str | None = None) -> dict[str, tuple[str, ...]]:
    """Every sentence that this script would say without a model, by key (``reask.need_number`` for nested ones), each
    with its variants: what the engine is given. Keys that a scheme does not mention are ours."""
    scheme = (script.session.template_scheme or script.project.template_scheme) if script else None
    locale = locale or (script.locale if script else "zh-CN")
    ours = _flat(_sentences(*find("spoken", "yaml", locale, None, {})))
    if script is None:
        return ours
    return ours | _flat(_sentences(*find("spoken", "yaml", locale, scheme, script.templates)))


def _flat(sentences: Mapping[str, Any], before: str = "") -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for key, value in sentences.items():
        if isinstance(value, Mapping):
            found |= _flat(value, f"{before}{key}.")
        elif said := _at(sentences, key):
            found[f"{before}{key}"] = said
    return found


def sentence(key: str, index: int, locale: str, scheme: str | None, custom: Mapping[str, str]) -> str:
    """As ``spoken``, with the places to look named one by one."""
    said = _at(_sentences(*find("spoken", "yaml", locale, scheme, custom)), key)
    if not said:
        said = _at(_sentences(*find("spoken", "yaml", locale, None, {})), key)
    if not said:
        raise KeyError(key)
    return said[index % len(said)]


def _at(sentences: Mapping[str, Any], key: str) -> tuple[str, ...]:
    found: Any = sentences
    for part in key.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    if isinstance(found, str):
        return (found,) if found.strip() else ()
    if isinstance(found, list):
        return tuple(each for each in found if isinstance(each, str) and each.strip())
    return ()


@lru_cache(maxsize=64)
def _sentences(path: str, text: str) -> Mapping[str, Any]:
    try:
        found = read_yaml(text)
    except (yaml.YAMLError, RecursionError):
        raise TemplateError(f"{path}: not YAML") from None
    if not isinstance(found, dict):
        raise TemplateError(f"{path}: a mapping is needed")
    return found
