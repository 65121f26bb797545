"""The data keys: one a person, wrapped under the master key, in a database of their own.

Several processes may share them. Who wraps a key checks, in the transaction that stores it, which master key is the
current one; who meets a key wrapped under an unknown master reads the master file again. So a rotation needs nobody to
stop.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, select, update

from heartrule.store import master
from heartrule.store.crypto import ID_BYTES, Box, new_key
from heartrule.store.dialects import insert_missing
from heartrule.store.engines import Engines
from heartrule.store.master import MasterKey, MasterKeyRefused
from heartrule.store.records import Gone, StoreError
from heartrule.store.schema import data_keys, masters

INDEX = "index"
"""Owner of the key that digests subjects, so that a person is found without their subject being readable."""
CACHED = 4096
BATCH = 500

_key_of = select(data_keys).where(data_keys.c.person == bindparam("person"))
_current = select(masters.c.current)


class Keyring:
    def __init__(self, engines: Engines, path: Path, *, cached: int = CACHED) -> None:
        self._engines = engines
        self._path = path
        self._cached = cached
        self._boxes: OrderedDict[str, Box] = OrderedDict()
        self._lock = threading.Lock()
        self._masters = self._open()

    def _open(self) -> tuple[MasterKey, ...]:
        with self._engines.writer.begin() as connection:
            known = connection.execute(_current.with_for_update()).scalar()
            keys = master.read(self._path)
            if keys is None:
                if known is not None:
                    raise MasterKeyRefused(
                        f"{self._path} is missing, and without it nothing that was said can be read."
                        " Put it back from where you keep a copy."
                    )
                keys = master.create(self._path)
            if known is None:
                connection.execute(insert_missing(connection, masters), {"single": 1, "current": keys[0].id})
                known = connection.execute(_current).scalar_one()
            if all(key.id != known for key in keys):
                raise MasterKeyRefused(
                    f"{self._path} is not the key this data was written with. Put the right one back."
                )
        return keys

    # Reading

    def box(self, person: str) -> Box:
        """What seals and opens for this person. ``Gone`` when their key was destroyed."""
        with self._lock:
            box = self._boxes.get(person)
            if box is not None:
                self._boxes.move_to_end(person)
                return box
        with self._engines.reader.connect() as connection:
            row = connection.execute(_key_of, {"person": person}).one_or_none()
        if row is None:
            raise Gone("this person's data has been erased")
        return self._keep(person, Box(bytes.fromhex(row.id), self._unwrap(row)))

    def _keep(self, person: str, box: Box) -> Box:
        with self._lock:
            self._boxes[person] = box
            while len(self._boxes) > self._cached:
                self._boxes.popitem(last=False)
        return box

    def _unwrap(self, row: Row[Any]) -> bytes:
        found = self._master(row.master)
        return found.unwrap(bytes(row.wrapped), row.id, row.person)

    def _master(self, key_id: str) -> MasterKey:
        for attempt in (1, 2):
            for key in self._masters:
                if key.id == key_id:
                    return key
            if attempt == 1:
                self._reread()
        raise MasterKeyRefused(f"{self._path} does not hold the key that some data was written with")

    def _reread(self) -> None:
        keys = master.read(self._path)
        if keys is None:
            raise MasterKeyRefused(f"{self._path} is missing. Put it back from where you keep a copy.")
        self._masters = keys

    # Making and destroying

    def index(self) -> Box:
        return self.create(INDEX)

    def create(self, person: str) -> Box:
        """The person's box, with a new key if there is none yet."""
        try:
            return self.box(person)
        except Gone:
            pass
        with self._engines.writer.begin() as connection:
            current = self._master(connection.execute(_current.with_for_update()).scalar_one())
            key_id, key = secrets.token_hex(ID_BYTES), new_key()
            connection.execute(
                insert_missing(connection, data_keys),
                {
                    "id": key_id,
                    "person": person,
                    "master": current.id,
                    "created_at": datetime.now(UTC),
                    "wrapped": current.wrap(key, key_id, person),
                },
            )
        return self.box(person)

    def destroy(self, person: str) -> None:
        """After this nothing of the person's can be read again, wherever a copy of it may be."""
        with self._engines.writer.begin() as connection:
            connection.execute(delete(data_keys).where(data_keys.c.person == person))
        with self._lock:
            self._boxes.pop(person, None)
        self._engines.scrub("data_keys")

    # Rotating

    def rotate(self, reached: Callable[[str], None] = lambda step: None) -> int:
        """Put a new master key in place of the old one; how many data keys it wraps.

        Every step leaves all keys readable, and a rotation that was broken off is finished by the next one.
        ``reached`` is told of each step when it is done.
        """
        with self._engines.writer.begin() as connection:
            self._locked(connection)
            if len(self._masters) == 1:
                self._masters = (MasterKey.new(), *self._masters)
                master.replace(self._path, self._masters)
                reached("both keys written")
            connection.execute(update(masters).values(current=self._masters[0].id))
        reached("new key current")
        while self._wrap_some():
            reached("some keys wrapped")
        self._engines.scrub("data_keys")
        reached("all keys wrapped")
        with self._engines.writer.begin() as connection:
            current = self._locked(connection)
            counts = select(data_keys.c.master, func.count()).group_by(data_keys.c.master)
            wrapped: dict[str, int] = {row[0]: row[1] for row in connection.execute(counts)}
            if set(wrapped) - {current}:
                raise StoreError("another rotation began meanwhile; run it again")
            self._masters = tuple(key for key in self._masters if key.id == current)
            master.replace(self._path, self._masters)
        reached("old key dropped")
        return wrapped.get(current, 0)

    def _locked(self, connection: Connection) -> str:
        """The current master key's id, held against other rotations, and the file as it now stands."""
        current: str = connection.execute(_current.with_for_update()).scalar_one()
        self._reread()
        return current

    def _wrap_some(self) -> int:
        current = self._masters[0]
        with self._engines.writer.begin() as connection:
            old = select(data_keys).where(data_keys.c.master != current.id).limit(BATCH).with_for_update()
            rows = connection.execute(old).all()
            if rows:
                self._wrap(connection, rows, current)
        return len(rows)

    def _wrap(self, connection: Connection, rows: Sequence[Row[Any]], current: MasterKey) -> None:
        again = (
            update(data_keys)
            .where(data_keys.c.id == bindparam("key_id"))
            .values(master=current.id, wrapped=bindparam("again"))
        )
        connection.execute(
            again,
            [{"key_id": row.id, "again": current.wrap(self._unwrap(row), row.id, row.person)} for row in rows],
        )
