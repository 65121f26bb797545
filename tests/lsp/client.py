"""An editor at the language server's standard input and output, with the protocol spoken by hand."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 30.0


class Editor:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process, self._number = process, 0
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self.findings: dict[str, list[dict[str, Any]]] = {}
        threading.Thread(target=self._read, daemon=True).start()

    def ask(self, method: str, **params: Any) -> Any:
        """The result of a request; raises ``LookupError`` with the server's words where it refuses."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while (answer := self._answers.get(timeout=PATIENCE)).get("id") != self._number:
            pass
        if "error" in answer:
            raise LookupError(answer["error"]["message"])
        return answer["result"]

    def tell(self, method: str, **params: Any) -> None:
        self._send({"method": method, "params": params})

    def open(self, file: Path) -> str:
        uri = file.as_uri()
        text = file.read_text(encoding="utf-8")
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", textDocument=document)
        return uri

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _read(self) -> None:
        out = self._process.stdout
        assert out is not None
        while head := out.readline():
            length = int(head.split(b":")[1])
            while out.readline().strip():
                pass
            message = json.loads(out.read(length))
            if message.get("method") == "textDocument/publishDiagnostics":
                self.findings[message["params"]["uri"]] = message["params"]["diagnostics"]
            elif "id" in message and "method" not in message:
                self._answers.put(message)


@contextmanager
def editor(folder: Path, lang: str = "en") -> Iterator[Editor]:
    command = [sys.executable, "-m", "heartrule", "lsp", "--lang", lang]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ}) as process:
        try:
            found = Editor(process)
            found.ask("initialize", processId=os.getpid(), rootUri=folder.as_uri(), capabilities={})
            found.tell("initialized")
            yield found
            found.ask("shutdown")
            found.tell("exit")
            process.wait(PATIENCE)
        finally:
            process.kill()
