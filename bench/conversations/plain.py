"""The same conversation without an engine: a prompt, and the talk so far."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path

from bench.conversations.acts import Act, NotUnderstood, acts
from bench.conversations.page import Page
from bench.conversations.record import Call, Record, Said, Span
from bench.conversations.sheet import FOLDER, Sheet
from bench.conversations.spool import of_model, of_visitor
from bench.conversations.wording import words

NAMES = {"zh-CN": "小禾", "en": "Xiaohe"}


@dataclass(frozen=True, slots=True)
class Order:
    sheet: Sheet
    folder: Path
    prompt: str
    most: int


def prompt(named: str) -> str:
    file = FOLDER / "plain" / f"{named}.txt"
    if not file.is_file():
        ours = ", ".join(sorted(path.stem for path in file.parent.glob("*.txt")))
        raise FileNotFoundError(f"there is no prompt {named}; there are: {ours}")
    return file.read_text(encoding="utf-8").strip()


async def held(order: Order) -> str:
    """Until the visitor leaves. Returns why it is over."""
    system = prompt(order.prompt)
    record = Record.begun(order.folder, "plain", order.sheet, prompt=order.prompt, most=order.most)
    try:
        reason = await Talk(order, record, system).held()
        record.over(reason)
    except BaseException as error:
        record.over(f"broken off: {type(error).__name__}")
        raise
    finally:
        record.close()
    return reason


class Talk:
    def __init__(self, order: Order, record: Record, system: str) -> None:
        self._locale, self._most = order.sheet.locale, order.most
        self._record = record
        self._model, self._visitor = of_model(order.folder), of_visitor(order.folder)
        self._messages = [{"role": "system", "content": system}]
        self._turns = 0

    async def held(self) -> str:
        page = await self._replied()
        while self._record.messages < self._most:
            given, remark = await self._given(page)
            if remark:
                page = Page(self._locale, (), remark=remark)
                continue
            texts = [act.text for act in given if act.kind == "message"]
            self._record.said += [Said("visitor", self._turns + 1, text) for text in texts]
            if given[-1].kind == "end":
                self._visitor.put(Page(self._locale, (), {"type": "none"}).shown())
                return "the visitor left"
            if texts:
                self._messages.append({"role": "user", "content": "\n".join(texts)})
                page = await self._replied()
            else:
                page = Page(self._locale, ())
        self._visitor.put(Page(self._locale, (), {"type": "none"}).shown())
        return f"broken off after {self._most} messages"

    async def _given(self, page: Page) -> tuple[list[Act], str]:
        """What the visitor does at a page, or why it cannot be done."""
        try:
            given = acts(await self._visitor.answer_of(self._visitor.put(page.shown())), self._locale)
            if given[-1].kind == "pick":
                raise NotUnderstood(words(self._locale, "no_choice", label=given[-1].text))
            if given[-1].kind in ("form", "close"):
                raise NotUnderstood(words(self._locale, "no_form"))
        except NotUnderstood as why:
            return [], words(self._locale, "not_understood", why=why)
        return given, ""

    async def _replied(self) -> Page:
        loop = asyncio.get_running_loop()
        self._turns += 1
        began = loop.time()
        asked = {"turn": self._turns, "messages": self._messages, "schema": None}
        number = self._model.put(json.dumps(asked, ensure_ascii=False, indent=1))
        reply = (await self._model.answer_of(number)).strip()
        self._messages.append({"role": "assistant", "content": reply})
        self._record.said.append(Said("counsellor", self._turns, reply))
        self._record.calls.append(Call(number, self._turns, began, loop.time(), True, "plain", True))
        self._record.spans.append(Span(self._turns, began, loop.time()))
        self._record.keep()
        return Page(self._locale, ({"sender": "ai", "name": NAMES[self._locale], "content": reply},))
