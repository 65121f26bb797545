"""Language tags: which language a script, a person or a reader has."""

from __future__ import annotations


def is_chinese(tag: str) -> bool:
    """Whether a language tag (BCP 47, or a POSIX locale, in any case: ``zh-CN``, ``ZH``, ``zh_CN.UTF-8``) is of
    Chinese."""
    return tag.lower().startswith("zh")
