"""Browsers of the staff that may be woken. Where one is reached is a secret of its own – who knows it may wake it – and
is kept sealed; it goes with the sign-in by which it was said."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, or_, select

from heartrule.store.accounts import read
from heartrule.store.codec import decode_text, encode_text
from heartrule.store.crypto import Box, place
from heartrule.store.database import Database, Tx
from heartrule.store.schema import sign_ins
from heartrule.store.staff_schema import push_subscriptions

CONTENT_BYTES = 1024
COUNSELLOR, EVERY = "counsellor", "*"

_insert = insert(push_subscriptions)
_instead = delete(push_subscriptions).where(
    or_(
        push_subscriptions.c.endpoint_digest == bindparam("endpoint"),
        push_subscriptions.c.sign_in == bindparam("of_sign_in"),
    )
)
_drop = delete(push_subscriptions).where(push_subscriptions.c.sign_in == bindparam("of_sign_in"))
_of_sign_in = select(push_subscriptions.c.sign_in).where(push_subscriptions.c.sign_in == bindparam("of_sign_in"))
_all = select(push_subscriptions, sign_ins.c.until).join(sign_ins, sign_ins.c.id == push_subscriptions.c.sign_in)


@dataclass(frozen=True, slots=True)
class PushSubscription:
    """A browser in which somebody is signed in, by that sign-in; ``endpoint``: where its push service takes calls."""

    sign_in: str
    account: str
    endpoint: str = field(repr=False)


class PushSubscriptions:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def put(self, record: PushSubscription) -> None:
        """A sign-in has one, and an endpoint belongs to who has named it last."""

        def work(tx: Tx) -> None:
            index = tx.keys.index()
            digest = _digest(index, record.endpoint)
            tx.conn.execute(_instead, {"endpoint": digest, "of_sign_in": record.sign_in})
            sealed = index.seal(encode_text(record.endpoint), _place(digest), CONTENT_BYTES)
            values = {"endpoint_digest": digest, "sign_in": record.sign_in, "account": record.account}
            tx.conn.execute(_insert, {**values, "content": sealed})

        await self._db.write(work)

    async def drop(self, sign_in: str) -> None:
        def work(tx: Tx) -> None:
            tx.conn.execute(_drop, {"of_sign_in": sign_in})

        await self._db.write(work)

    async def has(self, sign_in: str) -> bool:
        def work(tx: Tx) -> bool:
            return tx.conn.execute(_of_sign_in, {"of_sign_in": sign_in}).scalar() is not None

        return await self._db.read(work)

    async def for_project(self, project: str, now: datetime) -> tuple[PushSubscription, ...]:
        """Of counsellors who may see sessions of ``project`` and are signed in still."""

        def work(tx: Tx) -> tuple[PushSubscription, ...]:
            index, found = tx.keys.index(), []
            for row in tx.conn.execute(_all):
                account = read(tx, row.account)
                if account is None or account.disabled or COUNSELLOR not in account.roles or row.until <= now:
                    continue
                if EVERY in account.projects or project in account.projects:
                    endpoint = decode_text(index.open(row.content, _place(row.endpoint_digest)))
                    found.append(PushSubscription(row.sign_in, row.account, endpoint))
            return tuple(found)

        return await self._db.read(work)

    async def seed(self) -> bytes:
        """32 secret bytes, the same for every process over this store; the key of push services is made from them."""

        def work(tx: Tx) -> bytes:
            return tx.keys.index().digest(place("push_subscriptions", "key"))

        return await self._db.read(work)


def _digest(index: Box, endpoint: str) -> bytes:
    return index.digest(place("push_subscriptions", "endpoint", endpoint))


def _place(digest: bytes) -> bytes:
    return place("push_subscriptions", "content", bytes(digest).hex())
