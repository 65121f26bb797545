"""Somebody at the page: begins a session, reads what is said and answers it, with the hands a person has."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from playwright.sync_api import Locator, Page
from tests.browser.answers import Answers
from tests.browser.served import Served

PATIENCE = 60_000
"""Milliseconds to wait for an answer: a model may fail and be asked again meanwhile."""
HERE = """() => {
    const chat = document.querySelector('heart-chat');
    const state = chat && chat.conversation && chat.conversation.state;
    return state && {status: state.status, outbox: state.outbox.length, messages: state.messages.length,
        last: state.messages.at(-1)?.seq ?? 0, asked: state.request.type, seen: state.session?.last_message ?? 0};
}"""
"""How the page itself sees the session; it is waited for here and never what is compared."""
ASKED = "() => document.querySelector('heart-chat').shadowRoot.querySelector('heart-form').at"
AWAITS = f"""(before) => {{
    const now = ({HERE})();
    const theirs = now && (now.status === 'ended' || (now.status === 'ready' && now.asked !== 'none'));
    return theirs && now.outbox === 0 && now.last > before && now;
}}"""


class Visitor:
    def __init__(self, page: Page, served: Served, script: str = "cbt/first_assessment", seed: int = 0) -> None:
        self.page, self.served, self.script = page, served, script
        self.answers = Answers(script, seed)
        self.said: list[str] = []
        """What was typed or chosen, in order."""
        self.twice: Random | None = None
        """Given, it decides which clicks are double ones."""
        self.meanwhile: Callable[[int], None] = lambda count: None
        """Called after each answer has been given, before what it brings is waited for, and after each question of a
        form: with how many that makes so far."""
        self.filled: dict[str, Any] = {}
        """The answers of the last form, as they were meant."""
        self._steps = 0
        page.on("dialog", lambda dialog: dialog.accept())

    # where they are

    @property
    def session(self) -> str:
        return self.page.url.rpartition("#/session/")[2]

    @property
    def token(self) -> str:
        kept = self.page.evaluate(f"localStorage.getItem('heartrule.visitor.session.{self.session}')")
        token: str = json.loads(kept)["token"]
        return token

    def standing(self) -> dict[str, Any]:
        return self.served.session(self.session, self.token)

    def spoken(self) -> list[str]:
        """What was said by the person, as the server keeps it."""
        return [each["content"] for each in self.kept() if each["sender"] == "person"]

    def kept(self) -> list[dict[str, Any]]:
        return self.served.messages(self.session, self.token)

    # what they do

    def begin(self) -> None:
        self.page.goto(f"{self.served.url}/#/begin/{self.script}")
        self.page.locator(".notice button.main").click()
        self.page.wait_for_url("**/#/session/*")
        self.awaits(0)

    def awaits(self, before: int = 0) -> dict[str, Any]:
        """Wait until it is their turn, with something new after message ``before``, or the session has ended."""
        handle = self.page.wait_for_function(AWAITS, arg=before, timeout=PATIENCE)
        found: dict[str, Any] = handle.json_value()
        return found

    @property
    def box(self) -> Locator:
        return self.page.locator("heart-chat textarea")

    def option(self, label: str) -> Locator:
        return self.page.locator("heart-chat .options").get_by_role("button", name=label, exact=True)

    def say(self, text: str) -> None:
        self.box.fill(text)
        self.press(self.page.locator("heart-chat .send"))
        self.said.append(text)

    def choose(self, label: str) -> None:
        self.press(self.option(label))
        self.said.append(label)

    def press(self, button: Locator) -> None:
        """A click; now and then a double one, as some people make everywhere."""
        if self.twice is None or self.twice.random() > 0.2:
            button.click()
            return
        button.scroll_into_view_if_needed()
        place = button.bounding_box()
        assert place is not None
        mouse = self.page.mouse
        mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
        for count in (1, 2):
            mouse.down(click_count=count)
            mouse.up(click_count=count)
            self.page.wait_for_timeout(self.twice.uniform(0, 150))

    def answer(self) -> None:
        """Say or choose what is asked for, as the session stands at the server."""
        standing = self.standing()
        kind, words = self.answers.next(standing)
        if kind == "form":
            self.fill(standing["request"]["form"])
        elif kind == "choice":
            self.choose(next(each["label"] for each in standing["request"]["choices"] if each["value"] == words))
        else:
            self.say(words)

    def fill(self, form: Mapping[str, Any]) -> None:
        """Question by question, in whatever page shows it by then, and hand it in."""
        values = self.answers.filled(form)
        self.filled[form["name"]] = values
        labels = {each["id"]: {one["value"]: one["label"] for one in each["options"]} for each in form["fields"]}
        while True:
            asked = self.asked()
            field = self.page.locator(f"heart-form #f-{asked}")
            if isinstance(values.get(asked), list):
                for value in values[asked]:  # pressed twice it would be unticked again
                    field.get_by_text(labels[asked][value], exact=True).click()
            elif labels[asked]:
                self.press(field.get_by_text(labels[asked][values[asked]], exact=True))
            elif asked in values:
                field.fill(str(values[asked]))
            self.stepped()
            if self.asked() != asked:
                continue  # the page has been read again, and goes on where it had come to
            on = self.page.locator("heart-form .acts button.main")
            last = on.inner_text() == "交表"
            self.press(on)
            if last:
                self.said.append(f"（填好了“{form['name']}”）")
                return

    def asked(self) -> str:
        """The question of a form that is asked now, as soon as the form is there."""
        self.page.locator("heart-form .acts button.main").wait_for()
        found: str = self.page.evaluate(ASKED)
        return found

    def stepped(self) -> None:
        self._steps += 1
        self.meanwhile(self._steps)

    def hold(self, limit: int = 300) -> None:
        """Answer until the session has ended."""
        now = self.awaits()
        while now["status"] != "ended":
            assert len(self.said) < limit, f"no end after {limit} answers"
            self.answer()
            self.stepped()
            now = self.awaits(now["last"])

    def results(self) -> list[dict[str, Any]]:
        """The forms that were handed in, as the server keeps them."""
        answer: dict[str, list[dict[str, Any]]] = self.served.call(
            "GET", f"/sessions/{self.session}/forms", None, self.token
        )
        return answer["forms"]

    # what they see

    def shown(self) -> list[tuple[str, str]]:
        """The transcript as it stands on the screen: who, and what; what is older is asked for first."""
        chat = self.page.locator("heart-chat")
        earlier = chat.locator(".scroll > .column > .row button")
        while earlier.count():
            first = chat.locator("article").first.get_attribute("id")
            earlier.click()
            self.page.wait_for_function(
                "(id) => document.querySelector('heart-chat').shadowRoot.querySelector('article').id !== id", arg=first
            )
        found: list[list[str]] = chat.locator("article").evaluate_all(
            "(all) => all.map((one) => [one.classList[1], one.querySelector('.words').textContent])"
        )
        return [(who, words) for who, words in found]
