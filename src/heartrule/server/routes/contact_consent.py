"""The page on which somebody who was named as a contact agrees, or does not. Opening it does neither: what reads mail
before people do opens links too."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from typing import Annotated, Literal

from fastapi import APIRouter, Path
from fastapi.responses import HTMLResponse

from heartrule.server.access import Address, TheContext
from heartrule.server.headers import POLICY

router = APIRouter(prefix="/contact", include_in_schema=False)

Token = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{32}$")]
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY.replace("form-action 'none'", "form-action 'self'"),
}
SAID = {
    "ask": ("有人想把您留作联系人", "Somebody would like to name you as a contact"),
    "agreed": ("谢谢。需要的时候，我们会通知您。", "Thank you. You will be told when you are needed."),
    "refused": ("好的。我们不会再联系您。", "All right. You will hear nothing more from us."),
    "over": ("这个链接已经没有用了。", "This link is of no use any more."),
}


@router.get("/{token}")
async def asked(token: Token) -> HTMLResponse:
    return _page("ask", token)


@router.post("/{token}/{answer}")
async def answered(
    token: Token, answer: Literal["agree", "refuse"], context: TheContext, address: Address
) -> HTMLResponse:
    context.limits.contact(address)
    contacts = context.sessions.store.contacts
    done = await (contacts.confirm(token) if answer == "agree" else contacts.refuse(token))
    if not done:
        return _page("over")
    return _page("agreed" if answer == "agree" else "refused")


def _page(said: str, token: str = "") -> HTMLResponse:
    text = files("heartrule.server").joinpath("texts", "contact.html").read_text(encoding="utf-8")
    ways = files("heartrule.server").joinpath("texts", "contact_ways.html").read_text(encoding="utf-8")
    zh, en = SAID[said]
    body = text.replace("{zh}", escape(zh)).replace("{en}", escape(en))
    body = body.replace("{ways}", ways.replace("{token}", escape(token)) if token else "")
    return HTMLResponse(body, headers=HEADERS)
