"""The master key: a file that only its owner may read. It wraps the data keys of all persons.

The file holds one key a line, ``<id> <key in base64>``. The first wraps; the others, there only while a rotation is
under way, still unwrap.
"""

from __future__ import annotations

import base64
import os
import secrets
import stat
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from heartrule.store.crypto import ID_BYTES, KEY_BYTES, NONCE_BYTES, Unreadable, new_key, place
from heartrule.store.records import StoreError

FILE = "master.key"


class MasterKeyRefused(StoreError):
    """The master key cannot be used, and why."""


@dataclass(frozen=True, slots=True)
class MasterKey:
    id: str
    key: bytes = field(repr=False)

    @classmethod
    def new(cls) -> MasterKey:
        return cls(secrets.token_hex(ID_BYTES), new_key())

    def wrap(self, key: bytes, key_id: str, person: str) -> bytes:
        nonce = os.urandom(NONCE_BYTES)
        return nonce + AESGCM(self.key).encrypt(nonce, key, place("data_keys", "wrapped", self.id, key_id, person))

    def unwrap(self, wrapped: bytes, key_id: str, person: str) -> bytes:
        nonce, sealed = wrapped[:NONCE_BYTES], wrapped[NONCE_BYTES:]
        try:
            return AESGCM(self.key).decrypt(nonce, sealed, place("data_keys", "wrapped", self.id, key_id, person))
        except InvalidTag:
            raise Unreadable("a data key was changed, or belongs to another person") from None


def read(path: Path) -> tuple[MasterKey, ...] | None:
    """The keys in the file, the current one first; None when there is no file."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        if mode & 0o077:
            raise MasterKeyRefused(
                f"{path} can be read by others (its mode is {mode:o}). Make it yours alone with: chmod 600 {path}"
            )
        lines = file.read().decode("ascii", "replace").split("\n")
    keys = tuple(_parse(line, path) for line in lines if line.strip())
    if not keys:
        raise MasterKeyRefused(f"{path} holds no key. Put the right file back from where you keep a copy.")
    return keys


def _parse(line: str, path: Path) -> MasterKey:
    broken = MasterKeyRefused(f"{path} is damaged. Put the right file back from where you keep a copy.")
    parts = line.split()
    if len(parts) != 2:
        raise broken
    try:
        key = base64.b64decode(parts[1], validate=True)
    except ValueError:
        raise broken from None
    if len(key) != KEY_BYTES or len(parts[0]) != ID_BYTES * 2:
        raise broken
    return MasterKey(parts[0], key)


def create(path: Path) -> tuple[MasterKey, ...]:
    """Make the file with a new key, unless another process was faster; then its key is the one."""
    draft = _draft(path, (MasterKey.new(),))
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    _flush_folder(path.parent)
    keys = read(path)
    if keys is None:
        raise MasterKeyRefused(f"{path} was taken away while it was being made")
    return keys


def replace(path: Path, keys: tuple[MasterKey, ...]) -> None:
    """Put ``keys`` in the file's place, at once or not at all."""
    os.replace(_draft(path, keys), path)
    _flush_folder(path.parent)


def _draft(path: Path, keys: tuple[MasterKey, ...]) -> Path:
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    text = "".join(f"{key.id} {base64.b64encode(key.key).decode()}\n" for key in keys)
    with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    return draft


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
