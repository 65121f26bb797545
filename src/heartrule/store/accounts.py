"""Who of the operator's staff can sign in. What is known of them is sealed with the key of the store: their names, what
they may do, the hash of their password. Whoever has the database alone cannot even try passwords."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, func, insert, select, update

from heartrule.store.codec import decode, encode
from heartrule.store.crypto import Box, place
from heartrule.store.database import Database, Tx
from heartrule.store.records import StoreError
from heartrule.store.schema import accounts

CONTENT_BYTES = 2048

_insert = insert(accounts)
_one = select(accounts).where(accounts.c.id == bindparam("id"))
_locked = _one.with_for_update()
_named = select(accounts).where(accounts.c.name_digest == bindparam("name"))
_of_subject = select(accounts).where(accounts.c.subject_digest == bindparam("subject"))
_all = select(accounts)
_count = select(func.count()).select_from(accounts)
_change = (
    update(accounts)
    .where(accounts.c.id == bindparam("of_id"))
    .values(disabled=bindparam("new_disabled"), content=bindparam("new_content"))
)


class NameTaken(StoreError):
    """Somebody signs in with this name already."""


class ShownNameTaken(NameTaken):
    """Persons are shown somebody else under this name."""


@dataclass(frozen=True, slots=True)
class Passkey:
    """``id`` and ``public_key`` are base64url, as a browser sends them. ``count``: how often the authenticator said it
    had been used, 0 where it does not count. ``title``: what its owner calls it. Moments are ISO 8601. ``synced``: its
    maker keeps a copy for other devices."""

    id: str
    public_key: str = field(repr=False)
    count: int
    title: str
    made_at: str
    used_at: str | None = None
    synced: bool = False


@dataclass(frozen=True, slots=True)
class AccountRecord:
    """``name`` is what they sign in with, ``shown_name`` what persons are shown. ``password``: its hash; None: they
    have not chosen one yet. ``totp``: the secret of their one-time codes, ``totp_pending`` one that they have not
    confirmed, ``totp_last`` the last step that was used: no code counts twice. ``recovery``: hashes of the codes that
    are left. ``granted``: a role and the id of the project of the workbench in which it counts. ``subject``: the
    issuer and the subject by which a provider knows them, who then signs them in."""

    id: str
    name: str
    shown_name: str
    roles: tuple[str, ...]
    projects: tuple[str, ...]
    locale: str
    created_at: datetime
    disabled: bool = False
    password: str | None = field(default=None, repr=False)
    totp: str | None = field(default=None, repr=False)
    totp_pending: str | None = field(default=None, repr=False)
    totp_last: int = 0
    recovery: tuple[str, ...] = field(default=(), repr=False)
    granted: tuple[tuple[str, str], ...] = ()
    passkeys: tuple[Passkey, ...] = field(default=(), repr=False)
    subject: tuple[str, str] | None = field(default=None, repr=False)

    @property
    def is_invited(self) -> bool:
        """There is nothing yet that they could sign in by."""
        return self.password is None and not self.passkeys and self.subject is None


def folded(name: str) -> str:
    """Names that are read alike are one name."""
    return unicodedata.normalize("NFKC", name).casefold().strip()


def digest_of_name(index: Box, name: str) -> bytes:
    return index.digest(place("accounts", "name", folded(name)))


class Accounts:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def add(self, record: AccountRecord, *, first: bool = False) -> bool:
        """``first``: only while there is none; whether it was added. Raises ``NameTaken``."""

        def work(tx: Tx) -> bool:
            if first and tx.conn.execute(_count).scalar_one():
                return False
            insert_account(tx, record)
            return True

        return await self._db.write(work)

    async def find(self, account: str) -> AccountRecord | None:
        def work(tx: Tx) -> AccountRecord | None:
            return read(tx, account)

        return await self._db.read(work)

    async def named(self, name: str) -> AccountRecord | None:
        def work(tx: Tx) -> AccountRecord | None:
            index = tx.keys.index()
            row = tx.conn.execute(_named, {"name": digest_of_name(index, name)}).one_or_none()
            return None if row is None else record_of(index, row)

        return await self._db.read(work)

    async def of_subject(self, issuer: str, subject: str) -> AccountRecord | None:
        """Whom a provider knows so."""

        def work(tx: Tx) -> AccountRecord | None:
            index = tx.keys.index()
            row = tx.conn.execute(_of_subject, {"subject": _subject(index, (issuer, subject))}).one_or_none()
            return None if row is None else record_of(index, row)

        return await self._db.read(work)

    async def all(self) -> tuple[AccountRecord, ...]:
        """The oldest first."""

        def work(tx: Tx) -> tuple[AccountRecord, ...]:
            index = tx.keys.index()
            found = [record_of(index, row) for row in tx.conn.execute(_all)]
            return tuple(sorted(found, key=lambda each: (each.created_at, each.name)))

        return await self._db.read(work)

    async def count(self) -> int:
        def work(tx: Tx) -> int:
            found: int = tx.conn.execute(_count).scalar_one()
            return found

        return await self._db.read(work)

    async def change(self, account: str, change: Callable[[AccountRecord], AccountRecord]) -> AccountRecord | None:
        """As it is then; None where there is none. ``change`` may refuse by raising."""
        return await self._db.write(change_one, account, change)


def insert_account(tx: Tx, record: AccountRecord) -> None:
    index = tx.keys.index()
    digest = digest_of_name(index, record.name)
    if tx.conn.execute(_named, {"name": digest}).one_or_none() is not None:
        raise NameTaken("this name is taken")
    _refuse_shown_twice(tx, record)
    values = {
        "id": record.id,
        "name_digest": digest,
        "subject_digest": None if record.subject is None else _subject(index, record.subject),
        "disabled": record.disabled,
        "created_at": record.created_at,
        "content": _seal(index, record),
    }
    tx.conn.execute(_insert, values)


def read(tx: Tx, account: str) -> AccountRecord | None:
    row = tx.conn.execute(_one, {"id": account}).one_or_none()
    return None if row is None else record_of(tx.keys.index(), row)


def change_one(tx: Tx, account: str, change: Callable[[AccountRecord], AccountRecord]) -> AccountRecord | None:
    row = tx.conn.execute(_locked, {"id": account}).one_or_none()
    if row is None:
        return None
    index = tx.keys.index()
    known = record_of(index, row)
    left = change(known)
    if left.shown_name != known.shown_name:
        _refuse_shown_twice(tx, left)
    if left != known:
        given = {"of_id": account, "new_disabled": left.disabled, "new_content": _seal(index, left)}
        tx.conn.execute(_change, given)
    return left


def _refuse_shown_twice(tx: Tx, record: AccountRecord) -> None:
    """Whoever is shown to persons under a colleague's name could be taken for them."""
    index = tx.keys.index()
    others = (record_of(index, row) for row in tx.conn.execute(_all))
    if any(each.id != record.id and folded(each.shown_name) == folded(record.shown_name) for each in others):
        raise ShownNameTaken("this name is shown of somebody else")


def _subject(index: Box, subject: tuple[str, str]) -> bytes:
    return index.digest(place("accounts", "subject", *subject))


_CLEAR = ("id", "created_at", "disabled")


def _seal(index: Box, record: AccountRecord) -> bytes:
    content = {name: value for name, value in asdict(record).items() if name not in _CLEAR}
    return index.seal(encode(content), place("accounts", "content", record.id), CONTENT_BYTES)


def record_of(index: Box, row: Row[Any]) -> AccountRecord:
    content = decode(index.open(row.content, place("accounts", "content", row.id)))
    lists: dict[str, Any] = {name: tuple(content[name]) for name in ("roles", "projects", "recovery")}
    lists["granted"] = tuple((role, project) for role, project in content["granted"])
    lists["passkeys"] = tuple(Passkey(**each) for each in content["passkeys"])
    lists["subject"] = None if content["subject"] is None else tuple(content["subject"])
    return AccountRecord(**{**content, **lists}, id=row.id, created_at=row.created_at, disabled=row.disabled)
