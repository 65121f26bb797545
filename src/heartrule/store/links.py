"""Links that let somebody choose a password, once: the first administrator, who was invited, who forgot theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import bindparam, delete, insert, select

from heartrule.store.accounts import AccountRecord, change_one, insert_account
from heartrule.store.crypto import Box, place
from heartrule.store.database import Database, Tx
from heartrule.store.schema import links

LinkKind = Literal["first", "invitation", "reset"]

_insert = insert(links)
_one = select(links).where(links.c.token_digest == bindparam("token"), links.c.until > bindparam("now"))
_use = delete(links).where(links.c.token_digest == bindparam("token"), links.c.until > bindparam("now"))
_over = delete(links).where(links.c.until <= bindparam("now"))
_of_account = delete(links).where(links.c.account == bindparam("of_account"))
_first = delete(links).where(links.c.account.is_(None))


@dataclass(frozen=True, slots=True)
class Link:
    """``account``: whose; None for the first administrator, who has none yet."""

    kind: LinkKind
    account: str | None
    until: datetime


class Links:
    """Every method is one transaction. Tokens are given in clear and kept as digests."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def add(self, link: Link, token: str, now: datetime) -> None:
        """One that was made before for the same account counts no more."""

        def work(tx: Tx) -> None:
            tx.conn.execute(_over, {"now": now})
            if link.account is None:
                tx.conn.execute(_first)
            else:
                tx.conn.execute(_of_account, {"of_account": link.account})
            values = {"token_digest": _digest(tx.keys.index(), token), "kind": link.kind, "account": link.account}
            tx.conn.execute(_insert, {**values, "until": link.until})

        await self._db.write(work)

    async def find(self, token: str, now: datetime) -> Link | None:
        """One that still counts."""

        def work(tx: Tx) -> Link | None:
            row = tx.conn.execute(_one, {"token": _digest(tx.keys.index(), token), "now": now}).one_or_none()
            return None if row is None else Link(row.kind, row.account, row.until)

        return await self._db.read(work)

    async def use(
        self, token: str, now: datetime, change: Callable[[AccountRecord], AccountRecord], first: AccountRecord | None
    ) -> AccountRecord | None:
        """Use it up for what it is for: ``change`` of its account, or ``first``, the account that is made where it
        names none. None where it counts no more. Raises ``NameTaken``; then it still counts."""

        def work(tx: Tx) -> AccountRecord | None:
            given = {"token": _digest(tx.keys.index(), token), "now": now}
            row = tx.conn.execute(_one, given).one_or_none()
            if row is None or tx.conn.execute(_use, given).rowcount != 1:
                return None
            if row.account is not None:
                return change_one(tx, row.account, change)
            if first is not None:
                insert_account(tx, first)
            return first

        return await self._db.write(work)


def _digest(index: Box, token: str) -> bytes:
    return index.digest(place("links", "token", token))
