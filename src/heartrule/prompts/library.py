"""Where prompt files come from: a project's own scheme first, then the ones we ship, by locale."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources

from heartrule.prompts.template import Template, TemplateError, included, parse_template

LOCALES = ("zh-CN", "en")
"""The locales that every default file exists in."""

_NONE: Mapping[str, str] = {}


def nearest_locale(locale: str) -> str:
    """The locale we have files for: the same, the same language, else English."""
    if locale in LOCALES:
        return locale
    language = locale.replace("_", "-").split("-")[0].lower()
    return next((each for each in LOCALES if each.split("-")[0].lower() == language), "en")


def find(name: str, suffix: str, locale: str, scheme: str | None, custom: Mapping[str, str]) -> tuple[str, str]:
    """Path and text of the file that counts. ``custom`` maps ``<scheme>/<name>.<locale>.<suffix>`` to text; a file
    without a locale in its name counts for every locale."""
    wanted = [locale, nearest_locale(locale)]
    for folder in [scheme, "default"]:
        if folder is None:
            continue
        for path in [*(f"{folder}/{name}.{each}.{suffix}" for each in wanted), f"{folder}/{name}.{suffix}"]:
            if (text := custom.get(path)) is not None:
                return path, text
    nearest = nearest_locale(locale)
    return f"default/{nearest}/{name}.{suffix}", _shipped(nearest, name, suffix)


@lru_cache(maxsize=256)
def _shipped(locale: str, name: str, suffix: str) -> str:
    file = resources.files("heartrule.prompts").joinpath("default", locale, f"{name}.{suffix}")
    try:
        return file.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise TemplateError(f"there is no template {name} for {locale}") from None


def template(name: str, locale: str, scheme: str | None = None, custom: Mapping[str, str] = _NONE) -> Template:
    """The template called ``name``, read and cached. Partials that it includes are looked for in the same places."""
    path, text = find(name, "md", locale, scheme, custom)
    partials = tuple((each, find(each, "md", locale, scheme, custom)[1]) for each in included(text))
    return _read(path, text, partials)


@lru_cache(maxsize=256)
def _read(path: str, text: str, partials: tuple[tuple[str, str], ...]) -> Template:
    return parse_template(path, text, dict(partials))
