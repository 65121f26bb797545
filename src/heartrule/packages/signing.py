"""Who made a package: Ed25519 signatures (RFC 8032), and the keys that make them."""

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

from heartrule.language.said import Said, SaidError


class BadKey(SaidError):
    """A file that is no key of this kind."""


def new_key(path: Path) -> Ed25519PrivateKey:
    """Make a key and keep it in ``path``, for nobody else to read. Raises ``FileExistsError``."""
    key = Ed25519PrivateKey.generate()
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return key


def read_key(path: Path) -> Ed25519PrivateKey:
    """Raises ``OSError`` and ``BadKey``."""
    try:
        key = load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise BadKey(Said(f"{path} 不是 Ed25519 私钥（PEM）。", f"{path} is no Ed25519 private key (PEM)."))
    return key


def public(key: Ed25519PrivateKey) -> str:
    """The public half, as it is written in packages and lock files: base64 of 32 bytes."""
    return base64.b64encode(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()


def sign(key: Ed25519PrivateKey, content: bytes) -> str:
    return base64.b64encode(key.sign(content)).decode()


def holds(public_key: str, signature: str, content: bytes) -> bool:
    """Whether the owner of the key has signed exactly this."""
    try:
        raw = base64.b64decode(public_key, validate=True)
        Ed25519PublicKey.from_public_bytes(raw).verify(base64.b64decode(signature, validate=True), content)
    except (InvalidSignature, ValueError):
        return False
    return True
