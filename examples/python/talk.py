"""Hold a session over HTTP from the terminal: python3 talk.py [SCRIPT]. Nothing but Python is needed.

Every line is sent under a key of its own. When the connection breaks, or the server is about to restart, the same line
is sent again under the same key, and counts once.
"""

from __future__ import annotations

import json
import os
import sys
import time
import urllib.error
import urllib.request
from typing import Any
from uuid import uuid4

API = os.environ.get("HEARTRULE", "http://127.0.0.1:8000") + "/api/v1"


def ask(path: str, body: object = None, token: str | None = None) -> Any:
    """What the server answers. Problems come as JSON too: a sentence for people, and a stable code."""
    headers = {"Content-Type": "application/json", "Accept-Language": os.environ.get("LANG", "zh").replace("_", "-")}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    for wait in (1, 2, 4, 8, 0):
        try:
            with urllib.request.urlopen(urllib.request.Request(API + path, data, headers), timeout=90) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            problem = json.load(error)
            if not wait or error.code not in (429, 503):
                sys.exit(f"{problem['title']} ({problem['code']}, {problem['reference']})")
            time.sleep(int(error.headers.get("Retry-After", wait)))
        except OSError as error:
            if not wait:
                sys.exit(f"{API}: {error}")
            time.sleep(wait)
    raise AssertionError


def main() -> None:
    script = sys.argv[1] if len(sys.argv) > 1 else "cbt/abc_intro"
    made = ask("/sessions", {"script": script})
    path, token = f"/sessions/{made['session']['id']}", made["token"]
    turn = ask(f"{path}/turns", {"key": uuid4().hex, "input": {"type": "start"}}, token)
    seen = 0
    while True:
        for message in turn["messages"]:
            seen = message["seq"]
            if message["sender"] != "person":
                print(message["content"])
        if turn["execution_status"] != "waiting_input":
            return
        choices = {choice["label"]: choice["value"] for choice in turn["request"]["choices"]}
        if choices:
            print(*(f"[{label}]" for label in choices), sep="  ")
        line = sys.stdin.readline()
        if not line:
            return
        words = line.strip()
        if not words:
            continue
        given = {"type": "choice", "choice": choices[words]} if words in choices else {"type": "message", "text": words}
        turn = ask(f"{path}/turns", {"key": uuid4().hex, "after": seen, "input": given}, token)


if __name__ == "__main__":
    main()
