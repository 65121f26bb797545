"""Running text cut into sentences as it comes, in Chinese and English: nothing is lost, added or cut within a word.

A sentence is over when the first character of the next one has come: until then a quote, a bracket or a blank may still
belong to it, and an English full stop may belong to an abbreviation.
"""

from __future__ import annotations

import re

_HARD = "。！？…；｡"
"""Marks that end a sentence wherever they stand."""
_SOFT = ".!?"
"""Marks that end one before a blank, and ``!?`` also between Chinese characters."""
_LINE = "\n\r\v\f\x85\u2028\u2029"
_CLOSING = "”’」』）】》〉〕)]}"
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "mx", "prof", "st", "jr", "sr", "no", "vs", "cf", "fig", "approx"})
"""Words whose full stop ends nothing, beside those with one inside (``e.g.``), initials, and numbers of a list."""
_LETTERS = re.compile(r"[a-z](?:\.[a-z])+")
_LONGEST = 16
"""Characters of a word that are kept; none of the above has more."""


class Sentences:
    """``"".join(all that feed gave) + rest`` is what was fed. Where it is cut does not depend on the pieces it came in;
    the time is proportional to it."""

    def __init__(self) -> None:
        self._in_double = self._in_single = False
        self._text: list[str]
        self._word: str
        self._last: str
        self._first: bool
        """Whether the word is the first of its sentence."""
        self._ending: bool
        """Whether an end mark has come, ``_hard`` one that leaves no doubt, and ``_spaced`` a blank after it."""
        self._hard: bool
        self._spaced: bool
        self._marks: str
        self._begin()

    @property
    def rest(self) -> str:
        """What is no whole sentence yet, or may not be."""
        return "".join(self._text)

    def feed(self, text: str) -> list[str]:
        """The sentences that are over now, each with its end marks and the quotes, brackets and blanks after them."""
        over: list[str] = []
        for character in text:
            if self._ending and not self._goes_on(character):
                if self._is_over(character):
                    over.append(self.rest)
                    self._begin()
                else:
                    self._word = "" if self._spaced else (self._word + self._marks)[:_LONGEST]
                    self._first = self._first and not self._spaced
                self._ending = False
            if not self._ending:
                self._take(character)
            self._text.append(character)
        return over

    def _begin(self) -> None:
        self._text = []
        self._word = self._last = self._marks = ""
        self._first = True
        self._ending = self._hard = self._spaced = False

    def _take(self, character: str) -> None:
        """A character of a sentence that has not come to an end."""
        if character in _HARD or character in _SOFT:
            self._end(character, hard=character in _HARD)
        elif character in _LINE and self._last:
            self._end("", hard=True)
            self._goes_on(character)
        elif character.isspace():
            self._first = self._first and not self._word
            self._word = ""
        else:
            self._quote(character)
            self._word = (self._word + character)[:_LONGEST]
            self._last = character

    def _end(self, marks: str, hard: bool) -> None:
        self._ending, self._hard, self._spaced, self._marks = True, hard, False, marks

    def _goes_on(self, character: str) -> bool:
        """Whether it still belongs to the end of this sentence."""
        if character.isspace():
            self._spaced = True
            if character in _LINE:
                self._hard = True
                self._in_double = self._in_single = False
            return True
        if self._spaced:
            return False
        if character in _HARD or character in _SOFT:
            self._hard = self._hard or character in _HARD
            self._marks = (self._marks + character)[:_LONGEST]
            return True
        closes = character in _CLOSING or (character == '"' and self._in_double)
        closes = closes or (character == "'" and self._in_single)
        if closes:
            self._quote(character)
        return closes

    def _quote(self, character: str) -> None:
        """A single quote after a letter may be an apostrophe: it closes nothing but a sentence."""
        if character == '"':
            self._in_double = not self._in_double
        elif character == "'" and self._ending:
            self._in_single = False
        elif character == "'" and not self._last.isalnum():
            self._in_single = True

    def _is_over(self, following: str) -> bool:
        if self._hard:
            return True
        if not self._spaced:
            return self._marks[-1] != "." and _is_han(self._last) and _is_han(following)
        return not following.islower() and not (self._marks == "." and self._is_short())

    def _is_short(self) -> bool:
        """Whether the full stop belongs to the word before it."""
        word = self._word.lstrip("([{\"'“‘（").casefold()
        if word.isdigit():
            return self._first
        initial = len(word) == 1 and "a" <= word <= "z" and word != "i"
        return initial or word in _TITLES or _LETTERS.fullmatch(word) is not None


def _is_han(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff"
