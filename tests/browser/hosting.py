"""A page of somebody else's, on an origin of its own, that means us no good."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HOSTILE = """
* { all: unset !important; }
html { font-size: 47px !important; direction: rtl !important; }
body { letter-spacing: 0.4em !important; text-transform: uppercase !important; line-height: 0.6 !important;
  color: #111 !important; background: #111 !important; transform: translateX(1px) !important;
  visibility: visible; font-style: italic !important; pointer-events: none !important; }
button, textarea, dialog, form, h2, [popover] { display: none !important; }
dialog::backdrop { background: red !important; }
"""

GLOBALS = """
Object.prototype.added = function () {};
Array.prototype.added = function () {};
window.$ = window.jQuery = window.Vue = window.React = window.lit = { html: null };
window.process = { env: {} };
window.module = window.exports = undefined;
window.reports = [];
window.wrong = [];
document.addEventListener('securitypolicyviolation', (event) =>
  reports.push(event.violatedDirective + ' ' + event.blockedURI));
window.addEventListener('error', (event) => wrong.push(event.message));
window.addEventListener('unhandledrejection', (event) => wrong.push(String(event.reason)));
"""


def policy(server: str) -> str:
    """Nothing but what is needed: the file and the API of one server, and the page's own files."""
    return (
        f"default-src 'none'; script-src 'self' {server}; style-src 'self'; connect-src {server}; "
        "require-trusted-types-for 'script'; trusted-types lit-html; base-uri 'none'; form-action 'none'"
    )


@contextmanager
def hosting() -> Iterator[tuple[str, dict[str, tuple[str, str]], dict[str, str]]]:
    """Its address; its files, each with its type, and its headers, which may be filled in while it is served."""
    files: dict[str, tuple[str, str]] = {}
    headers: dict[str, str] = {}
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(files, headers))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", files, headers
    finally:
        server.shutdown()
        server.server_close()


def handler(files: Mapping[str, tuple[str, str]], headers: Mapping[str, str]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, text = files.get(self.path, ("text/plain", ""))
            self.send_response(200 if self.path in files else 404)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            """Not into the tests' output."""

    return Handler
