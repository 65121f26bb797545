"""Who a person is to a service that embeds sessions: a note that the service signs."""

from __future__ import annotations

from time import time

import jwt

LONGEST_ID = 255
SHORTEST_SECRET = 32


def person_token(secret: str | bytes, person: str, *, seconds: float = 3600) -> str:
    """A person token (JWT, HS256) for the service's own id of a person, good for so many seconds. ``secret`` is the
    server's ``HEARTRULE_EMBED_SECRET``, at least 32 bytes; it stays on the service's own server. Make one for each
    request or page: it is cheap, and what leaks is soon worth nothing. More than a day is refused."""
    key = secret.encode() if isinstance(secret, str) else secret
    if len(key) < SHORTEST_SECRET:
        raise ValueError(f"the secret must have at least {SHORTEST_SECRET} bytes")
    if not 0 < len(person) <= LONGEST_ID:
        raise ValueError(f"the person's id must have 1 to {LONGEST_ID} characters")
    return jwt.encode({"aud": "heartrule", "sub": person, "exp": int(time() + seconds)}, key, algorithm="HS256")
