"""Who is signed in: what a browser's cookie holds is kept as a keyed digest alone, so that nobody can go in with what
stands in the database."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, delete, func, insert, select, update

from heartrule.store.accounts import AccountRecord, read
from heartrule.store.codec import decode, encode
from heartrule.store.crypto import Box, place
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import upsert
from heartrule.store.schema import devices, sign_ins

AGENT_BYTES = 256

_insert = insert(sign_ins)
_by_token = select(sign_ins).where(sign_ins.c.token_digest == bindparam("token"))
_of_account = select(sign_ins).where(sign_ins.c.account == bindparam("account")).order_by(sign_ins.c.seen_at.desc())
_seen = update(sign_ins).where(sign_ins.c.id == bindparam("of_id")).values(seen_at=bindparam("now"))
_end = delete(sign_ins).where(sign_ins.c.id == bindparam("of_id"), sign_ins.c.account == bindparam("of_account"))
_end_token = delete(sign_ins).where(sign_ins.c.token_digest == bindparam("token"))
_end_all = delete(sign_ins).where(sign_ins.c.account == bindparam("of_account"))
_end_others = _end_all.where(sign_ins.c.id != bindparam("but"))
_over = delete(sign_ins).where(sign_ins.c.until <= bindparam("now"))
_known = select(devices.c.account).where(devices.c.token_digest == bindparam("token"))
_forget_devices = delete(devices).where(devices.c.account == bindparam("of_account"))
_last_seen = select(sign_ins.c.account, func.max(sign_ins.c.seen_at)).group_by(sign_ins.c.account)


@dataclass(frozen=True, slots=True)
class SignIn:
    """``agent``: which browser it says it is. ``proof``: the token by which a provider said who they are, which it
    wants to see again when they sign out."""

    id: str
    account: str
    created_at: datetime
    seen_at: datetime
    until: datetime
    agent: str = field(default="", repr=False)
    proof: str | None = field(default=None, repr=False)


class SignIns:
    """Every method is one transaction. Tokens are given in clear and kept as digests."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def begin(self, record: SignIn, token: str, device: str, instead: str | None) -> None:
        """``device``: the token of the browser, which is known from now on; ``instead``: that of a sign-in which ends
        with this one."""

        def work(tx: Tx) -> None:
            index = tx.keys.index()
            tx.conn.execute(_over, {"now": record.created_at})
            if instead is not None:
                tx.conn.execute(_end_token, {"token": _digest(index, instead)})
            values = {
                "id": record.id,
                "account": record.account,
                "token_digest": _digest(index, token),
                "created_at": record.created_at,
                "seen_at": record.seen_at,
                "until": record.until,
                "content": index.seal(
                    encode([record.agent, record.proof]), place("sign_ins", "content", record.id), AGENT_BYTES
                ),
            }
            tx.conn.execute(_insert, values)
            known = {"token_digest": _device(index, device), "account": record.account, "at": record.created_at}
            tx.conn.execute(upsert(tx.conn, devices, ("account", "at")), known)

        await self._db.write(work)

    async def of_token(self, token: str) -> tuple[SignIn, AccountRecord] | None:
        def work(tx: Tx) -> tuple[SignIn, AccountRecord] | None:
            index = tx.keys.index()
            row = tx.conn.execute(_by_token, {"token": _digest(index, token)}).one_or_none()
            account = None if row is None else read(tx, row.account)
            return None if row is None or account is None else (_record(index, row), account)

        return await self._db.read(work)

    async def of_account(self, account: str) -> tuple[SignIn, ...]:
        """Those that were used last first."""

        def work(tx: Tx) -> tuple[SignIn, ...]:
            index = tx.keys.index()
            return tuple(_record(index, row) for row in tx.conn.execute(_of_account, {"account": account}))

        return await self._db.read(work)

    async def last_seen(self) -> dict[str, datetime]:
        """By account, of those who are signed in somewhere."""

        def work(tx: Tx) -> dict[str, datetime]:
            return {row[0]: row[1] for row in tx.conn.execute(_last_seen)}

        return await self._db.read(work)

    async def seen(self, sign_in: str, now: datetime) -> None:
        def work(tx: Tx) -> None:
            tx.conn.execute(_seen, {"of_id": sign_in, "now": now})

        await self._db.write(work)

    async def end(self, account: str, sign_in: str) -> bool:
        """Whether it was one of theirs."""

        def work(tx: Tx) -> bool:
            return tx.conn.execute(_end, {"of_id": sign_in, "of_account": account}).rowcount == 1

        return await self._db.write(work)

    async def end_all(self, account: str, but: str | None = None) -> None:
        """All of an account, ``but`` one; without one no browser of theirs is known any more."""

        def work(tx: Tx) -> None:
            if but is not None:
                tx.conn.execute(_end_others, {"of_account": account, "but": but})
                return
            tx.conn.execute(_end_all, {"of_account": account})
            tx.conn.execute(_forget_devices, {"of_account": account})

        await self._db.write(work)

    async def knows_device(self, device: str, account: str) -> bool:
        """Whether somebody has signed in to this account with the browser before."""

        def work(tx: Tx) -> bool:
            found = tx.conn.execute(_known, {"token": _device(tx.keys.index(), device)}).scalar()
            return found == account

        return await self._db.read(work)


def _digest(index: Box, token: str) -> bytes:
    return index.digest(place("sign_ins", "token", token))


def _device(index: Box, token: str) -> bytes:
    return index.digest(place("devices", "token", token))


def _record(index: Box, row: Row[Any]) -> SignIn:
    agent, proof = decode(index.open(row.content, place("sign_ins", "content", row.id)))
    return SignIn(row.id, row.account, row.created_at, row.seen_at, row.until, agent, proof)
