"""A real OpenID provider beside the tests, and somebody who signs in at it as a browser does."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import httpx2

WEB = Path(__file__).parents[2] / "web"
ALICE = {
    "name": "Alice 李",
    "preferred_username": "alice",
    "email": "alice@example.org",
    "groups": ["desk", "people who knit"],
}


class Provider:
    def __init__(self, issuer: str, client: dict[str, str]) -> None:
        self.issuer, self.client = issuer, client

    def tell(self, **told: Any) -> None:
        httpx2.post(f"{self.issuer}/tests", json=told).raise_for_status()

    def settings(self, groups: Sequence[dict[str, Any]] = ({"name": "desk", "roles": ["counsellor"]},)) -> Any:
        return {
            "issuer": self.issuer,
            "name": "Example",
            "client_id": self.client["id"],
            "client_secret": self.client["secret"],
            "scopes": ["openid", "profile", "groups"],
            "groups": list(groups),
        }

    def signs_in(self, url: str, who: str = "alice") -> dict[str, str]:
        """What the browser is sent back with, of somebody who fills in the provider's page."""
        with httpx2.Client() as browser:
            answer = browser.get(url)
            for _ in range(12):
                if answer.status_code in (302, 303):
                    to = urljoin(str(answer.url), answer.headers["location"])
                    if not to.startswith(self.issuer):
                        return dict(parse_qsl(urlsplit(to).query))
                    answer = browser.get(to)
                else:
                    assert answer.status_code == 200, answer.text
                    form = {"prompt": "login", "login": who, "password": "anything"}
                    answer = browser.post(str(answer.url), data=form)
        raise AssertionError("the provider sends nobody back")


@contextmanager
def providing(*back: str) -> Iterator[Provider]:
    """``back``: where it may send browsers back to."""
    command = ["node", str(WEB / "testing" / "provider.mjs"), *back]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
        try:
            assert running.stdout is not None
            told = json.loads(running.stdout.readline())
            made = Provider(told["issuer"], told["client"])
            made.tell(people={"alice": ALICE})
            yield made
        finally:
            running.kill()
