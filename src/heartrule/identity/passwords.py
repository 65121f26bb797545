"""Passwords: Argon2id, a few at a time and never on the thread that answers everybody."""

from __future__ import annotations

import asyncio
import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

SHORTEST, LONGEST = 10, 256
"""Characters."""
FEWEST = 5
"""Different ones among them."""
CONTEXT = ("heartrule", "counsel", "password", "passwort", "qwerty", "123456", "woaini", "mima", "密码", "咨询", "心理")
"""Words that whoever guesses begins with, beside the name."""
OWN = 8
"""Characters that a password has besides these."""
AT_ONCE = 2
"""Each takes 64 MiB and one processor while it is worked out; the rest wait."""


class Refused(Exception):
    """Not a password that is taken."""


class Passwords:
    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._turnstile = asyncio.Semaphore(AT_ONCE)
        self._for_known = asyncio.Semaphore(1)
        self._nobody: str | None = None

    async def hashed(self, password: str) -> str:
        async with self._turnstile:
            return await asyncio.to_thread(self._hasher.hash, _plain(password))

    async def is_right(self, password: str, known: str | None, *, expected: bool = False) -> bool:
        """With no hash to hold it against it takes as long: who has an account is not told by the time it takes.
        ``expected``: from a browser that is known; it does not stand in line with whoever floods the door."""
        async with self._for_known if expected else self._turnstile:
            if known is None:
                if self._nobody is None:
                    self._nobody = await asyncio.to_thread(self._hasher.hash, "nobody's")
                await asyncio.to_thread(self._verify, self._nobody, password)
                return False
            return await asyncio.to_thread(self._verify, known, password)

    def _verify(self, known: str, password: str) -> bool:
        try:
            return self._hasher.verify(known, _plain(password))
        except (Argon2Error, InvalidHashError):
            return False

    def is_outdated(self, known: str) -> bool:
        """Hashed more cheaply than is done now."""
        return self._hasher.check_needs_rehash(known)


def check(password: str, name: str) -> None:
    """Raises ``Refused``. Length is what counts; kinds of characters are not asked for."""
    plain = _plain(password)
    if not SHORTEST <= len(plain) <= LONGEST or len(set(plain)) < FEWEST:
        raise Refused
    left = folded = plain.casefold()
    for word in (name.casefold() if len(name) > 2 else "", *CONTEXT):
        left = left.replace(word, "") if word else left
    if left != folded and len(left) < OWN:
        raise Refused


def _plain(password: str) -> str:
    """The same whatever keyboard wrote it."""
    return unicodedata.normalize("NFKC", password)
