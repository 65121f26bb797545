"""Present values of variables. A global belongs to the person and the project, any other to its session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Row, bindparam, delete, select

from heartrule.store.codec import decode, decode_text, encode, encode_text
from heartrule.store.crypto import Box, place
from heartrule.store.database import Tx
from heartrule.store.dialects import upsert
from heartrule.store.records import VariableRecord
from heartrule.store.schema import variables
from heartrule.store.sessions import Held

_CHANGING = ("type", "updated_at", "updated_by", "strategy", "value", "evidence")

_visible = (
    select(variables)
    .where(variables.c.owner.in_([bindparam("session"), bindparam("globals")]))
    .order_by(variables.c.scope, variables.c.scope_key, variables.c.name)
)
_of_owner = (
    select(variables)
    .where(variables.c.owner == bindparam("globals"))
    .order_by(variables.c.scope, variables.c.scope_key, variables.c.name)
)
_delete_scope = delete(variables).where(
    variables.c.owner == bindparam("of_owner"),
    variables.c.scope == bindparam("of_scope"),
    variables.c.scope_key == bindparam("of_scope_key"),
)
_delete_one = _delete_scope.where(variables.c.name == bindparam("of_name"))


def _globals(held: Held) -> str:
    return f"{held.row.person}/{held.row.project}"


def _owner(held: Held, scope: str) -> str:
    owner: str = _globals(held) if scope == "global" else held.row.id
    return owner


def visible(tx: Tx, held: Held) -> tuple[VariableRecord, ...]:
    rows = tx.conn.execute(_visible, {"session": held.row.id, "globals": _globals(held)})
    return tuple(read(held.box, row) for row in rows)


def global_ones(tx: Tx, held: Held) -> tuple[VariableRecord, ...]:
    rows = tx.conn.execute(_of_owner, {"globals": _globals(held)})
    return tuple(read(held.box, row) for row in rows)


def read(box: Box, row: Row[Any]) -> VariableRecord:
    """A row, opened."""
    where = (row.owner, row.scope, row.scope_key, row.name)
    evidence = row.evidence
    return VariableRecord(
        scope=row.scope,
        scope_key=row.scope_key,
        name=row.name,
        value=decode(box.open(row.value, place("variables", "value", *where))),
        type=row.type,
        updated_at=row.updated_at,
        updated_by=row.updated_by,
        strategy=row.strategy,
        evidence=None if evidence is None else decode_text(box.open(evidence, place("variables", "evidence", *where))),
    )


def write(tx: Tx, held: Held, records: Iterable[VariableRecord]) -> None:
    # Always in the same order, so that two sessions writing one person's globals cannot wait for each other.
    rows = [_row(held, record) for record in sorted(records, key=lambda one: (one.scope, one.scope_key, one.name))]
    if rows:
        tx.conn.execute(upsert(tx.conn, variables, _CHANGING), rows)


def _row(held: Held, record: VariableRecord) -> dict[str, Any]:
    owner = _owner(held, record.scope)
    where = (owner, record.scope, record.scope_key, record.name)
    evidence = record.evidence
    return {
        "owner": owner,
        "scope": record.scope,
        "scope_key": record.scope_key,
        "name": record.name,
        "person": held.row.person,
        "type": record.type,
        "updated_at": record.updated_at,
        "updated_by": record.updated_by,
        "strategy": record.strategy,
        "value": held.box.seal(encode(record.value), place("variables", "value", *where)),
        "evidence": None
        if evidence is None
        else held.box.seal(encode_text(evidence), place("variables", "evidence", *where)),
    }


def remove(tx: Tx, held: Held, scopes: Sequence[tuple[str, str]], single: Sequence[tuple[str, str, str]]) -> None:
    if scopes:
        tx.conn.execute(
            _delete_scope,
            [{"of_owner": _owner(held, scope), "of_scope": scope, "of_scope_key": key} for scope, key in scopes],
        )
    if single:
        tx.conn.execute(
            _delete_one,
            [
                {"of_owner": _owner(held, scope), "of_scope": scope, "of_scope_key": key, "of_name": name}
                for scope, key, name in single
            ],
        )
