"""What a person is called at the desk: a name and a colour that are the same in all their sessions, and say nothing."""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass
from functools import cache
from typing import Any

from heartrule.language.texts.plain import packaged_yaml

KEY_LETTERS = 4


@dataclass(frozen=True, slots=True)
class Pseudonym:
    """``key``: a few letters, for who speaks of them; ``hue``: of a colour, in degrees."""

    key: str
    zh: str
    en: str
    hue: int


class Pseudonyms:
    """``secret``: without it nobody finds out whose a name is."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def of(self, person: str) -> Pseudonym:
        drawn = hmac.new(self._secret, b"heartrule pseudonym " + person.encode(), hashlib.sha256).digest()
        texts = _texts()
        before = texts["before"][drawn[0] % len(texts["before"])]
        behind = texts["behind"][drawn[1] % len(texts["behind"])]
        key = base64.b32encode(drawn[4:9]).decode().lower()[:KEY_LETTERS]
        return Pseudonym(key, f"{before[0]}{behind[0]}", f"{before[1]} {behind[1]}", int.from_bytes(drawn[2:4]) % 360)


@cache
def _texts() -> dict[str, list[list[str]]]:
    found: dict[str, Any] = packaged_yaml("heartrule.server", "texts", "pseudonyms.yaml")
    return found
