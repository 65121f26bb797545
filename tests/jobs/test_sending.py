"""Every way to reach somebody: what it says, how it is known that it was taken, and what it says of faults."""

from __future__ import annotations

import asyncio
import base64
import hmac
import socket
import ssl
from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.jobs.material import run
from tests.jobs.receivers import Hook, Mailbox

from heartrule.jobs.email import Mail, MailServer
from heartrule.jobs.notice import Notice, Sender, Undelivered
from heartrule.jobs.webhook import Webhook, signature
from heartrule.testing.unreachable import certificate

SECRET = b"a secret of the tests"
AT = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
NOTICE = Notice("s/3-1", "s", "desk", "P0", AT, "en", link="https://desk.example.org/s")


def webhook(url: str, **more: object) -> Webhook:
    return Webhook(url, SECRET, lambda: AT, allow_private=True, **more)  # type: ignore[arg-type]


def mail(port: int, **more: object) -> Mail:
    server = MailServer("127.0.0.1", port, "HeartRule <hr@example.org>", **{"security": "none", **more})  # type: ignore[arg-type]
    return Mail(server, "duty@example.org")


def fault_of(sender: Sender) -> str:
    with pytest.raises(Undelivered) as refused:
        run(sender.send(NOTICE))
    return refused.value.kind


@pytest.fixture
def closed() -> Iterator[int]:
    """A port where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


# Whatever the way


@pytest.mark.parametrize("way", ["webhook", "email"])
def test_what_is_taken_says_no_more_than_it_may(way: str) -> None:
    with Hook().serving() as hook, Mailbox().serving() as box:
        run((webhook(hook.url) if way == "webhook" else mail(box.port)).send(NOTICE))
        text = hook.taken[0].content.decode() if way == "webhook" else box.mails[0].get_content()
    for word in ("s", "P0", "https://desk.example.org/s", "2026-03-01"):
        assert word in text
    assert "note" not in text.lower().replace("notes", "")


@pytest.mark.parametrize("way", ["webhook", "email"])
def test_nobody_there_is_no_connection(way: str, closed: int) -> None:
    sender = webhook(f"http://127.0.0.1:{closed}/") if way == "webhook" else mail(closed)
    assert fault_of(sender) == "no connection"


@pytest.mark.parametrize("way", ["webhook", "email"])
def test_silence_is_a_timeout(way: str) -> None:
    with Hook(answers=deque(["hang"])).serving() as hook, Mailbox(hang="MAIL").serving() as box:
        sender = webhook(hook.url, deadline=0.3) if way == "webhook" else mail(box.port, deadline=0.3)
        assert fault_of(sender) == "timeout"


# Webhooks


@pytest.mark.parametrize("status", [301, 302, 307, 400, 401, 404, 410, 429, 500, 503])
def test_only_2xx_is_taken(status: int) -> None:
    with Hook(answers=deque([status])).serving() as hook:
        assert fault_of(webhook(hook.url)) == f"status {status}"
        assert len(hook.taken) == 1


def test_a_connection_that_breaks_is_said(tmp_path: Path) -> None:
    with Hook(answers=deque(["cut"])).serving() as hook:
        assert fault_of(webhook(hook.url)) == "connection broken"


def test_its_receiver_can_tell_who_sent_it_and_when() -> None:
    with Hook().serving() as hook:
        run(webhook(hook.url).send(NOTICE))
        (taken,) = hook.taken
    assert taken.key == taken.headers["webhook-id"] == "s/3-1"
    timestamp = taken.headers["webhook-timestamp"]
    assert int(timestamp) == AT.timestamp()
    signed = f"s/3-1.{timestamp}.".encode() + taken.content
    expected = base64.b64encode(hmac.digest(SECRET, signed, "sha256")).decode()
    assert taken.headers["webhook-signature"] == f"v1,{expected}"
    assert signature(SECRET, "s/3-1", timestamp, taken.content + b" ") != taken.headers["webhook-signature"]


INNER = ["127.0.0.1", "localhost", "10.0.0.1", "192.168.1.1", "169.254.169.254", "[::1]", "224.0.0.1", "[ff0e::1]"]
THROUGH_A_GATEWAY = ["[64:ff9b::10.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::1]"]
EMBEDDING = ["[::127.0.0.1]", "[::ffff:10.0.0.1]", "[::ffff:0:10.0.0.1]", "[2002:7f00:1::]", "[2002:c0a8:101::1]"]


@pytest.mark.parametrize("host", [*INNER, *THROUGH_A_GATEWAY, *EMBEDDING])
def test_the_own_network_is_reached_only_where_that_is_allowed(host: str) -> None:
    sender = Webhook(f"http://{host}:9/hook", SECRET, lambda: AT)
    assert fault_of(sender) == "private address"


def test_a_name_without_an_address_is_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unknown(*_: object, **__: object) -> object:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", unknown)
    assert fault_of(Webhook("https://nobody.invalid/hook", SECRET, lambda: AT)) == "no connection"


@pytest.mark.parametrize("trusted", [True, False])
def test_a_certificate_must_be_trusted(tmp_path: Path, trusted: bool) -> None:
    file = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    own = ssl.create_default_context(cafile=str(file)) if trusted else None
    with Hook().serving(context) as hook:
        if trusted:
            run(webhook(hook.url, trusted=own).send(NOTICE))
        else:
            assert fault_of(webhook(hook.url)) == "no connection"
        assert len(hook.taken) == int(trusted)


# E-mail


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_mail_is_handed_in_by_tls_and_nothing_is_said_in_clear(tmp_path: Path, security: str) -> None:
    file = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    own = ssl.create_default_context(cafile=str(file))
    with Mailbox(context=context, wrapped=security == "tls").serving() as box:
        run(mail(box.port, security=security, trusted=own, user="u", password="p").send(NOTICE))
        assert (len(box.mails), box.in_clear) == (1, [])
        assert fault_of(mail(box.port, security=security)) == "no connection", "nobody vouches for it"


def test_a_server_without_tls_is_not_spoken_to() -> None:
    with Mailbox().serving() as box:
        assert fault_of(mail(box.port, security="starttls")) == "no connection"
        assert (box.mails, box.in_clear) == ([], [])


@pytest.mark.parametrize(
    ("command", "code", "kind"),
    [("MAIL", 451, "reply 451"), ("RCPT", 550, "recipient refused"), ("DATA", 554, "reply 554")],
)
def test_what_a_mail_server_refuses(command: str, code: int, kind: str) -> None:
    with Mailbox(refuse={command: code}).serving() as box:
        assert fault_of(mail(box.port)) == kind
        assert box.mails == []


def test_a_mail_is_the_same_at_every_attempt() -> None:
    with Mailbox().serving() as box:
        for _ in range(2):
            run(mail(box.port).send(NOTICE))
        first, second = box.mails
    assert first["Message-ID"] == second["Message-ID"]
    assert first["Message-ID"].endswith("@example.org>")
    assert (first["X-Idempotency-Key"], first["Auto-Submitted"]) == ("s/3-1", "auto-generated")
    assert box.recipients[0].startswith("RCPT TO:<duty@example.org>")


def test_mail_is_in_the_language_of_who_reads_it() -> None:
    from dataclasses import replace

    with Mailbox().serving() as box:
        for language in ("zh", "en"):
            run(mail(box.port).send(replace(NOTICE, language=language, note="附言")))  # type: ignore[arg-type]
        chinese, english = box.mails
    assert "有人需要帮助" in chinese["Subject"]
    assert "Somebody needs help" in english["Subject"]
    assert "附言" in chinese.get_content()
    assert "附言" in english.get_content()
