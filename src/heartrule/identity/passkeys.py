"""Passkeys (WebAuthn): a key in somebody's device signs what we ask, and only where they have shown the device that it
is they. So one stands for what they have and for what they are or know, and nobody can be asked for it elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import webauthn
from webauthn.helpers import (
    base64url_to_bytes,
    bytes_to_base64url,
    options_to_json_dict,
    parse_client_data_json,
)
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from heartrule.identity.principal import is_name
from heartrule.sessions.clock import Clock
from heartrule.store.accounts import AccountRecord, Passkey
from heartrule.store.store import Store

RELYING = "HeartRule"
LASTS = timedelta(minutes=10)
"""So long what was asked may be answered."""


class Refused(Exception):
    """It answers nothing that was asked here, or not as it must be answered."""


class BadTitle(Exception):
    pass


@dataclass(frozen=True, slots=True)
class MadePasskey:
    """``told``: what was kept when it was asked for."""

    passkey: Passkey
    told: Mapping[str, Any]


class Passkeys:
    """``origin`` is everywhere the address that the page was opened at: a passkey counts at the host that it was made
    for."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    async def begin_making(
        self, origin: str, account: str, name: str, known: Sequence[Passkey], told: Mapping[str, Any]
    ) -> dict[str, Any]:
        """What a browser makes one from. ``account``: whose, by the id that they have or will have; ``told``: kept
        until it is answered."""
        options = webauthn.generate_registration_options(
            rp_id=_host(origin),
            rp_name=RELYING,
            user_id=account.encode(),
            user_name=name,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(each.id)) for each in known],
        )
        await self._keep("make", options.challenge, {"account": account, **told})
        return options_to_json_dict(options)

    async def made(self, origin: str, credential: Mapping[str, Any], title: str) -> MadePasskey:
        """Raises ``Refused``, ``BadTitle``."""
        if not is_name(title):
            raise BadTitle
        challenge, told = await self._asked("make", credential)
        try:
            found = webauthn.verify_registration_response(
                credential=dict(credential),
                expected_challenge=challenge,
                expected_rp_id=_host(origin),
                expected_origin=origin,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError, KeyError, TypeError):
            raise Refused from None
        passkey = Passkey(
            id=bytes_to_base64url(found.credential_id),
            public_key=bytes_to_base64url(found.credential_public_key),
            count=found.sign_count,
            title=title,
            made_at=self._clock.now().isoformat(),
            synced=found.credential_backed_up,
        )
        return MadePasskey(passkey, told)

    async def begin_signing_in(self, origin: str) -> dict[str, Any]:
        """What any passkey of this host may answer: who has an account is not told by it."""
        options = webauthn.generate_authentication_options(
            rp_id=_host(origin), user_verification=UserVerificationRequirement.REQUIRED
        )
        await self._keep("enter", options.challenge, {})
        return options_to_json_dict(options)

    async def whose(self, origin: str, credential: Mapping[str, Any]) -> AccountRecord:
        """Who has signed, as they are now. Raises ``Refused``."""
        challenge, _ = await self._asked("enter", credential)
        try:
            handle = base64url_to_bytes(credential["response"]["userHandle"]).decode()
            account = await self._store.accounts.find(handle)
        except (KeyError, TypeError, ValueError):
            raise Refused from None
        if account is None or account.disabled:
            raise Refused
        used = self._clock.now()
        done = await self._store.accounts.change(
            account.id, lambda known: _signed(known, origin, credential, challenge, used)
        )
        if done is None:
            raise Refused
        return done

    async def _keep(self, kind: str, challenge: bytes, told: Mapping[str, Any]) -> None:
        now = self._clock.now()
        await self._store.challenges.add(f"passkey {kind}", bytes_to_base64url(challenge), told, now, now + LASTS)

    async def _asked(self, kind: str, credential: Mapping[str, Any]) -> tuple[bytes, dict[str, Any]]:
        """What it answers, which counts once."""
        try:
            given = base64url_to_bytes(credential["response"]["clientDataJSON"])
            challenge = parse_client_data_json(given).challenge
        except (WebAuthnException, ValueError, KeyError, TypeError):
            raise Refused from None
        told = await self._store.challenges.take(f"passkey {kind}", bytes_to_base64url(challenge), self._clock.now())
        if told is None:
            raise Refused
        return challenge, told


def _signed(
    account: AccountRecord, origin: str, credential: Mapping[str, Any], challenge: bytes, at: datetime
) -> AccountRecord:
    """The account with the passkey as it is after this use. A count that does not grow tells of a copy."""
    passkey = next((each for each in account.passkeys if each.id == credential.get("id")), None)
    if passkey is None:
        raise Refused
    try:
        found = webauthn.verify_authentication_response(
            credential=dict(credential),
            expected_challenge=challenge,
            expected_rp_id=_host(origin),
            expected_origin=origin,
            credential_public_key=base64url_to_bytes(passkey.public_key),
            credential_current_sign_count=passkey.count,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError):
        raise Refused from None
    used = replace(passkey, count=found.new_sign_count, used_at=at.isoformat(), synced=found.credential_backed_up)
    return replace(account, passkeys=tuple(used if each.id == passkey.id else each for each in account.passkeys))


def _host(origin: str) -> str:
    return urlsplit(origin).hostname or ""
