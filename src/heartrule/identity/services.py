"""Tokens of programs: each acts for an account, may a part of what the account may, and can be called back."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from heartrule.identity.accounts import NoSuchAccount, principal_of
from heartrule.identity.principal import Principal, Service, is_name
from heartrule.identity.rights import SCOPES, scopes_of
from heartrule.sessions.clock import Clock
from heartrule.store.accounts import AccountRecord
from heartrule.store.audit import AuditRecord
from heartrule.store.service_tokens import ServiceToken
from heartrule.store.store import Store

PREFIX = "hrs_"
"""By which a leaked one is known for what it is, by us and by whoever searches for such."""
LONGEST_DAYS = 366
MOST = 50
"""Of one account."""
SEEN = timedelta(minutes=1)
"""How exactly it is kept when one was last used."""


class BadName(Exception):
    pass


class BadScope(Exception):
    """No scope, or none that the account could use itself."""


class TooMany(Exception):
    """They have as many as anybody needs."""


@dataclass(frozen=True, slots=True)
class MadeToken:
    """``token`` is told once and not kept."""

    record: ServiceToken
    token: str = field(repr=False)


class Services:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    async def make(self, by: str, account: str, name: str, scopes: Sequence[str], days: int) -> MadeToken:
        """``days``: how long it counts. Raises ``NoSuchAccount``, ``BadName``, ``BadScope``, ``TooMany``."""
        owner = await self._store.accounts.find(account)
        if owner is None:
            raise NoSuchAccount
        if not is_name(name):
            raise BadName
        usable = scopes_of(principal_of(owner, None))
        if not scopes or not set(scopes) <= set(usable):
            raise BadScope
        if sum(each.account == account for each in await self._store.service_tokens.all()) >= MOST:
            raise TooMany
        now, token = self._clock.now(), PREFIX + secrets.token_urlsafe(32)
        kept = tuple(scope for scope in SCOPES if scope in scopes)
        until = now + timedelta(days=min(days, LONGEST_DAYS))
        record = ServiceToken(secrets.token_hex(8), account, name, kept, now, until)
        await self._store.audit.note(AuditRecord(by, "", "", "service", now, record.id))
        await self._store.service_tokens.add(record, token)
        return MadeToken(record, token)

    async def all(self) -> Sequence[ServiceToken]:
        """The oldest first, those that have run out among them."""
        return await self._store.service_tokens.all()

    async def of(self, account: str) -> Sequence[ServiceToken]:
        return [each for each in await self.all() if each.account == account]

    async def revoke(self, by: str, token: str, account: str | None = None) -> bool:
        """By its id; ``account``: only where it is theirs. Whether there was such a one."""
        found = await self._store.service_tokens.find(token)
        if found is None or (account is not None and found.account != account):
            return False
        await self._store.audit.note(AuditRecord(by, "", "", "service", self._clock.now(), token))
        return await self._store.service_tokens.end(token)

    async def whose(self, token: str) -> Principal | None:
        """Who asks with it: its account as it is now, and no more than its scopes; None where it counts no more."""
        found = await self._store.service_tokens.of_token(token)
        if found is None or (principal := self._principal(*found)) is None:
            return None
        record, now = found[0], self._clock.now()
        if record.used_at is None or now - record.used_at >= SEEN:
            await self._store.service_tokens.used(record.id, now)
        return principal

    async def standing(self, token: str) -> Principal | None:
        """The same by its id. To be asked after is no use of it."""
        record = await self._store.service_tokens.find(token)
        account = await self._store.accounts.find(record.account) if record is not None else None
        return None if record is None or account is None else self._principal(record, account)

    def _principal(self, record: ServiceToken, account: AccountRecord) -> Principal | None:
        if account.disabled or self._clock.now() >= record.until:
            return None
        return principal_of(account, None, Service(record.id, record.name, frozenset(record.scopes)))
