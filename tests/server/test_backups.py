"""The server makes copies when they are due, keeps the newest, and speaks TLS where it is given a certificate."""

from __future__ import annotations

import asyncio
import datetime
import ssl
from pathlib import Path

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from tests.server.material import Grounds, run

from heartrule.server.settings import ServerConfigError, ServerSettings


def test_a_copy_is_made_when_one_is_due(grounds: Grounds, tmp_path: Path) -> None:
    folder = tmp_path / "copies"

    def made() -> list[Path]:
        return sorted(folder.glob("heartrule-*.db"))

    async def work() -> None:
        async with grounds.asgi(backup={"folder": str(folder), "hours": 24, "keep": 2}) as api:
            await api.begun()
            for hours, count in ((0, 1), (23, 1), (2, 2), (24, 2), (24, 2)):
                grounds.clock.pass_(hours=hours)
                api.context.backups.sweep(grounds.clock.now())
                await api.context.backups.finish()
                assert len(made()) == count
        newest = made()[-1].name
        async with grounds.asgi(backup={"folder": str(folder), "hours": 24, "keep": 2}) as api:
            api.context.backups.sweep(grounds.clock.now())
            await api.context.backups.finish()
            assert made()[-1].name == newest, "a server that starts anew looks when the last one was made"

    run(work())


def test_one_that_fails_is_tried_again_and_stops_nobody(grounds: Grounds, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.write_text("no folder", encoding="utf-8")

    async def work() -> None:
        async with grounds.asgi(backup={"folder": str(folder)}) as api:
            await asyncio.sleep(0)
            api.context.backups.sweep(grounds.clock.now())
            await api.context.backups.finish()
            await api.begun()
            folder.unlink()
            grounds.clock.pass_(minutes=11)
            api.context.backups.sweep(grounds.clock.now())
            await api.context.backups.finish()
            assert len(list(folder.glob("heartrule-*.db"))) == 1

    run(work())


def certificate(folder: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file, private = folder / "server.pem", folder / "server.key"
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return file, private


def test_with_a_certificate_it_speaks_tls(grounds: Grounds, tmp_path: Path) -> None:
    file, private = certificate(tmp_path)

    async def work() -> None:
        async with grounds.served(certificate=file, certificate_key=private) as api:
            port = api.client.base_url.port
            trusting = ssl.create_default_context(cafile=str(file))
            async with httpx2.AsyncClient(verify=trusting) as client:
                answer = await client.get(f"https://localhost:{port}/healthz")
                assert answer.status_code == 200
                with pytest.raises(httpx2.TransportError):
                    await client.get(f"http://localhost:{port}/healthz")

    run(work())


def test_half_a_certificate_is_said_before_it_starts(tmp_path: Path) -> None:
    (tmp_path / "heartrule.toml").write_text('[server]\ncertificate_key = "server.key"\n', encoding="utf-8")
    with pytest.raises(ServerConfigError, match="certificate"):
        ServerSettings.load(tmp_path)
    (tmp_path / "heartrule.toml").write_text('[server]\ncertificate = "nowhere.pem"\n', encoding="utf-8")
    with pytest.raises(ServerConfigError, match=r"nowhere\.pem"):
        ServerSettings.load(tmp_path)
