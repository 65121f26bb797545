"""The rules for what a model writes as they stand in the repository, and the sentences they are held against."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import chain
from typing import Any

import yaml
from tests.safety.shipped import FOLDER, ROOT

from heartrule.checks.checks import Checks
from heartrule.checks.rules import OutputRules, Rule
from heartrule.language.projects.output_rules import read_output_rules

SENTENCES = ROOT / "tests" / "safety" / "output_sentences.yaml"
LOCALES = {"zh": "zh-CN", "en": "en"}
_SPOKEN = ("content", "question", "fallback", "farewell", "say")
_END = re.compile(r"(?<=[。！？!?…\n])|(?<=[.] )")


@cache
def rules(lang: str) -> OutputRules:
    path = FOLDER / f"output.{LOCALES[lang]}.yaml"
    read, found = read_output_rules(path.read_bytes(), path.name)
    assert read is not None, [str(each) for each in found]
    assert not found
    return read


@cache
def checks(lang: str) -> Checks:
    other = "en" if lang == "zh" else "zh"
    return Checks((rules(lang), rules(other)), None, LOCALES[lang])


def alone(lang: str, rule: Rule) -> Checks:
    """The checks with this rule and no other."""
    return Checks((replace(rules(lang), rules=(rule,)),), None, LOCALES[lang])


def half(text: str) -> str:
    """``open`` sentences were read while rules were written, ``held`` ones were only counted."""
    return "open" if sha256(text.encode()).digest()[0] % 2 == 0 else "held"


@cache
def table() -> Any:
    return yaml.safe_load(SENTENCES.read_text(encoding="utf-8"))


def good() -> list[tuple[str, str]]:
    """(language, sentence) of what a counsellor would stand by."""
    return [(lang, text) for lang, texts in table()["good"].items() for text in texts]


def bad() -> list[tuple[str, str, str]]:
    """(code, language, sentence) of what must not be shown."""
    return [
        (code, lang, text) for code, langs in table()["bad"].items() for lang, texts in langs.items() for text in texts
    ]


def shipped_words() -> list[tuple[str, str]]:
    """Every sentence that the shipped scripts and schemes speak as it is written: counsellors' words, weighed."""
    found: list[str] = []
    for path in sorted((ROOT / "library").rglob("*.yaml")):
        if path.name.startswith("output.") or path.name == "suicide.yaml":
            continue
        _collect(yaml.safe_load(path.read_text(encoding="utf-8")), "spoken" in path.name, found)
    for path in sorted((ROOT / "src" / "heartrule" / "prompts").rglob("spoken.yaml")):
        _collect(yaml.safe_load(path.read_text(encoding="utf-8")), True, found)
    sentences = chain.from_iterable(_END.split(text) for text in found)
    kept = dict.fromkeys(text.strip() for text in sentences if text.strip() and "{" not in text and "【" not in text)
    return [("zh" if re.search("[\u4e00-\u9fff]", text) else "en", text) for text in kept]


def _collect(data: Any, every: bool, found: list[str]) -> None:
    if isinstance(data, dict):
        literal = data.get("type") in ("say", "ask")
        for key, value in data.items():
            spoken = key in _SPOKEN and (literal or key != "content")
            if isinstance(value, str) and (every or spoken):
                found.append(value)
            _collect(value, every, found)
    elif isinstance(data, list):
        for value in data:
            if every and isinstance(value, str):
                found.append(value)
            _collect(value, every, found)
