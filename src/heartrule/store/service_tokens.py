"""Tokens of programs that act for somebody of the staff. Of the token itself only a keyed digest is kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, delete, insert, select, update

from heartrule.store.accounts import AccountRecord, read
from heartrule.store.codec import decode, encode
from heartrule.store.crypto import Box, place
from heartrule.store.database import Database, Tx
from heartrule.store.staff_schema import service_tokens

CONTENT_BYTES = 512

_insert = insert(service_tokens)
_by_token = select(service_tokens).where(service_tokens.c.token_digest == bindparam("token"))
_one = select(service_tokens).where(service_tokens.c.id == bindparam("id"))
_all = select(service_tokens).order_by(service_tokens.c.created_at, service_tokens.c.id)
_used = update(service_tokens).where(service_tokens.c.id == bindparam("of_id")).values(used_at=bindparam("now"))
_end = delete(service_tokens).where(service_tokens.c.id == bindparam("of_id"))
_end_all = delete(service_tokens).where(service_tokens.c.account == bindparam("of_account"))


@dataclass(frozen=True, slots=True)
class ServiceToken:
    """``account``: for whom the program acts; ``scopes``: all that it may, of what they may."""

    id: str
    account: str
    name: str = field(repr=False)
    scopes: tuple[str, ...]
    created_at: datetime
    until: datetime
    used_at: datetime | None = None


class ServiceTokens:
    """Every method is one transaction. Tokens are given in clear and kept as digests."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def add(self, record: ServiceToken, token: str) -> None:
        def work(tx: Tx) -> None:
            index = tx.keys.index()
            content = {"name": record.name, "scopes": record.scopes}
            values = {
                "id": record.id,
                "account": record.account,
                "token_digest": _digest(index, token),
                "created_at": record.created_at,
                "until": record.until,
                "content": index.seal(encode(content), _place(record.id), CONTENT_BYTES),
            }
            tx.conn.execute(_insert, values)

        await self._db.write(work)

    async def of_token(self, token: str) -> tuple[ServiceToken, AccountRecord] | None:
        def work(tx: Tx) -> tuple[ServiceToken, AccountRecord] | None:
            index = tx.keys.index()
            row = tx.conn.execute(_by_token, {"token": _digest(index, token)}).one_or_none()
            account = None if row is None else read(tx, row.account)
            return None if row is None or account is None else (_record(index, row), account)

        return await self._db.read(work)

    async def find(self, token: str) -> ServiceToken | None:
        """By its id."""

        def work(tx: Tx) -> ServiceToken | None:
            row = tx.conn.execute(_one, {"id": token}).one_or_none()
            return None if row is None else _record(tx.keys.index(), row)

        return await self._db.read(work)

    async def all(self) -> tuple[ServiceToken, ...]:
        """The oldest first."""

        def work(tx: Tx) -> tuple[ServiceToken, ...]:
            index = tx.keys.index()
            return tuple(_record(index, row) for row in tx.conn.execute(_all))

        return await self._db.read(work)

    async def used(self, token: str, now: datetime) -> None:
        def work(tx: Tx) -> None:
            tx.conn.execute(_used, {"of_id": token, "now": now})

        await self._db.write(work)

    async def end(self, token: str) -> bool:
        """Whether there was one."""

        def work(tx: Tx) -> bool:
            return tx.conn.execute(_end, {"of_id": token}).rowcount == 1

        return await self._db.write(work)

    async def end_all(self, account: str) -> None:
        def work(tx: Tx) -> None:
            tx.conn.execute(_end_all, {"of_account": account})

        await self._db.write(work)


def _digest(index: Box, token: str) -> bytes:
    return index.digest(place("service_tokens", "token", token))


def _place(token: str) -> bytes:
    return place("service_tokens", "content", token)


def _record(index: Box, row: Row[Any]) -> ServiceToken:
    content = decode(index.open(row.content, _place(row.id)))
    return ServiceToken(
        row.id, row.account, content["name"], tuple(content["scopes"]), row.created_at, row.until, row.used_at
    )
