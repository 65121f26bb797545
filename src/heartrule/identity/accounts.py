"""Accounts of the staff: who they are, invited by a link, changed by an administrator."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from heartrule.identity import codes, login_throttle, passwords
from heartrule.identity.passwords import Passwords
from heartrule.identity.principal import EVERY, LONGEST_NAME, ROLES, Principal, ProjectRole, Role, Service, is_name
from heartrule.sessions.clock import Clock
from heartrule.store.accounts import AccountRecord, NameTaken, Passkey, ShownNameTaken
from heartrule.store.audit import AuditRecord, Deed
from heartrule.store.links import Link, LinkKind
from heartrule.store.store import Store

LINKS_LAST = timedelta(hours=24)
TERMINAL = "terminal"
"""Who stands on record for what was done in a terminal, by whoever has the data folder."""

PASSWORD, CODE = "password of sign-in", "code of sign-in"
"""What is asked for again of who is signed in, as tries are counted. No account has such a name and such a source."""


class NoSuchAccount(Exception):
    pass


class LastAdministrator(Exception):
    """Nobody could change accounts any more."""


class NoSuchLink(Exception):
    """There was none, it has been used, or its time is over."""


class BadName(Exception):
    """Not a name that persons may be shown."""


class WrongCode(Exception):
    pass


class WrongPassword(Exception):
    pass


class ProofNeeded(Exception):
    """They have no password to show, and have not signed in just now."""


class LastWayIn(Exception):
    """They could not sign in any more."""


class NoSuchPasskey(Exception):
    pass


class TooManyPasskeys(Exception):
    pass


class ProviderSignsIn(Exception):
    """A provider signs them in, and nothing else does: else whoever it lets in no more could still come."""


class NotAdmitted(Exception):
    """The provider knows them, and they are in no group that is let in, or their account here is disabled."""


MOST_PASSKEYS = 20


@dataclass(frozen=True, slots=True)
class MadeLink:
    """``token`` is told once and not kept."""

    token: str = field(repr=False)
    kind: LinkKind
    until: datetime


def principal_of(account: AccountRecord, sign_in: str | None, service: Service | None = None) -> Principal:
    roles: frozenset[Role] = frozenset(role for role in ROLES if role in account.roles)
    granted = granted_of(account)
    return Principal(account.id, account.shown_name, roles, account.projects, account.locale, sign_in, granted, service)


def granted_of(account: AccountRecord) -> tuple[ProjectRole, ...]:
    """The roles that they have in one project alone."""
    return tuple(ProjectRole(role, project) for role in ROLES for held, project in account.granted if held == role)


class Accounts:
    """``lasts``: how long a link counts. ``by`` is who does it, for the record."""

    def __init__(self, store: Store, clock: Clock, hashes: Passwords, lasts: timedelta = LINKS_LAST) -> None:
        self._store, self._clock, self.hashes, self._lasts = store, clock, hashes, lasts

    async def all(self) -> Sequence[AccountRecord]:
        return await self._store.accounts.all()

    async def are_none(self) -> bool:
        return await self._store.accounts.count() == 0

    async def find(self, account: str) -> AccountRecord:
        found = await self._store.accounts.find(account)
        if found is None:
            raise NoSuchAccount
        return found

    async def named(self, name: str) -> AccountRecord:
        found = await self._store.accounts.named(name)
        if found is None:
            raise NoSuchAccount
        return found

    async def invite(
        self,
        by: str,
        name: str,
        roles: Sequence[Role],
        projects: Sequence[str] = (EVERY,),
        shown_name: str | None = None,
        locale: str = "zh-CN",
        granted: Sequence[ProjectRole] = (),
    ) -> tuple[AccountRecord, MadeLink]:
        """An account without anything to sign in by, and the link by which they choose it. Raises ``NameTaken``,
        ``BadName``."""
        record = self._new(name, roles, projects, shown_name or name, locale)
        record = replace(record, granted=_pairs(granted))
        await self._store.accounts.add(record)
        await self._note(by, "account", record.name)
        return record, await self._link("invitation", record.id)

    def _new(
        self, name: str, roles: Sequence[Role], projects: Sequence[str], shown_name: str, locale: str
    ) -> AccountRecord:
        if not is_name(name) or not is_name(shown_name):
            raise BadName
        return AccountRecord(
            id=secrets.token_hex(8),
            name=name,
            shown_name=shown_name,
            roles=tuple(role for role in ROLES if role in roles),
            projects=tuple(dict.fromkeys(projects)),
            locale=locale,
            created_at=self._clock.now(),
        )

    # links

    async def first_link(self) -> MadeLink | None:
        """For the first administrator, while nobody has an account; a link that was made before counts no more."""
        return await self._link("first", None) if await self.are_none() else None

    async def link(self, by: str, account: str) -> MadeLink:
        """Raises ``NoSuchAccount``, ``ProviderSignsIn``."""
        found = await self.find(account)
        if found.subject is not None:
            raise ProviderSignsIn
        await self._note(by, "link", found.name)
        return await self._link("invitation" if found.is_invited else "reset", account)

    async def _link(self, kind: LinkKind, account: str | None) -> MadeLink:
        now, token = self._clock.now(), secrets.token_urlsafe(24)
        link = Link(kind, account, now + self._lasts)
        await self._store.links.add(link, token, now)
        return MadeLink(token, kind, link.until)

    async def looked_at(self, token: str) -> tuple[Link, AccountRecord | None]:
        """Raises ``NoSuchLink``."""
        link = await self._store.links.find(token, self._clock.now())
        if link is None or (link.account is None and not await self.are_none()):
            raise NoSuchLink
        return link, None if link.account is None else await self.find(link.account)

    async def named_by(self, token: str, name: str | None) -> tuple[str, AccountRecord | None]:
        """What whoever uses the link signs in with, and their account where there is one. Raises ``NoSuchLink``,
        ``BadName``."""
        _, known = await self.looked_at(token)
        chosen = known.name if known is not None else (name or "")
        if not is_name(chosen):
            raise BadName
        return chosen, known

    async def use(self, token: str, name: str | None, password: str) -> AccountRecord:
        """Whose link it is has this password from now on and signs in by nothing else; they are signed in nowhere. The
        first administrator is made by it, may do everything, and can give any of it up. Raises ``NoSuchLink``,
        ``Refused``, ``NameTaken``, ``BadName``."""
        chosen, _ = await self.named_by(token, name)
        passwords.check(password, chosen)
        hashed = await self.hashes.hashed(password)
        return await self._use(
            token, chosen, None, lambda account: replace(account, password=hashed, passkeys=()), "password"
        )

    async def use_with_passkey(self, token: str, name: str | None, account: str, passkey: Passkey) -> AccountRecord:
        """The same with a passkey. ``account``: the id that it was made for. Not where one-time codes are on: whoever
        has got hold of a link would be past them. Raises as ``use`` does."""
        chosen, known = await self.named_by(token, name)
        if known is not None and (known.id != account or known.totp is not None):
            raise NoSuchLink
        return await self._use(
            token, chosen, account, lambda found: replace(found, password=None, passkeys=(passkey,)), "passkey"
        )

    async def _use(
        self,
        token: str,
        name: str,
        first_id: str | None,
        chosen: Callable[[AccountRecord], AccountRecord],
        deed: Deed,
    ) -> AccountRecord:
        link, known = await self.looked_at(token)
        first = None if known is not None else self._new(name, ROLES, (EVERY,), name, "zh-CN")
        if first is not None:
            first = chosen(replace(first, id=first_id or first.id))
        done = await self._store.links.use(token, self._clock.now(), chosen, first)
        if done is None:
            raise NoSuchLink
        await self._store.sign_ins.end_all(done.id)
        await self._note(done.id, deed, link.kind)
        return done

    # changing

    async def change(
        self,
        by: str,
        account: str,
        *,
        roles: Sequence[Role] | None = None,
        projects: Sequence[str] | None = None,
        granted: Sequence[ProjectRole] | None = None,
        disabled: bool | None = None,
        shown_name: str | None = None,
    ) -> AccountRecord:
        """Whoever is disabled is signed in nowhere, and no program acts for them. Raises ``NoSuchAccount``,
        ``LastAdministrator``, ``BadName``, ``NameTaken``."""
        if shown_name is not None and not is_name(shown_name):
            raise BadName
        others = [each for each in await self.all() if each.id != account]

        def changed(known: AccountRecord) -> AccountRecord:
            left = replace(
                known,
                roles=known.roles if roles is None else tuple(role for role in ROLES if role in roles),
                projects=known.projects if projects is None else tuple(dict.fromkeys(projects)),
                granted=known.granted if granted is None else _pairs(granted),
                disabled=known.disabled if disabled is None else disabled,
                shown_name=shown_name or known.shown_name,
            )
            if _administers(known) and not any(_administers(each) for each in (*others, left)):
                raise LastAdministrator
            return left

        done = await self._change(account, changed)
        if done.disabled:
            await self._store.sign_ins.end_all(account)
            await self._store.service_tokens.end_all(account)
        await self._note(by, "account", done.name)
        return done

    async def sign_out(self, by: str, account: str) -> None:
        """Everywhere. Raises ``NoSuchAccount``."""
        found = await self.find(account)
        await self._note(by, "account", found.name)
        await self._store.sign_ins.end_all(account)

    async def tell_of_oneself(self, account: str, shown_name: str | None, locale: str | None) -> AccountRecord:
        """Raises ``BadName``, ``NameTaken``."""
        if shown_name is not None and not is_name(shown_name):
            raise BadName
        return await self._change(
            account,
            lambda known: replace(known, shown_name=shown_name or known.shown_name, locale=locale or known.locale),
        )

    async def choose_password(self, account: str, old: str, new: str, sign_in: str) -> None:
        """All sign-ins but this one end. Raises ``WrongPassword``, ``TooSoon``, ``Refused``."""
        known = await self._proved(account, old, sign_in)
        passwords.check(new, known.name)
        hashed = await self.hashes.hashed(new)
        await self._change(account, lambda found: replace(found, password=hashed))
        await self._store.sign_ins.end_all(account, sign_in)
        await self._note(account, "password", "changed")

    async def _proved(self, account: str, password: str, sign_in: str) -> AccountRecord:
        """Whoever has somebody's cookie has not their password, and is not to find it by trying."""
        known = await self.find(account)
        await self._count(PASSWORD, sign_in)
        if not await self.hashes.is_right(password, known.password):
            raise WrongPassword
        await self._store.guesses.right(PASSWORD, sign_in)
        return known

    async def _count(self, what: str, sign_in: str) -> None:
        """Before it is looked at. By the sign-in, so that whoever guesses in one keeps nobody waiting in another, nor
        who signs in anew."""
        wait = await self._store.guesses.begin(what, sign_in, self._clock.now(), login_throttle.delay)
        if wait:
            raise login_throttle.TooSoon(wait)

    # passkeys

    async def prove(
        self, account: str, password: str | None, sign_in: str, signed_in: timedelta, lasts: timedelta
    ) -> AccountRecord:
        """Whether it is they, before what they sign in by is changed: by their password, or, where they have none, by
        having signed in not longer than ``lasts`` ago. Raises ``WrongPassword``, ``TooSoon``, ``ProofNeeded``."""
        known = await self.find(account)
        if known.password is not None:
            return await self._proved(account, password or "", sign_in)
        if signed_in > lasts:
            raise ProofNeeded
        return known

    async def add_passkey(self, account: str, passkey: Passkey) -> None:
        """Raises ``TooManyPasskeys``."""

        def added(known: AccountRecord) -> AccountRecord:
            if len(known.passkeys) >= MOST_PASSKEYS:
                raise TooManyPasskeys
            return replace(known, passkeys=(*known.passkeys, passkey))

        await self._change(account, added)
        await self._note(account, "passkey", "on")

    async def drop_passkey(self, account: str, passkey: str) -> None:
        """Raises ``NoSuchPasskey``, ``LastWayIn``."""

        def without(known: AccountRecord) -> AccountRecord:
            left = replace(known, passkeys=tuple(each for each in known.passkeys if each.id != passkey))
            if left == known:
                raise NoSuchPasskey
            if left.is_invited:
                raise LastWayIn
            return left

        await self._change(account, without)
        await self._note(account, "passkey", "off")

    # of a provider

    async def admit(
        self,
        subject: tuple[str, str],
        name: str,
        shown_name: str,
        roles: Sequence[Role],
        granted: Sequence[ProjectRole],
        locale: str = "zh-CN",
    ) -> AccountRecord:
        """Somebody whom the provider knows, with what their groups let them do now; their account is made the first
        time. An account that somebody signs in to otherwise is never taken for theirs. Raises ``NotAdmitted``."""
        known = await self._store.accounts.of_subject(*subject)
        if not roles and not granted:
            if known is not None:
                await self._store.sign_ins.end_all(known.id)
                await self._store.service_tokens.end_all(known.id)
            raise NotAdmitted
        held, pairs = tuple(role for role in ROLES if role in roles), _pairs(granted)
        if known is None:
            made = replace(self._new(name_of(subject), held, (EVERY,), name_of(subject), locale), subject=subject)
            return await self._admitted(replace(made, granted=pairs), name, shown_name)
        if known.disabled:
            raise NotAdmitted
        done = await self._change(known.id, lambda found: replace(found, roles=held, granted=pairs))
        if (done.roles, done.granted) != (known.roles, known.granted):
            await self._note(done.id, "account", done.name)
        return done

    async def _admitted(self, record: AccountRecord, name: str, shown_name: str) -> AccountRecord:
        """Under the first name that nobody has; the one that it comes with is made of the subject and nobody's."""
        plain = "".join(sign for sign in name if sign.isprintable()).strip()
        shown = shown_name if is_name(shown_name) else plain[:LONGEST_NAME].strip() or record.name
        for each in (plain, f"{plain[: LONGEST_NAME - len(record.name) - 1]}-{record.name}", record.name):
            if not is_name(each):
                continue
            made = replace(record, name=each, shown_name=shown)
            try:
                await self._add_shown(made)
            except NameTaken:
                continue
            await self._note(made.id, "account", made.name)
            return made
        raise NotAdmitted

    async def _add_shown(self, made: AccountRecord) -> None:
        """Two may have one name in life: the second is shown with what tells them apart."""
        try:
            await self._store.accounts.add(made)
        except ShownNameTaken:
            apart = made.shown_name[: LONGEST_NAME - len(made.name) - 1].strip()
            await self._store.accounts.add(replace(made, shown_name=f"{apart}-{made.name}"))

    # one-time codes

    async def begin_codes(self, account: str, password: str, sign_in: str) -> tuple[str, str]:
        """A secret that counts once a code of it has been told, and the address that an app reads it from. Raises
        ``WrongPassword``, ``TooSoon``."""
        known = await self._proved(account, password, sign_in)
        secret = codes.new_secret()
        await self._change(account, lambda found: replace(found, totp_pending=secret))
        return secret, codes.address(secret, known.name)

    async def confirm_codes(self, account: str, code: str, sign_in: str) -> list[str]:
        """From now on a code is asked for. The recovery codes, which are told once. Raises ``WrongCode``,
        ``TooSoon``."""
        await self._count(CODE, sign_in)
        fresh, now = codes.recovery_codes(), self._clock.now()

        def confirmed(known: AccountRecord) -> AccountRecord:
            step = codes.step_of(known.totp_pending, code, now, 0) if known.totp_pending else None
            if step is None:
                raise WrongCode
            kept = tuple(codes.hashed(each) for each in fresh)
            return replace(known, totp=known.totp_pending, totp_pending=None, totp_last=step, recovery=kept)

        await self._change(account, confirmed)
        await self._store.guesses.right(CODE, sign_in)
        await self._note(account, "codes", "on")
        return fresh

    async def drop_codes(self, account: str, password: str, sign_in: str) -> None:
        """Raises ``WrongPassword``, ``TooSoon``."""
        await self._proved(account, password, sign_in)
        await self.reset_codes(account, account)

    async def reset_codes(self, by: str, account: str) -> AccountRecord:
        """Of who has lost what makes them. Raises ``NoSuchAccount``."""
        done = await self._change(
            account, lambda known: replace(known, totp=None, totp_pending=None, totp_last=0, recovery=())
        )
        await self._note(by, "codes", done.name)
        return done

    async def _change(self, account: str, change: Callable[[AccountRecord], AccountRecord]) -> AccountRecord:
        done = await self._store.accounts.change(account, change)
        if done is None:
            raise NoSuchAccount
        return done

    async def _note(self, by: str, what: Deed, detail: str) -> None:
        await self._store.audit.note(AuditRecord(by, "", "", what, self._clock.now(), detail))


def _administers(account: AccountRecord) -> bool:
    return "administrator" in account.roles and not account.disabled and not account.is_invited


def name_of(subject: tuple[str, str]) -> str:
    """A name for whoever a provider knows so, where theirs cannot be had."""
    return hashlib.sha256("\n".join(subject).encode()).hexdigest()[:8]


def _pairs(granted: Sequence[ProjectRole]) -> tuple[tuple[str, str], ...]:
    return tuple(dict.fromkeys((each.role, each.project) for each in granted))
