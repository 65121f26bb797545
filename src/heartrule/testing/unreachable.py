"""Addresses at which no model is ever reached: nobody listens, nobody knows the name, or nobody can be trusted."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from heartrule.llm.live import live_calls_allowed

UNKNOWN = "unknown.invalid"
"""A name that nobody has or will have (RFC 6761, 6.4)."""


@contextmanager
def refusing() -> Iterator[str]:
    """A base URL where connections are refused: the port is taken, and nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


@contextmanager
def nameless() -> Iterator[str]:
    """A base URL whose host has no address. The system's resolver is not asked: it might ask the world. Meanwhile calls
    may leave this machine, or none would come so far as to look for an address."""
    asked = asyncio.BaseEventLoop.getaddrinfo

    async def getaddrinfo(self: asyncio.BaseEventLoop, host: Any, port: Any, **more: Any) -> Any:
        if host in (UNKNOWN, UNKNOWN.encode()):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return await asked(self, host, port, **more)

    setattr(asyncio.BaseEventLoop, "getaddrinfo", getaddrinfo)  # noqa: B010
    try:
        with live_calls_allowed():
            yield f"http://{UNKNOWN}/v1"
    finally:
        setattr(asyncio.BaseEventLoop, "getaddrinfo", asked)  # noqa: B010


@contextmanager
def untrusted() -> Iterator[str]:
    """A base URL whose server shows a certificate that only it has signed."""
    with TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listening:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate(Path(folder)))
        door = threading.Thread(target=_greet, args=(listening, context), daemon=True)
        door.start()
        try:
            yield f"https://127.0.0.1:{listening.getsockname()[1]}/v1"
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            door.join(5)


def _greet(listening: socket.socket, context: ssl.SSLContext) -> None:
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        try:
            connection.settimeout(5)
            context.wrap_socket(connection, server_side=True).close()
        except OSError:
            connection.close()


def certificate(folder: Path) -> Path:
    """A file with a key and a certificate for 127.0.0.1 that only it has signed."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / "both.pem"
    plain = serialization.NoEncryption()
    own = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    path.write_bytes(own + made.public_bytes(serialization.Encoding.PEM))
    return path
