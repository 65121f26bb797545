"""Present values of variables. A global belongs to the person and the project, any other to its session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, delete, select

from heartrule.store.codec import decode, encode
from heartrule.store.crypto import Box, place
from heartrule.store.database import Tx
from heartrule.store.dialects import upsert
from heartrule.store.records import VariableRecord
from heartrule.store.schema import variables
from heartrule.store.sessions import SessionRow

_CHANGING = ("about", "value", "evidence")

ABOUT_BYTES = 256
EVIDENCE_BYTES = 256
"""What they are padded to: whether words prove a value is not to be told by the length of nothing."""

_visible = select(variables).where(variables.c.owner.in_([bindparam("session"), bindparam("globals")]))
_of_owner = select(variables).where(variables.c.owner == bindparam("globals"))
_delete_scope = delete(variables).where(
    variables.c.owner == bindparam("of_owner"),
    variables.c.scope_digest == bindparam("of_scope"),
)
_delete_one = delete(variables).where(
    variables.c.owner == bindparam("of_owner"), variables.c.name_digest == bindparam("of_name")
)


def _globals(held: SessionRow) -> str:
    return f"{held.row.person}/{held.row.project}"


def _owner(held: SessionRow, scope: str) -> str:
    owner: str = _globals(held) if scope == "global" else held.row.id
    return owner


def visible(tx: Tx, held: SessionRow) -> tuple[VariableRecord, ...]:
    rows = tx.conn.execute(_visible, {"session": held.row.id, "globals": _globals(held)})
    return tuple(sorted((read(held.box, row) for row in rows), key=_named))


def global_ones(tx: Tx, held: SessionRow) -> tuple[VariableRecord, ...]:
    rows = tx.conn.execute(_of_owner, {"globals": _globals(held)})
    return tuple(sorted((read(held.box, row) for row in rows), key=_named))


def _named(record: VariableRecord) -> tuple[str, str, str]:
    return record.scope, record.scope_key, record.name


def _digest(box: Box, *names: str) -> bytes:
    return box.digest(place("variables", "name", *names))


def where(row: Row[Any]) -> tuple[str, str]:
    """What the places of a row's sealed columns are made of."""
    return row.owner, bytes(row.name_digest).hex()


def read(box: Box, row: Row[Any]) -> VariableRecord:
    """A row, opened."""
    at = where(row)
    scope, scope_key, name, type_, updated_at, updated_by, strategy = decode(
        box.open(row.about, place("variables", "about", *at))
    )
    return VariableRecord(
        scope=scope,
        scope_key=scope_key,
        name=name,
        value=decode(box.open(row.value, place("variables", "value", *at))),
        type=type_,
        updated_at=datetime.fromisoformat(updated_at),
        updated_by=updated_by,
        strategy=strategy,
        evidence=decode(box.open(row.evidence, place("variables", "evidence", *at))),
    )


def write(tx: Tx, held: SessionRow, records: Iterable[VariableRecord]) -> None:
    # Always in the same order, so that two sessions writing one person's globals cannot wait for each other.
    rows = [_row(held, record) for record in sorted(records, key=_named)]
    if rows:
        tx.conn.execute(upsert(tx.conn, variables, _CHANGING), rows)


def _row(held: SessionRow, record: VariableRecord) -> dict[str, Any]:
    owner, box = _owner(held, record.scope), held.box
    name = _digest(box, record.scope, record.scope_key, record.name)
    at = (owner, name.hex())
    about = [
        *(record.scope, record.scope_key, record.name, record.type),
        *(record.updated_at.isoformat(), record.updated_by, record.strategy),
    ]
    return {
        "owner": owner,
        "name_digest": name,
        "scope_digest": _digest(box, record.scope, record.scope_key),
        "person": held.row.person,
        "about": box.seal(encode(about), place("variables", "about", *at), ABOUT_BYTES),
        "value": box.seal(encode(record.value), place("variables", "value", *at)),
        "evidence": seal_evidence(box, record.evidence, at),
    }


def seal_evidence(box: Box, evidence: str | None, at: tuple[str, str]) -> bytes:
    return box.seal(encode(evidence), place("variables", "evidence", *at), EVIDENCE_BYTES)


def remove(tx: Tx, held: SessionRow, scopes: Sequence[tuple[str, str]], single: Sequence[tuple[str, str, str]]) -> None:
    if scopes:
        tx.conn.execute(
            _delete_scope,
            [{"of_owner": _owner(held, scope), "of_scope": _digest(held.box, scope, key)} for scope, key in scopes],
        )
    if single:
        tx.conn.execute(
            _delete_one,
            [
                {"of_owner": _owner(held, scope), "of_name": _digest(held.box, scope, key, name)}
                for scope, key, name in single
            ],
        )


def digest_of_global(box: Box, name: str) -> bytes:
    return _digest(box, "global", "", name)
