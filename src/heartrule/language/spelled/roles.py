"""``roles``: who speaks is said by ``type: AI`` or ``HUMAN`` elsewhere, and ``role`` is what the part is called."""

from __future__ import annotations

from heartrule.language.page import scalar
from heartrule.language.rewriting import Edit, Piece
from heartrule.language.spelled.found import Made, Spelled

KINDS = {"AI": "ai", "HUMAN": "person", "USER": "person", "ROBOT": "ai", "BOT": "ai"}


def spelled(here: Spelled) -> Made:
    role, kind = here.get("role"), here.get("type")
    own = here.text("role")
    form = KINDS.get((here.text("type") or "").upper())
    if role is None or kind is None or own is None or form is None or role.value.kind != "scalar":
        return
    page, value = here.page, role.value
    if "\n" in own:
        return
    named: tuple[Piece, ...] = ()
    if here.node.flow:
        told = [page.above(here.node.start, own)] if here.get("name") and here.text("name") != own else []
        named = () if here.get("name") else (f", name: {scalar(own)}",)
        yield [*told, Edit(value.start, value.end, (form, *named)), *page.remove(here.node, kind)]
        return
    if here.get("name") is None:
        named = ("\n" + " " * page.column(role.key.start) + f"name: {scalar(own)}",)
    elif here.text("name") != own:
        named = (f"  # {own}",)
    written = Edit(value.start, value.end, (form, *named))
    yield [written, *page.remove(here.node, kind)]
