"""Web Push: a browser of the staff is woken, and learns nothing but that somebody is needed.

A push without content (RFC 8030) needs no encryption and holds nothing that could stand on a locked screen or be kept
by whoever runs the push service; who sends it is told by a signed token (VAPID, RFC 8292).
"""

from __future__ import annotations

import hashlib
import ssl
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from joserfc import jwt
from joserfc.jwk import ECKey

from heartrule.jobs.notice import Notice, Undelivered
from heartrule.jobs.outbound_post import may_be_called, posted

LASTS = timedelta(minutes=15)
"""How long a push service keeps it for a browser that is not reached."""
SIGNED = timedelta(hours=12)
"""How long a token counts; RFC 8292 allows a day."""
GONE = (404, 410)
"""What a push service answers where the browser has taken its subscription back."""
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the curve P-256 (NIST SP 800-186)."""


class PushKey:
    """The key that names the server to push services. ``seed``: 32 secret bytes from which it is made, so that all
    processes over one store have the same."""

    def __init__(self, seed: bytes) -> None:
        wide = hashlib.sha512(b"heartrule web push" + seed).digest()
        self._key = ec.derive_private_key(int.from_bytes(wide) % (_ORDER - 1) + 1, ec.SECP256R1())

    @property
    def public(self) -> str:
        """As a browser wants it (``applicationServerKey``): the uncompressed point, base64url."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return urlsafe_b64encode(point).rstrip(b"=").decode()

    def authorization(self, endpoint: str, contact: str, now: datetime) -> str:
        parts = urlsplit(endpoint)
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int((now + SIGNED).timestamp()), "sub": contact}
        token = jwt.encode({"typ": "JWT", "alg": "ES256"}, claims, ECKey.import_key(self._key))
        return f"vapid t={token}, k={self.public}"


class Push:
    """To one browser. ``gone`` is called where it has taken its subscription back: that is no failure."""

    def __init__(
        self,
        endpoint: str,
        key: PushKey,
        contact: str,
        now: Callable[[], datetime],
        gone: Callable[[], Awaitable[None]],
        *,
        allow_private: bool = False,
        trusted: ssl.SSLContext | None = None,
    ) -> None:
        self._endpoint, self._key, self._contact, self._now, self._gone = endpoint, key, contact, now, gone
        self._allow_private, self._trusted = allow_private, trusted

    async def send(self, notice: Notice) -> None:
        if not may_be_called(self._endpoint, allow_private=self._allow_private):
            await self._gone()  # nor will it ever be
            raise Undelivered("no address")
        headers = {
            "TTL": str(int(LASTS.total_seconds())),
            "Urgency": "high",
            "Topic": topic(notice.session),
            "Authorization": self._key.authorization(self._endpoint, self._contact, self._now()),
        }
        status = await posted(self._endpoint, headers, b"", allow_private=self._allow_private, trusted=self._trusted)
        if status in GONE:
            await self._gone()
        elif not 200 <= status < 300:
            raise Undelivered(f"status {status}")


def topic(session: str) -> str:
    """A later call of the same session takes the place of one that still waits; which session, is not told."""
    return urlsafe_b64encode(hashlib.sha256(session.encode()).digest()[:24]).decode()
