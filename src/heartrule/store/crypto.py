"""AES-256-GCM over single values, and keyed digests for equality.

A sealed value is ``version (1 byte) | key id (8) | nonce (12) | ciphertext | tag (16)``. The header and the value's
place (table, column, row) are associated data, so that a value copied to another row or column does not open. What is
encrypted is the value, padded: how long it is would tell a yes from a no.
"""

from __future__ import annotations

import hmac
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from heartrule.store.codec import encode_text
from heartrule.store.records import StoreError

VERSION = b"\x01"
KEY_BYTES = 32
ID_BYTES = 8
NONCE_BYTES = 12
_HEAD = len(VERSION) + ID_BYTES
_BODY = _HEAD + NONCE_BYTES
LEAST = 64
"""Bytes that every value is padded to at least."""
_END = b"\x80"


class Unreadable(StoreError):
    """A stored value does not open: another key, another place, or changed bytes."""


def new_key() -> bytes:
    return AESGCM.generate_key(KEY_BYTES * 8)


def place(table: str, column: str, *row: str | int) -> bytes:
    """Where a value stands, unambiguously: every part goes in with its length."""
    parts = (table, column, *map(str, row))
    return encode_text("".join([f"{len(part)}:{part}" for part in parts]))


def _derive(key: bytes, purpose: bytes) -> bytes:
    """One step of HKDF-Expand (RFC 5869); enough, as the key is uniformly random already."""
    return hmac.digest(key, purpose + b"\x01", "sha256")


def _padded(data: bytes, least: int) -> bytes:
    """To ``least``, and what is longer to steps of a quarter of its length. Where it comes to lie between two steps is
    drawn, and not told by its length: else a yes and a no on both sides of a step would always be told apart."""
    length = len(data) + 1
    if length > least:
        step = max(least, 1 << (length.bit_length() - 2))
        length += int.from_bytes(os.urandom(4), "big") % step
        length = -(-length // step) * step
    else:
        length = least
    return (data + _END).ljust(length, b"\0")


class Box:
    """Seals and opens with one key. Cheap to use, dear to make: keep it."""

    __slots__ = ("_aead", "_head", "_mac", "key_id", "signing")

    def __init__(self, key_id: bytes, key: bytes) -> None:
        if len(key_id) != ID_BYTES or len(key) != KEY_BYTES:
            raise ValueError("a key has 32 bytes and its id has 8")
        self.key_id = key_id
        self._head = VERSION + key_id
        self._aead = AESGCM(_derive(key, b"heartrule content"))
        self._mac = _derive(key, b"heartrule equality")
        # Never a digest: those stand in the rows, and of some of them others choose what is digested.
        self.signing = _derive(key, b"heartrule tokens")

    def __repr__(self) -> str:
        return f"Box({self.key_id.hex()})"

    def seal(self, data: bytes, where: bytes, least: int = LEAST) -> bytes:
        """``least``: bytes that it is padded to, for what is to look like others of its kind."""
        nonce = os.urandom(NONCE_BYTES)
        return self._head + nonce + self._aead.encrypt(nonce, _padded(data, least), self._head + where)

    def open(self, sealed: bytes, where: bytes) -> bytes:
        sealed = bytes(sealed)
        if len(sealed) < _BODY or not sealed.startswith(self._head):
            raise Unreadable("a stored value was cut short, or written under another key")
        try:
            data = self._aead.decrypt(sealed[_HEAD:_BODY], sealed[_BODY:], self._head + where)
            return data[: data.rindex(_END)]
        except InvalidTag:
            raise Unreadable("a stored value was changed, or stands in another place than it was written for") from None

    def digest(self, data: bytes) -> bytes:
        """For comparing and finding without opening. Says nothing to who lacks the key."""
        return hmac.digest(self._mac, data, "sha256")
