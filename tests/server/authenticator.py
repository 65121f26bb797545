"""A device that makes and shows passkeys, in software: it does as it should, or as it should not."""

from __future__ import annotations

import hashlib
import json
import secrets
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def coded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def plain(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Device:
    """``origin``: of the page at which it is asked; the host it believes it is at is that of the options."""

    def __init__(self, origin: str = "http://heartrule.test") -> None:
        self.origin = origin
        self.key = generate_private_key(SECP256R1())
        self.id = secrets.token_bytes(16)
        self.user = b""
        self.count = 0
        self.flags = PRESENT | VERIFIED

    def make(self, options: dict[str, Any]) -> dict[str, Any]:
        """What ``navigator.credentials.create`` answers."""
        self.user = plain(options["user"]["id"])
        numbers = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        attested = bytes(16) + struct.pack(">H", len(self.id)) + self.id + cbor2.dumps(cose)
        data = self._data(options["rp"]["id"], self.flags | ATTESTED) + attested
        told = self._client("webauthn.create", options["challenge"])
        sealed = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._credential({"clientDataJSON": coded(told), "attestationObject": coded(sealed)})

    def show(self, options: dict[str, Any]) -> dict[str, Any]:
        """What ``navigator.credentials.get`` answers."""
        self.count += 1
        data = self._data(options["rpId"], self.flags)
        told = self._client("webauthn.get", options["challenge"])
        signature = self.key.sign(data + hashlib.sha256(told).digest(), ECDSA(SHA256()))
        return self._credential(
            {
                "clientDataJSON": coded(told),
                "authenticatorData": coded(data),
                "signature": coded(signature),
                "userHandle": coded(self.user),
            }
        )

    def _data(self, host: str, flags: int) -> bytes:
        return hashlib.sha256(host.encode()).digest() + bytes([flags]) + struct.pack(">I", self.count)

    def _client(self, what: str, challenge: str) -> bytes:
        return json.dumps({"type": what, "challenge": challenge, "origin": self.origin}).encode()

    def _credential(self, response: dict[str, str]) -> dict[str, Any]:
        return {
            "id": coded(self.id),
            "rawId": coded(self.id),
            "type": "public-key",
            "clientExtensionResults": {},
            "response": response,
        }
