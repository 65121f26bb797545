"""A conversation with the product: a visitor at one door, whoever answers as the model at the other."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.conversations.acts import Act, NotUnderstood, acts
from bench.conversations.form import Form
from bench.conversations.pace import ANSWERING, TalkClock
from bench.conversations.page import Page
from bench.conversations.product import Product, Refused, Session, product
from bench.conversations.reader import ReaderProvider
from bench.conversations.record import MOST, Record, Said, Span
from bench.conversations.sheet import Sheet
from bench.conversations.spool import of_model, of_visitor, written
from bench.conversations.wording import words

from heartrule.sessions.clock import Clock, SystemClock

REFUSED = "the product refused"
PAUSE = 120.0
"""Seconds that pass while a visitor says nothing."""


@dataclass(frozen=True, slots=True)
class Order:
    """``wall``: the time of day is the machine's, for visitors who answer as they would at home. ``projects``: scripts
    beside those we ship."""

    sheet: Sheet
    folder: Path
    script: str
    locale: str
    wall: bool = False
    most: int = MOST
    projects: Sequence[Path] = ()


async def held(order: Order) -> str:
    """Until the conversation is over. Returns why it is."""
    clock = TalkClock.on(order.sheet.today)
    about = {"script": order.script, "locale": order.locale, "most": order.most}
    record = Record.begun(order.folder, "ours", order.sheet, **about)
    turn = [0]
    reader = ReaderProvider(of_model(order.folder), lambda: turn[0])
    time: Clock = SystemClock() if order.wall else clock
    try:
        async with product(reader, time, order.projects) as served:
            visit = Visit(order, record, served, reader, clock, turn)
            reason = await visit.held()
            record.over(reason)
            await reader.quiet()
            written(order.folder / "summary.html", await visit.summary())
    except Refused as refused:
        record.over(reason := f"{REFUSED}: {refused.code}")
    except BaseException as error:
        record.over(f"broken off: {type(error).__name__}")
        raise
    finally:
        record.calls = reader.calls()
        record.close()
    return reason


@dataclass(slots=True)
class Visit:
    """``turn`` holds the number of the turn that is under way, 0 between turns: the reader is told it."""

    order: Order
    record: Record
    served: Product
    reader: ReaderProvider
    clock: TalkClock
    turn: list[int]
    _session: Session | None = field(default=None, init=False)
    _turns: int = field(default=0, init=False)

    @property
    def session(self) -> Session:
        assert self._session is not None
        return self._session

    async def held(self) -> str:
        self._session = await self.served.session(self.order.script, self.order.locale, self.order.sheet.zone)
        await self._turned(self.session.begin())
        page = await self._page()
        while not page.is_last:
            if self.record.messages >= self.order.most:
                return f"broken off after {self.order.most} messages"
            page = await self._answered(page)
            if page.is_last and self.record.about.get("left"):
                return "the visitor left"
        return "the conversation came to its end"

    async def summary(self) -> str:
        return await self.session.summary()

    async def _page(self, remark: str = "") -> Page:
        """Shown, and put before the visitor; what of it is new is taken down."""
        state = await self.session.state()
        news = [each for each in await self.session.news() if each["sender"] != "person"]
        named = [
            {**each, "name": each["name"] or (state["speaker"] if each["sender"] == "ai" else "")} for each in news
        ]
        numbers = await self.served.numbers(self.order.locale, self.order.sheet.zone) if state["in_crisis"] else ()
        page = Page(self.order.locale, named, state["request"], numbers, remark)
        for message in named:
            choices = page.choices if message is named[-1] else ()
            self.record.said.append(Said("counsellor", self._turns, page.text(message), choices))
        self.record.keep()
        self.clock.read("".join(page.text(message) for message in named))
        if page.is_last:
            of_visitor(self.order.folder).put(page.shown())
        return page

    async def _answered(self, page: Page) -> Page:
        """The page that comes of the visitor's answer to this one."""
        spool = of_visitor(self.order.folder)
        said = await spool.answer_of(spool.put(page.shown()))
        try:
            given = [(act, self._input(page, act)) for act in acts(said, self.order.locale)]
        except NotUnderstood as why:
            return Page(page.locale, (), page.request, page.numbers, words(page.locale, "not_understood", why=why))
        texts = [act.text for act, _ in given if act.kind == "message"]
        last, more = given[-1]
        if texts:
            self._note(texts)
            await self._turned(self.session.say(texts))
        if last.kind == "wait":
            await self._waited()
        elif last.kind == "end":
            self.record.about["left"] = True
            await self._turned(self.session.end())
        elif last.kind != "message":
            try:
                await self._turned(self.session.send(more))
            except Refused as refused:
                # The words before it were the session's last, as somebody finds who types and then presses.
                if not texts or refused.code != "closed":
                    raise
            else:
                self._note_act(page, last, more)
        return await self._page()

    def _input(self, page: Page, act: Act) -> dict[str, Any]:
        """What the API is given for an act that is more than words."""
        if act.kind == "pick":
            return {"type": "choice", "choice": page.choice(act.text)}
        if act.kind in ("form", "close"):
            form = page.form
            if form is None:
                raise NotUnderstood(words(page.locale, "no_form"))
            return _of_form(form, act)
        return {}

    def _note_act(self, page: Page, act: Act, given: dict[str, Any]) -> None:
        if act.kind == "pick":
            self._note([page.label(given["choice"])])
        elif act.kind == "form" and page.form is not None:
            self._note([""], page.form.filled(given["form"]["values"]))

    def _note(self, texts: Sequence[str], filled: Sequence[tuple[str, str]] = ()) -> None:
        turn = self._turns + 1
        for text in texts:
            self.clock.typed(text)
            self.record.said.append(Said("visitor", turn, text, (), filled))

    async def _turned(self, work: Any) -> None:
        """One turn: what the model is asked meanwhile belongs to it."""
        loop = asyncio.get_running_loop()
        self._turns += 1
        self.turn[0] = self._turns
        began = loop.time()
        try:
            await work
        finally:
            self.turn[0] = 0
        self.record.spans.append(Span(self._turns, began, loop.time()))
        self.record.calls = self.reader.calls()
        self.clock.wait(ANSWERING)

    async def _waited(self) -> None:
        """The visitor says nothing for a while, and whatever is due then is done."""
        self.clock.wait(PAUSE)
        await self.reader.quiet()


def _of_form(form: Form, act: Act) -> dict[str, Any]:
    kind = "form_submit" if act.kind == "form" else "form_cancel"
    return {"type": kind, "form": {"key": form.key, "values": form.values(act.answers)}}
