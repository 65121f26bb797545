"""Signing in and out. What a browser holds is a random token that stands for one sign-in; each sign-in makes a new one,
and ends the one that the browser came with."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Literal

from heartrule.identity import codes, login_throttle
from heartrule.identity.accounts import WrongCode, principal_of
from heartrule.identity.login_throttle import TooSoon
from heartrule.identity.passwords import Passwords
from heartrule.identity.principal import Principal
from heartrule.sessions.clock import Clock
from heartrule.store.accounts import AccountRecord, folded
from heartrule.store.audit import AuditRecord
from heartrule.store.sign_ins import SignIn
from heartrule.store.store import Store

SEEN = timedelta(minutes=1)
"""How exactly it is kept when a sign-in was last used."""
LONGEST_AGENT = 200
ANYBODY, KNOWN = "*", "device"
How = Literal["password", "passkey", "provider", "link"]


class Failed(Exception):
    """No such account, or not its password; which of the two is not told."""


class CodeNeeded(Exception):
    """The password is right, and a one-time code is asked for."""


@dataclass(frozen=True, slots=True)
class SignInLifetime:
    """How long a sign-in lasts at most, and how long it lasts unused."""

    longest: timedelta = timedelta(hours=12)
    idle: timedelta = timedelta(hours=2)


@dataclass(frozen=True, slots=True)
class Browser:
    """What comes with a request to sign in: from which address, what the browser calls itself, the token by which it is
    known, and that of the sign-in that it still holds."""

    address: str = field(repr=False)
    agent: str = field(default="", repr=False)
    device: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """``token`` and ``device`` go into the browser's cookies."""

    principal: Principal
    token: str = field(repr=False)
    device: str = field(repr=False)


def csrf_of(token: str) -> str:
    """What a page of ours must send along: who lacks the cookie cannot know it, and other pages cannot read it."""
    return hmac.new(token.encode(), b"heartrule csrf", hashlib.sha256).hexdigest()


class SignInService:
    def __init__(self, store: Store, clock: Clock, hashes: Passwords, lasting: SignInLifetime) -> None:
        self._store, self._clock, self._hashes, self._lasting = store, clock, hashes, lasting
        self.lasting = lasting

    async def with_password(self, name: str, password: str, code: str | None, browser: Browser) -> SignedIn:
        """Raises ``Failed``, ``CodeNeeded``, ``WrongCode``, ``TooSoon``."""
        account = await self._store.accounts.named(name)
        source = await self._source(account, browser)
        await self._count(name, source, browser)
        known = account.password if account is not None and not account.disabled else None
        right = await self._hashes.is_right(password, known, expected=source.startswith(KNOWN))
        if not right or account is None:
            raise Failed
        if account.totp is not None:
            if not code:
                raise CodeNeeded  # and the try stays counted: else codes could be guessed between two of these
            account = await self._with_code(account, code)
        if account.password is not None and self._hashes.is_outdated(account.password):
            hashed = await self._hashes.hashed(password)
            await self._store.accounts.change(account.id, lambda found: replace(found, password=hashed))
        await self._was_right(name, source, browser)
        return await self.begin(account, browser, "password")

    async def _source(self, account: AccountRecord | None, browser: Browser) -> str:
        """A browser that they have signed in with counts by itself, whatever else its address tries."""
        if (
            account is not None
            and browser.device
            and await self._store.sign_ins.knows_device(browser.device, account.id)
        ):
            return f"{KNOWN} {browser.device}"
        return f"address {browser.address}"

    async def _count(self, name: str, source: str, browser: Browser) -> None:
        wait = await self._store.guesses.begin(folded(name), source, self._clock.now(), login_throttle.delay)
        if not wait and not source.startswith(KNOWN):
            now = self._clock.now()
            wait = await self._store.guesses.begin(ANYBODY, browser.address, now, login_throttle.delay_of_source)
        if wait:
            raise TooSoon(wait)

    async def _was_right(self, name: str, source: str, browser: Browser) -> None:
        """Of the address only this one try is taken back: whoever has one account is not to guess freely at the
        rest."""
        await self._store.guesses.right(folded(name), source)
        if not source.startswith(KNOWN):
            await self._store.guesses.take_back(ANYBODY, browser.address, self._clock.now())

    async def _with_code(self, account: AccountRecord, code: str) -> AccountRecord:
        now = self._clock.now()

        def used(known: AccountRecord) -> AccountRecord:
            step = codes.step_of(known.totp or "", code.replace(" ", ""), now, known.totp_last)
            if step is not None:
                return replace(known, totp_last=step)
            left = codes.without(code, known.recovery)
            if left is None:
                raise WrongCode
            return replace(known, recovery=left)

        done = await self._store.accounts.change(account.id, used)
        if done is None:
            raise Failed
        return done

    async def begin(self, account: AccountRecord, browser: Browser, how: How, proof: str | None = None) -> SignedIn:
        """A sign-in of somebody who has shown who they are; ``how``, for the record; ``proof``: how a provider said
        so."""
        now, token = self._clock.now(), secrets.token_urlsafe(32)
        # One that the browser only claims to be known by may be somebody else's choice.
        known = browser.device and await self._store.sign_ins.knows_device(browser.device, account.id)
        device = browser.device if browser.device and known else secrets.token_urlsafe(32)
        agent = browser.agent[:LONGEST_AGENT]
        record = SignIn(secrets.token_hex(8), account.id, now, now, now + self._lasting.longest, agent, proof)
        await self._store.sign_ins.begin(record, token, device, browser.token)
        principal = principal_of(account, record.id)
        await self._store.audit.note(AuditRecord(account.id, principal.role, "", "sign_in", now, how))
        return SignedIn(principal, token, device)

    async def whose(self, token: str) -> Principal | None:
        """Who is signed in with it; None where nobody is any more."""
        found = await self._store.sign_ins.of_token(token)
        if found is None:
            return None
        sign_in, account = found
        now = self._clock.now()
        if account.disabled or now >= min(sign_in.until, sign_in.seen_at + self._lasting.idle):
            return None
        if now - sign_in.seen_at >= SEEN:
            await self._store.sign_ins.seen(sign_in.id, now)
        return principal_of(account, sign_in.id)

    async def standing(self, account: str, sign_in: str) -> Principal | None:
        """Whose sign-in it is, by its id; None where it counts no more. To be asked after is no use of it."""
        known = await self._store.accounts.find(account)
        if known is None or known.disabled:
            return None
        principal = principal_of(known, sign_in)
        return principal if await self.current(principal) is not None else None

    async def of(self, principal: Principal) -> Sequence[SignIn]:
        now = self._clock.now()
        found = await self._store.sign_ins.of_account(principal.id)
        return [each for each in found if now < min(each.until, each.seen_at + self._lasting.idle)]

    async def current(self, principal: Principal) -> SignIn | None:
        """The one by which they ask."""
        return next((each for each in await self.of(principal) if each.id == principal.sign_in), None)

    async def since(self, principal: Principal) -> timedelta:
        """How long ago they showed who they are."""
        found = await self.current(principal)
        return self._clock.now() - found.created_at if found is not None else timedelta.max

    async def end(self, principal: Principal, sign_in: str) -> bool:
        """Whether it was one of theirs."""
        return await self._store.sign_ins.end(principal.id, sign_in)
