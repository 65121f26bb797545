"""The channels by which somebody is reached, as the settings have it. Imported by who delivers; others do not pay for
mail and TLS."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from heartrule.jobs.email import Mail, MailServer
from heartrule.jobs.notice import Sender
from heartrule.jobs.settings import EscalationSettings, Recipient, trusted
from heartrule.jobs.webhook import Webhook


def senders(settings: EscalationSettings, recipient: Recipient, now: Callable[[], datetime]) -> Mapping[str, Sender]:
    """The channels to ``recipient``, by name."""
    found: dict[str, Sender] = {}
    if recipient.webhook and recipient.secret:
        found["webhook"] = Webhook(
            recipient.webhook,
            recipient.secret.get_secret_value().encode(),
            now,
            allow_private=recipient.allow_private,
            trusted=trusted(recipient.ca_file),
        )
    server = mail_server(settings)
    if recipient.email and server:
        found["email"] = Mail(server, recipient.email)
    return found


def mail_server(settings: EscalationSettings) -> MailServer | None:
    smtp = settings.smtp
    if smtp is None:
        return None
    return MailServer(
        smtp.host,
        smtp.port,
        smtp.sender,
        security=smtp.security,
        user=smtp.user,
        password=smtp.password.get_secret_value() if smtp.password else None,
        trusted=trusted(smtp.ca_file),
    )
