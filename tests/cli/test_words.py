"""The command line's own texts: the same in both languages, and chosen as a reader expects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

import pytest
import yaml
from tests.house.tree import SOURCE, modules

from heartrule.cli.words import Words, language, spoken_here

SLOT = re.compile(r"\{(\w+)\}")


def texts(spoken: str) -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = yaml.safe_load(
        (files("heartrule.cli") / "texts" / f"{spoken}.yaml").read_text(encoding="utf-8")
    )
    return loaded


def flat(found: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for key, value in found.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{before}{key}.")
        else:
            yield before + str(key), value


def test_both_languages_say_the_same_things() -> None:
    zh, en = dict(flat(texts("zh"))), dict(flat(texts("en")))
    assert zh.keys() == en.keys()
    for key, text in zh.items():
        assert isinstance(text, str), key
        assert sorted(SLOT.findall(text)) == sorted(SLOT.findall(en[key])), key


def test_every_text_is_used() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in modules(SOURCE / "cli"))
    unused = [key for key in texts("zh") if f'"{key}"' not in code and f"'{key}'" not in code]
    assert unused == []


@pytest.mark.parametrize(
    ("tag", "spoken"),
    [
        ("zh-CN", "zh"),
        ("zh_TW.UTF-8", "zh"),
        ("ZH", "zh"),
        ("en", "en"),
        ("en_US.UTF-8", "en"),
        ("de_DE", "en"),
        ("C.UTF-8", None),
        ("C", None),
        ("POSIX", None),
        ("", None),
        (None, None),
    ],
)
def test_which_language_a_tag_means(tag: str | None, spoken: str | None) -> None:
    assert language(tag) == spoken


def test_what_was_asked_for_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert spoken_here() == "zh"
    assert spoken_here(script="en") == "en"
    assert spoken_here("zh", script="en") == "zh"
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    assert spoken_here() == "en"


def test_filling_in_is_one_pass() -> None:
    words = Words("en")
    assert words("bad_set", text="{text}") == "--set is written NAME=VALUE; this is {text}."
    assert "{" not in words("thinking")


def test_a_word_that_is_in_no_list_stays_as_it_is() -> None:
    assert Words("zh").of("scopes", "topic") == "话题"
    assert Words("zh").of("scopes", "elsewhere") == "elsewhere"


def test_yes_and_no_are_words_and_not_truth() -> None:
    assert Words("en").of("verdicts", "yes") == "yes"
    assert Words("zh").of("verdicts", "no") == "否"
