"""Who made a package or published a release: Ed25519 signatures (RFC 8032), and the keys that make them."""

from __future__ import annotations

import base64
import os
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from heartrule.language.bilingual import Bilingual, SaidError

RELEASE_KEY = "release.key"


class BadKey(SaidError):
    """A text or file that is no key of this kind."""


def new_key(path: Path) -> Ed25519PrivateKey:
    """Make a key and keep it in ``path``, for nobody else to read; whole or not at all, and of several that make one
    at once the first counts. Raises ``OSError``, ``FileExistsError`` for all but the first."""
    key = Ed25519PrivateKey.generate()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(new, path)
    finally:
        new.unlink()
    return key


def read_key(path: Path) -> Ed25519PrivateKey:
    """Raises ``OSError`` and ``BadKey``."""
    try:
        key = load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise BadKey(Bilingual(f"{path} 不是 Ed25519 私钥（PEM）。", f"{path} is no Ed25519 private key (PEM)."))
    return key


def public(key: Ed25519PrivateKey) -> str:
    """The public half, as it is written in packages, releases and lock files: base64 of 32 bytes."""
    return base64.b64encode(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()


def public_key(named: str) -> Ed25519PublicKey:
    """Raises ``BadKey``."""
    try:
        return Ed25519PublicKey.from_public_bytes(base64.b64decode(named, validate=True))
    except ValueError:
        raise BadKey(
            Bilingual(
                f"{named[:60]} 不是公钥：公钥是 32 个字节的 base64。",
                f"{named[:60]} is no public key: 32 bytes in base64 are.",
            )
        ) from None


def sign(key: Ed25519PrivateKey, content: bytes) -> str:
    return base64.b64encode(key.sign(content)).decode()


def holds(named: str, signature: str, content: bytes) -> bool:
    """Whether the owner of the public key has signed exactly this."""
    try:
        public_key(named).verify(base64.b64decode(signature, validate=True), content)
    except (InvalidSignature, ValueError, BadKey):
        return False
    return True


class Signer:
    """The key of a data folder, made when it is first needed. What it signs of a release is the project's id and the
    hash that names every text of the bundle."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / RELEASE_KEY

    def key(self) -> str:
        """The public half, as others are told to trust it. Raises ``OSError`` and ``BadKey``."""
        return public(self._private())

    def sign(self, slug: str, bundle: str) -> tuple[str, str]:
        """The public key, and the signature. Raises ``OSError`` and ``BadKey``."""
        private = self._private()
        return public(private), sign(private, _release(slug, bundle))

    def _private(self) -> Ed25519PrivateKey:
        if not self._path.exists():
            with suppress(FileExistsError):
                return new_key(self._path)
        return read_key(self._path)


def is_signed(slug: str, bundle: str, key: str, signature: str) -> bool:
    """Whether ``key`` signed exactly this release."""
    return holds(key, signature, _release(slug, bundle))


def _release(slug: str, bundle: str) -> bytes:
    return f"heartrule release 1\n{slug}\n{bundle}\n".encode()
