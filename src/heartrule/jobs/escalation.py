"""The delivery of an escalation: everybody it is for is told by every channel that reaches them, until they have taken
it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from random import Random

from heartrule import logs
from heartrule.jobs.job import DONE, Attempt
from heartrule.jobs.notice import Language, Notice, Sender, Undelivered
from heartrule.jobs.settings import CONTACT, DESK, EscalationSettings, trusted
from heartrule.locales import is_chinese
from heartrule.sessions.clock import Clock
from heartrule.store.contacts import ContactRecord
from heartrule.store.escalations import KIND, EscalationRecord, Status, settled
from heartrule.store.outbox import Again
from heartrule.store.store import Store

FIRST = timedelta(seconds=5)
LONGEST = timedelta(minutes=15)
JITTER = 0.2
NOBODY = "nobody to tell"
UNKNOWN = "unknown recipient"


class EscalationDelivery:
    """The job of outbox rows of escalations. A step is a recipient and a channel: ``desk.webhook``."""

    kind = KIND

    def __init__(self, store: Store, settings: EscalationSettings, clock: Clock, chance: Random | None = None) -> None:
        self._store, self._settings, self._clock = store, settings, clock
        self._chance = chance or Random()

    async def steps(self, attempt: Attempt) -> Sequence[str]:
        record, row = await self._record(attempt), await self._store.outbox.find(attempt.row)
        if record is None or row is None:
            return []
        names = [name for name in await self._channels(record) if name not in row.done]
        if names:
            await self._store.escalations.begin(record.id)
        return names

    async def take(self, attempt: Attempt, step: str) -> str:
        record = await self._record(attempt)
        if record is None:
            return DONE
        sender = (await self._channels(record)).get(step)
        if sender is None:  # the settings have changed since the attempt began
            return UNKNOWN
        try:
            await sender.send(await self._notice(record, step))
        except Undelivered as fault:
            return fault.kind
        except Exception as error:  # of one way to somebody; the others are gone on with
            return f"fault {logs.fault(error)}"
        return DONE

    async def settle(self, attempt: Attempt, outcomes: Mapping[str, str]) -> None:
        record, row = await self._record(attempt), await self._store.outbox.find(attempt.row)
        if record is None or row is None:
            return
        now = self._clock.now()
        taken = (step for step, outcome in outcomes.items() if outcome == DONE)
        done = tuple(dict.fromkeys((*row.done, *taken)))
        faults = [f"{step}: {outcome}" for step, outcome in outcomes.items() if outcome != DONE]
        unknown = UNKNOWN if self._unknown(record) else None
        again: Again | None = None
        status: Status = "delivered"
        if faults:
            gives_up = now - record.at >= self._settings.give_up
            status = "failed" if gives_up else "delivering"
            again = None if gives_up else Again(now + self._pause(attempt.number), done)
        elif not done:
            status, unknown = "open", NOBODY
        effect = settled(
            record.id,
            status=status,
            attempts=attempt.number,
            error="; ".join(faults) or unknown,
            delivered_at=now if status == "delivered" else None,
        )
        await self._store.outbox.settle(attempt.row, attempt.number, again, effect)

    def _pause(self, number: int) -> timedelta:
        """Twice as long each time, and never the same for two."""
        pause = min(LONGEST, FIRST * 2.0 ** min(number - 1, 20))
        return pause * self._chance.uniform(1 - JITTER, 1 + JITTER)

    async def _record(self, attempt: Attempt) -> EscalationRecord | None:
        return await self._store.escalations.find(attempt.row)

    def _unknown(self, record: EscalationRecord) -> bool:
        return record.to not in (DESK, CONTACT) and self._settings.recipient(record.to) is None

    async def _channels(self, record: EscalationRecord) -> Mapping[str, Sender]:
        """Who is told, and how. Where the one who was named cannot be, the desk is."""
        from heartrule.jobs.channels import mail_server, senders
        from heartrule.jobs.email import Mail

        if record.to == CONTACT:
            contact, server = await self._store.contacts.find(record.person), mail_server(self._settings)
            if contact is not None and contact.confirmed and server is not None:
                return {f"{CONTACT}.{contact.channel}": Mail(server, contact.address)}
        recipient = self._settings.recipient(record.to) or self._settings.recipient(DESK)
        told = senders(self._settings, recipient, self._clock.now) if recipient is not None else {}
        named = {f"{recipient.name}.{channel}": sender for channel, sender in told.items()} if recipient else {}
        woken = await self._browsers(record) if recipient is None or recipient.name == DESK else {}
        return {**named, **woken}

    async def _browsers(self, record: EscalationRecord) -> Mapping[str, Sender]:
        """Browsers of counsellors who may see the session and have asked to be woken; while waking somebody helps: one
        that cannot be reached holds up no delivery for days."""
        push, session = self._settings.push, await self._store.session(record.session)
        if push is None or session is None:
            return {}
        from heartrule.jobs.push import LASTS, Push, PushKey

        if self._clock.now() - record.at > LASTS:
            return {}
        key, kept = PushKey(await self._store.push_subscriptions.seed()), self._store.push_subscriptions
        trust = trusted(push.ca_file)
        return {
            f"{DESK}.push-{each.sign_in}": Push(
                each.endpoint,
                key,
                push.contact,
                self._clock.now,
                partial(kept.drop, each.sign_in),
                allow_private=push.allow_private,
                trusted=trust,
            )
            for each in await kept.for_project(session.project, self._clock.now())
        }

    async def _notice(self, record: EscalationRecord, step: str) -> Notice:
        name = step.partition(".")[0]
        session = await self._store.session(record.session)
        spoken: Language = "zh" if session is None or is_chinese(session.locale) else "en"
        if name == CONTACT:
            contact = await self._store.contacts.find(record.person) or ContactRecord("email", "", "")
            return Notice(
                record.id,
                record.session,
                CONTACT,
                None,
                record.at,
                spoken,
                contact=contact.name,
                known_as=contact.known_as,
            )
        recipient = self._settings.recipient(name)
        return Notice(
            record.id,
            record.session,
            record.to,
            record.level,
            record.at,
            self._settings.language or spoken,
            link=self._link(record),
            note=await self._store.escalations.note(record.id) if recipient and recipient.include_note else None,
        )

    def _link(self, record: EscalationRecord) -> str | None:
        link = self._settings.link
        return link and link.replace("{session}", record.session).replace("{id}", record.id)
