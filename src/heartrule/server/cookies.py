"""The cookies of the staff: what stands for a sign-in, what a browser is known again by, and, while it is at a
provider, what binds the answer to it."""

from __future__ import annotations

from urllib.parse import urlsplit

from fastapi import Request, Response
from starlette.requests import HTTPConnection

from heartrule.identity.settings import StaffSettings
from heartrule.identity.sign_in import SignedIn

KNOWN_DAYS = 180
"""So long a browser is known after somebody has signed in with it."""
CSRF = "X-CSRF-Token"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def is_secure(request: HTTPConnection, settings: StaffSettings) -> bool:
    """Whether it came encrypted; from a proxy in front of us, by what it says, where it is trusted."""
    return settings.secure or request.url.scheme in ("https", "wss")


def names(request: HTTPConnection, settings: StaffSettings) -> tuple[str, str]:
    """Of the sign-in, of the browser. With ``__Host-`` no other host, path or unencrypted page can set them."""
    prefix = "__Host-" if is_secure(request, settings) else ""
    return f"{prefix}{settings.cookie}", f"{prefix}{settings.cookie}-browser"


def token_of(request: HTTPConnection, settings: StaffSettings) -> str | None:
    return request.cookies.get(names(request, settings)[0])


def device_of(request: Request, settings: StaffSettings) -> str | None:
    return request.cookies.get(names(request, settings)[1])


def keep(request: Request, response: Response, settings: StaffSettings, signed_in: SignedIn) -> None:
    sign_in, browser = names(request, settings)
    secure = is_secure(request, settings)
    longest = int(settings.longest.total_seconds())
    response.set_cookie(
        sign_in, signed_in.token, max_age=longest, secure=secure, httponly=True, samesite="strict", path="/"
    )
    known = KNOWN_DAYS * 24 * 3600
    response.set_cookie(
        browser, signed_in.device, max_age=known, secure=secure, httponly=True, samesite="strict", path="/"
    )


def drop(request: Request, response: Response, settings: StaffSettings) -> None:
    """The browser stays known."""
    secure = is_secure(request, settings)
    response.delete_cookie(names(request, settings)[0], secure=secure, httponly=True, samesite="strict", path="/")


def _handle(request: HTTPConnection, settings: StaffSettings) -> str:
    return f"{names(request, settings)[0]}-provider"


def handle_of(request: HTTPConnection, settings: StaffSettings) -> str | None:
    return request.cookies.get(_handle(request, settings))


def keep_handle(request: Request, response: Response, settings: StaffSettings, handle: str) -> None:
    """What binds the answer of a provider to the browser that was sent there."""
    secure = is_secure(request, settings)
    name = _handle(request, settings)
    response.set_cookie(name, handle, max_age=600, secure=secure, httponly=True, samesite="strict", path="/")


def drop_handle(request: Request, response: Response, settings: StaffSettings) -> None:
    secure = is_secure(request, settings)
    response.delete_cookie(_handle(request, settings), secure=secure, httponly=True, samesite="strict", path="/")


def is_from_elsewhere(request: HTTPConnection, settings: StaffSettings) -> bool:
    """Whether a page of another origin makes the browser ask. Browsers say so; who says nothing is no browser."""
    if request.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        return True
    origin = request.headers.get("origin")
    if origin is None:
        return False
    if settings.origin:
        return origin.lower() != settings.origin
    return urlsplit(origin).netloc.lower() != request.headers.get("host", "").lower()
