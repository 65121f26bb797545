"""Signing in at a provider (OpenID Connect): the authorization code flow with PKCE, and what the provider then says of
somebody, believed only where it is signed by a key that the provider has now, for us, for this very sign-in."""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import httpx2
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from heartrule.identity.provider_settings import ProviderSettings, is_encrypted
from heartrule.sessions.clock import Clock
from heartrule.store.store import Store

KIND = "provider"
LASTS = timedelta(minutes=10)
"""So long somebody may take at the provider."""
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519", "EdDSA")
"""Signatures that only the provider can make: none that is no signature, and none with a secret that we have too."""
FRESH = 300.0
"""Seconds that the provider's addresses and keys are taken to be as they were: a key that it withdraws counts no
longer than this."""
PATIENCE = 5.0
"""Seconds before they are asked for again on account of a key that is not known."""
DEADLINE = 10.0
"""Seconds for a request to the provider."""
LEEWAY = 60
"""Seconds by which its clock may differ from ours."""


class Unreachable(Exception):
    """The provider does not answer, or not as a provider does."""


class Refused(Exception):
    """What came back is not what was asked for, or is not to be believed. ``why`` is for the log: a fixed word."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class ProviderRedirect:
    """``url``: where the browser goes; ``handle``: what it keeps meanwhile, and nobody else sees."""

    url: str
    handle: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ProviderClaims:
    """What the provider says of somebody. ``proof``: how it said so."""

    issuer: str
    subject: str = field(repr=False)
    name: str = field(repr=False)
    shown_name: str = field(repr=False)
    groups: frozenset[str] = field(repr=False)
    proof: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class _ProviderMetadata:
    metadata: Mapping[str, Any]
    keys: KeySet
    at: float


class Federation:
    """``back`` is everywhere the address to which the provider sends the browser back."""

    def __init__(self, store: Store, clock: Clock, settings: ProviderSettings) -> None:
        self._store, self._clock, self.settings = store, clock, settings
        self._known: _ProviderMetadata | None = None
        self._learning = asyncio.Lock()

    async def begin(self, back: str) -> ProviderRedirect:
        """Raises ``Unreachable``."""
        known = await self._provider()
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        handle, now = secrets.token_urlsafe(32), self._clock.now()
        asked = {"state": state, "nonce": nonce, "verifier": verifier, "back": back}
        await self._store.challenges.add(KIND, handle, asked, now, now + LASTS)
        more: dict[str, Any] = {"acr_values": " ".join(self.settings.acr)} if self.settings.acr else {}
        if self.settings.max_age_minutes:
            more["max_age"] = self.settings.max_age_minutes * 60
        async with self._client(back) as client:
            url, _ = client.create_authorization_url(
                known.metadata["authorization_endpoint"], state=state, code_verifier=verifier, nonce=nonce, **more
            )
        return ProviderRedirect(url, handle)

    async def finish(self, handle: str, code: str, state: str, issuer: str | None) -> ProviderClaims:
        """What the provider says of whoever comes back. Raises ``Unreachable``, ``Refused``."""
        asked = await self._store.challenges.take(KIND, handle, self._clock.now())
        if asked is None:
            raise Refused("nothing asked")
        if not hmac.compare_digest(asked["state"].encode(), state.encode()):
            raise Refused("state")
        if issuer is not None and issuer != self.settings.issuer:
            raise Refused("issuer")
        known = await self._provider()
        async with self._client(asked["back"]) as client:
            try:
                answer = await client.fetch_token(
                    known.metadata["token_endpoint"],
                    grant_type="authorization_code",
                    code=code,
                    code_verifier=asked["verifier"],
                )
            except AuthlibBaseError:
                raise Refused("code") from None
            except (httpx2.HTTPError, ValueError):
                raise Unreachable from None
            proof = answer.get("id_token")
            if not isinstance(proof, str):
                raise Refused("no id token")
            claims = await self._believed(proof, asked["nonce"], answer.get("access_token"))
            claims = await self._with_more(client, known, claims)
        return self._told(claims, proof)

    async def leaving(self, proof: str | None, back: str) -> str | None:
        """Where the browser goes to be signed out at the provider as well; None where it knows no such address."""
        try:
            end = (await self._provider()).metadata.get("end_session_endpoint")
        except Unreachable:
            return None
        if not isinstance(end, str) or not is_encrypted(end):
            return None
        given = {"client_id": self.settings.client_id, "post_logout_redirect_uri": back}
        given |= {"id_token_hint": proof} if proof else {}
        return f"{end}{'&' if '?' in end else '?'}{urlencode(given)}"

    # what it says

    async def _believed(self, proof: str, nonce: str, access: str | None) -> dict[str, Any]:
        token = await self._signed(proof)
        wanted: dict[str, Any] = {
            "iss": {"essential": True, "value": self.settings.issuer},
            "aud": {"essential": True, "value": self.settings.client_id},
            "exp": {"essential": True},
            "iat": {"essential": True},
            "sub": {"essential": True},
        }
        asked: dict[str, Any] = {"nonce": nonce, "client_id": self.settings.client_id, "access_token": access}
        if self.settings.max_age_minutes:
            asked["max_age"] = self.settings.max_age_minutes * 60
        now = int(self._clock.now().timestamp())
        claims = CodeIDToken(token.claims, token.header, wanted, asked)
        try:
            claims.validate(now=now, leeway=LEEWAY)
        except (JoseError, AuthlibBaseError, ValueError, TypeError, KeyError) as error:
            raise Refused(f"claims {getattr(error, 'claim', '') or type(error).__name__}") from None
        if self.settings.acr and claims.get("acr") not in self.settings.acr:
            raise Refused("acr")
        if self.settings.max_age_minutes and now - claims["auth_time"] > self.settings.max_age_minutes * 60 + LEEWAY:
            raise Refused("auth_time")
        return dict(claims)

    async def _signed(self, proof: str) -> jwt.Token:
        """With one of the provider's keys; where it is none of those that are known, of those that it has now."""
        for known in (await self._provider(), None):
            try:
                keys = (known or await self._provider(anew=True)).keys
                return jwt.decode(proof, keys, algorithms=list(ALGORITHMS))
            except (JoseError, ValueError, TypeError, KeyError) as error:
                reason = type(error).__name__
        raise Refused(f"signature {reason}")

    async def _with_more(
        self, client: AsyncOAuth2Client, known: _ProviderMetadata, claims: dict[str, Any]
    ) -> dict[str, Any]:
        """Groups that stand elsewhere: many providers keep the token short."""
        where = known.metadata.get("userinfo_endpoint")
        if self.settings.groups_claim in claims or not isinstance(where, str) or not is_encrypted(where):
            return claims
        try:
            answer = await client.get(where)
            more = answer.json() if answer.status_code == 200 else None
        except (httpx2.HTTPError, AuthlibBaseError, ValueError):
            raise Unreachable from None
        if not isinstance(more, dict) or more.get("sub") != claims["sub"]:
            raise Refused("userinfo")
        return {**more, **claims}

    def _told(self, claims: Mapping[str, Any], proof: str) -> ProviderClaims:
        groups = claims.get(self.settings.groups_claim)
        listed = groups if isinstance(groups, list) else [groups]
        subject = claims["sub"]
        if not isinstance(subject, str) or not subject:
            raise Refused("claims sub")
        name = next((each for key in ("preferred_username", "email") if isinstance(each := claims.get(key), str)), "")
        shown = claims.get("name")
        return ProviderClaims(
            issuer=self.settings.issuer,
            subject=subject,
            name=name or subject,
            shown_name=shown if isinstance(shown, str) else name,
            groups=frozenset(each for each in listed if isinstance(each, str)),
            proof=proof,
        )

    # where it is, and which keys it has

    async def _provider(self, *, anew: bool = False) -> _ProviderMetadata:
        """``anew``: since a key was not among those that are known; not more often than makes sense."""
        async with self._learning:
            age = time.monotonic() - self._known.at if self._known is not None else FRESH
            if self._known is None or age >= (PATIENCE if anew else FRESH):
                self._known = await self._learnt()
            return self._known

    async def _learnt(self) -> _ProviderMetadata:
        issuer = self.settings.issuer
        try:
            async with httpx2.AsyncClient(timeout=DEADLINE, follow_redirects=False) as client:
                found = await _fetched(client, f"{issuer.rstrip('/')}/.well-known/openid-configuration")
                if found.get("issuer") != issuer:
                    raise Unreachable
                needed = [found.get(each) for each in ("authorization_endpoint", "token_endpoint", "jwks_uri")]
                if not all(isinstance(each, str) and is_encrypted(each) for each in needed):
                    raise Unreachable
                keys = KeySet.import_key_set(await _fetched(client, found["jwks_uri"]))
        except (httpx2.HTTPError, JoseError, ValueError, TypeError, KeyError):
            raise Unreachable from None
        return _ProviderMetadata(found, keys, time.monotonic())

    def _client(self, back: str) -> AsyncOAuth2Client:
        secret = self.settings.client_secret.get_secret_value() if self.settings.client_secret else None
        methods = self._known.metadata.get("token_endpoint_auth_methods_supported") if self._known else None
        basic = not isinstance(methods, list) or "client_secret_basic" in methods
        way = "none" if secret is None else "client_secret_basic" if basic else "client_secret_post"
        return AsyncOAuth2Client(
            self.settings.client_id,
            secret,
            token_endpoint_auth_method=way,
            scope=" ".join(self.settings.scopes),
            redirect_uri=back,
            code_challenge_method="S256",
            timeout=DEADLINE,
            follow_redirects=False,
        )


async def _fetched(client: httpx2.AsyncClient, url: str) -> Any:
    answer = await client.get(url, headers={"Accept": "application/json"})
    if answer.status_code != 200:
        raise ValueError
    found = answer.json()
    if not isinstance(found, dict):
        raise ValueError
    return found
