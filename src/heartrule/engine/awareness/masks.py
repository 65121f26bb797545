"""English written as everybody writes it on the net: ``I-want-to-die``, ``#killmyself``, ``IWantToDie``, ``k1ll
mys3lf``, ``kill🔪myself``. Read beside the plain words, never instead of them. Linear; any string is fine.
"""

from __future__ import annotations

import re
import unicodedata

_WORDS = [
    "kill",
    "kills",
    "killed",
    "killing",
    "myself",
    "self",
    "suicide",
    "suicides",
    "suicidal",
    "die",
    "dies",
    "died",
    "dying",
    "dead",
    "death",
    "end",
    "ending",
    "ended",
    "life",
    "live",
    "living",
    "alive",
    "want",
    "wanna",
    "hang",
    "hanging",
    "cut",
    "cutting",
    "overdose",
    "overdosed",
    "pills",
    "jump",
    "hurt",
    "hurting",
    "harm",
    "harming",
]
"""Read through signs that stand for letters. No other word is: many have digits in them."""
_PHRASES = [
    "kill myself",
    "killing myself",
    "want to die",
    "wanna die",
    "want to be dead",
    "wish i was dead",
    "wish i were dead",
    "end my life",
    "ending my life",
    "end it all",
    "hang myself",
    "hanging myself",
    "hurt myself",
    "cut myself",
    "harm myself",
    "ready to die",
    "going to kill myself",
    "gonna kill myself",
    "want to kill myself",
    "wanna kill myself",
    "want to end my life",
    "want to end it all",
    "take my own life",
    "better off dead",
    "dont want to live",
    "dont want to be here",
    "dont want to be alive",
]
"""Written without blanks, with or without an ``i`` before them."""
_SIGNS = {"i": "i1!|", "l": "l1!|", "e": "e3", "o": "o0", "a": "a4@", "s": "s5$"}
_LETTER = "A-Za-z0-9$@"
_HASH = re.compile(r"(?<!\S)[#＃]++(?=\w)")
_MARKS = re.compile(
    rf"(?<=[{_LETTER}])[-_](?=[{_LETTER}])|(?<=[{_LETTER}])\*++|(?<!\*)\*++(?=[{_LETTER}])|(?<=\w)[#＃](?=\w)"
)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _through_signs(word: str) -> str:
    return "".join(f"[{re.escape(_SIGNS.get(letter, letter))}]" for letter in word)


def _together(phrase: str) -> str:
    return "".join(f"({word})" for word in phrase.split())


_MASKED = re.compile(
    rf"(?<![{_LETTER}])(?:{'|'.join(f'({_through_signs(word)})' for word in sorted(_WORDS, key=len, reverse=True))})"
    rf"(?![{_LETTER}])",
    re.IGNORECASE,
)
_RUN = re.compile(
    rf"(?<![A-Za-z])(i)?(?:{'|'.join(_together(phrase) for phrase in _PHRASES)})(?![A-Za-z])",
    re.IGNORECASE,
)
_PICTURE = re.compile(r"(?<=[A-Za-z0-9])[^\x00-\u2189]+(?=[A-Za-z0-9])")
_BY_GROUP = ["", *sorted(_WORDS, key=len, reverse=True)]


def unmasked(text: str) -> tuple[str, list[int]]:
    """The words under the mask, and of each character where it stands in ``text``."""
    words = _HASH.sub(lambda found: "\u200b" * len(found[0]), text)  # folded to nothing
    words = _MARKS.sub(lambda found: " " * len(found[0]), words)
    words = _PICTURE.sub(lambda found: "".join(map(_blank, found[0])), words)
    words = _MASKED.sub(lambda found: _BY_GROUP[found.lastindex or 0], words)
    gaps = {found.start() for found in _HUMP.finditer(words)}
    for run in _RUN.finditer(words):
        gaps |= {run.end(group) for group in range(1, _RUN.groups + 1) if 0 < run.end(group) < run.end()}
    return _spaced(words, gaps)


def _blank(character: str) -> str:
    return " " if unicodedata.category(character) == "So" else character


def _spaced(words: str, gaps: set[int]) -> tuple[str, list[int]]:
    """A blank put in before each of ``gaps`` comes from the character before it."""
    written, origins = [], []
    for at, character in enumerate(words):
        if at in gaps:
            written.append(" ")
            origins.append(at - 1)
        written.append(character)
        origins.append(at)
    return "".join(written), origins
