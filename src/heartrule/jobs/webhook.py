"""A webhook: one signed POST, by the convention of Standard Webhooks. Its receiver can tell who sent it, how old it is,
and that it has had it before."""

from __future__ import annotations

import base64
import hmac
import json
import ssl
from collections.abc import Callable
from datetime import datetime

from heartrule.jobs.notice import Notice, Undelivered
from heartrule.jobs.outbound_post import DEADLINE, posted


class Webhook:
    """``secret`` signs. ``trusted`` verifies the server's certificate, as the system does when it is None."""

    def __init__(
        self,
        url: str,
        secret: bytes,
        now: Callable[[], datetime],
        *,
        allow_private: bool = False,
        trusted: ssl.SSLContext | None = None,
        deadline: float = DEADLINE,
    ) -> None:
        self._url, self._secret, self._now, self._deadline = url, secret, now, deadline
        self._allow_private, self._trusted = allow_private, trusted

    async def send(self, notice: Notice) -> None:
        content = _content(notice)
        status = await posted(
            self._url,
            self._headers(notice.key, content),
            content,
            allow_private=self._allow_private,
            trusted=self._trusted,
            deadline=self._deadline,
        )
        if not 200 <= status < 300:
            raise Undelivered(f"status {status}")

    def _headers(self, key: str, content: bytes) -> dict[str, str]:
        timestamp = str(int(self._now().timestamp()))
        return {
            "Content-Type": "application/json",
            "User-Agent": "heartrule",
            "Idempotency-Key": key,
            "Webhook-Id": key,
            "Webhook-Timestamp": timestamp,
            "Webhook-Signature": signature(self._secret, key, timestamp, content),
        }


def signature(secret: bytes, key: str, timestamp: str, content: bytes) -> str:
    signed = b".".join((key.encode(), timestamp.encode(), content))
    return f"v1,{base64.b64encode(hmac.digest(secret, signed, 'sha256')).decode()}"


def _content(notice: Notice) -> bytes:
    told = {
        "type": "escalation",
        "id": notice.key,
        "session": notice.session,
        "to": notice.to,
        "level": notice.level,
        "at": notice.at.isoformat(),
        "link": notice.link,
        **({"note": notice.note} if notice.note is not None else {}),
    }
    return json.dumps(told, ensure_ascii=False).encode("utf-8", "replace")
