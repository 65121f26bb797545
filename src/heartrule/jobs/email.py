"""An e-mail, handed to the operator's own mail server."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Sequence
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from hashlib import sha256

from aiosmtplib import SMTP, SMTPException, SMTPRecipientsRefused, SMTPResponseException, SMTPTimeoutError

from heartrule.jobs.notice import (
    Notice,
    Security,
    Undelivered,
    asking_body,
    asking_subject,
    body,
    digest_body,
    digest_subject,
    subject,
)
from heartrule.store.contacts import AskedContact

DEADLINE = 20.0
"""Seconds for everything."""


class MailServer:
    """Where mail is handed in. ``password`` is shown to nobody."""

    def __init__(
        self,
        host: str,
        port: int,
        sender: str,
        *,
        security: Security = "starttls",
        user: str | None = None,
        password: str | None = None,
        trusted: ssl.SSLContext | None = None,
        deadline: float = DEADLINE,
    ) -> None:
        self._host, self._port, self._security, self._trusted = host, port, security, trusted
        self._user, self._password, self._deadline = user, password, deadline
        self.sender = sender

    async def deliver(self, message: EmailMessage) -> None:
        try:
            async with asyncio.timeout(self._deadline), self._connection() as smtp:
                await smtp.send_message(message)
        except (TimeoutError, SMTPTimeoutError):
            raise Undelivered("timeout") from None
        except SMTPRecipientsRefused:
            raise Undelivered("recipient refused") from None
        except SMTPResponseException as refused:
            raise Undelivered(f"reply {refused.code}") from None
        except (SMTPException, OSError, ValueError):
            raise Undelivered("no connection") from None

    def _connection(self) -> SMTP:
        """Under ``starttls`` a server that does not offer it is refused: nothing is said in clear."""
        return SMTP(
            hostname=self._host,
            port=self._port,
            username=self._user,
            password=self._password,
            timeout=self._deadline,
            use_tls=self._security == "tls",
            start_tls=self._security == "starttls",
            tls_context=self._trusted,
        )


def request(sender: str, asked: AskedContact, link: str, at: datetime) -> EmailMessage:
    """Asks a contact, in both languages, whether they agree to be told. Nothing that a person wrote stands in it but
    the two names, which hold no links."""
    contact = asked.contact
    message = EmailMessage()
    message["From"] = sender
    message["To"] = Address(addr_spec=contact.address)
    message["Subject"] = asking_subject()
    message["Date"] = at
    domain = sender.rpartition("@")[2].rstrip(">")
    message["Message-ID"] = f"<{sha256(asked.token.encode()).hexdigest()[:32]}@{domain}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(asking_body(contact.name, contact.known_as, link))
    return message


def digest(sender: str, address: str, language: str, lines: Sequence[str], key: str, at: datetime) -> EmailMessage:
    """Tells an author what was said to them. Of the same ``key`` it is the same mail."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = Address(addr_spec=address)
    message["Subject"] = digest_subject(language)
    message["Date"] = at
    domain = sender.rpartition("@")[2].rstrip(">")
    message["Message-ID"] = f"<{sha256(key.encode()).hexdigest()[:32]}@{domain}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(digest_body(language, lines))
    return message


class Mail:
    """Sends notices to ``address``."""

    def __init__(self, server: MailServer, address: str) -> None:
        self._server, self._address = server, address

    async def send(self, notice: Notice) -> None:
        message = EmailMessage()
        message["From"] = self._server.sender
        message["To"] = self._address
        message["Subject"] = subject(notice)
        message["Date"] = notice.at
        # The same at every attempt: a mailbox that has it shows it once.
        domain = self._server.sender.rpartition("@")[2].rstrip(">")
        message["Message-ID"] = f"<{sha256(f'{notice.key} {notice.to}'.encode()).hexdigest()[:32]}@{domain}>"
        message["Auto-Submitted"] = "auto-generated"
        message["X-Idempotency-Key"] = notice.key
        message.set_content(body(notice))
        await self._server.deliver(message)
