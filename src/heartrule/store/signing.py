"""Signatures of releases (Ed25519): over the project's id and the hash that names every text of the bundle."""

from __future__ import annotations

import base64
import os
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

FILE = "release.key"
_BYTES = 32


class Unusable(ValueError):
    """A key that is none, or a file that holds none."""


class Signer:
    """The key of a data folder, made when it is first needed; only its owner may read the file."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE

    def key(self) -> str:
        """The public half, as others are told to trust it."""
        return _named(self._private().public_key())

    def sign(self, slug: str, bundle: str) -> tuple[str, str]:
        """The public key, and the signature."""
        private = self._private()
        return _named(private.public_key()), base64.b64encode(private.sign(_content(slug, bundle))).decode()

    def _private(self) -> Ed25519PrivateKey:
        if not self._path.exists():
            self._make()
        try:
            found = load_pem_private_key(self._path.read_bytes(), None)
        except (OSError, ValueError, TypeError):
            raise Unusable(f"{self._path} holds no private key") from None
        if not isinstance(found, Ed25519PrivateKey):
            raise Unusable(f"{self._path} holds no Ed25519 key")
        return found

    def _make(self) -> None:
        """Whole or not at all, and of several that make one at once the first counts."""
        pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = self._path.with_suffix(f".{os.getpid()}.new")
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(pem)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(new, self._path)
        except FileExistsError:
            pass
        finally:
            new.unlink()


def is_signed(slug: str, bundle: str, key: str, signature: str) -> bool:
    """Whether ``key`` signed exactly this."""
    try:
        public_key(key).verify(base64.b64decode(signature, validate=True), _content(slug, bundle))
    except (InvalidSignature, ValueError):
        return False
    return True


def public_key(key: str) -> Ed25519PublicKey:
    """Raises ``Unusable``."""
    try:
        return Ed25519PublicKey.from_public_bytes(base64.b64decode(key, validate=True))
    except ValueError:
        raise Unusable(f"{key[:60]} is no public key: {_BYTES} bytes in base64 are") from None


def _named(key: Ed25519PublicKey) -> str:
    return base64.b64encode(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()


def _content(slug: str, bundle: str) -> bytes:
    return f"heartrule release 1\n{slug}\n{bundle}\n".encode()
