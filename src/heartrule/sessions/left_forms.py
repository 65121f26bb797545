"""Forms that a script left to the counsellor: which wait, what has been answered so far, and handing one in.

A draft is the desk's own and reaches no session; what is handed in is an input of the session like any other, and is
taken when the session is over, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from heartrule.engine.forms.form_progress import FormProgress, located, request
from heartrule.engine.forms.form_results import name_of
from heartrule.engine.session.io import CounsellorsForm, FormRequest
from heartrule.language.compiling.script import Script
from heartrule.language.forms.answers import CheckedAnswers, check
from heartrule.sessions import forms
from heartrule.sessions.counsellor_actions import Counsellor
from heartrule.sessions.service import Sessions
from heartrule.sessions.views import NoSuchSession
from heartrule.store.audit import AuditRecord
from heartrule.store.records import Entry, Gone, KeyReused, StoreError

SHOWN = "form_shown"


class NoSuchForm(StoreError):
    """No form of this key waits for a counsellor: there was none, or it has been handed in."""


@dataclass(frozen=True, slots=True)
class LeftForm:
    """A form that waits for a counsellor. ``begun``: somebody has answered something in it. ``turn``: in which the
    script came to it. ``audience``: whom it is for."""

    form: FormRequest = field(repr=False)
    turn: int
    audience: str
    begun: bool


@dataclass(frozen=True, slots=True)
class _WaitingForm:
    filling: FormProgress = field(repr=False)
    turn: int
    begun: bool


class LeftForms:
    """Of the sessions that one counsellor may see. Raises ``NoSuchSession`` and ``CannotRestore``."""

    def __init__(self, sessions: Sessions, who: Counsellor) -> None:
        self._sessions, self._who = sessions, who

    async def waiting(self, session: str) -> Sequence[LeftForm]:
        """In the order in which the script came to them. To be called when it stands on record that they are seen."""
        script = await self._script(session)
        found = []
        for each in (await self._waiting(session)).values():
            asked = request(script, each.filling)
            if asked is not None:
                audience = script.forms[each.filling.form].audience
                found.append(LeftForm(asked, each.turn, audience, each.begun))
        return found

    async def keep(self, session: str, key: str, values: Mapping[str, Any]) -> FormRequest:
        """Keep what was answered; ``None`` takes an answer back. Raises ``NoSuchForm``."""
        script, filling = await self._filling(session, key)
        now = self._sessions.clock.now()
        form = script.forms[filling.form]
        known = {name: value for name, value in values.items() if name in form.by_id}
        kept = await self._sessions.store.drafts.add(session, key, known, self._who.id, now)
        asked = request(script, _answered(filling, kept))
        assert asked is not None
        return asked

    async def hand_in(self, session: str, key: str, values: Mapping[str, Any]) -> FormRequest | None:
        """None when it was handed in; else the form with what is wrong, which is kept as a draft. Raises
        ``NoSuchForm``, also where a colleague was quicker. Handing the same in again, because the answer was lost on
        its way, is having handed it in."""
        try:
            script, filling = await self._filling(session, key)
        except NoSuchForm:
            if await self._handed_in(session, key, values):
                return None
            raise
        now = self._sessions.clock.now()
        form = script.forms[filling.form]
        known = {name: value for name, value in values.items() if name in form.by_id}
        whole = _answered(filling, await self._sessions.store.drafts.add(session, key, known, self._who.id, now))
        unknown = {name: value for name, value in values.items() if name not in form.by_id}
        checked = check(form, {**unknown, **whole.answers}, whole=True, now=now)
        if checked.problems:
            return _refused(script, whole, checked)
        filled = CounsellorsForm(key, whole.form, whole.name, checked.values)
        who = {"id": self._who.id, "name": self._who.name}
        entry = Entry(f"counsel_form {key}", "counsel_form", text=forms.encode_filled(filled), who=who)
        record = AuditRecord(self._who.id, self._who.role, session, "form", now)
        try:
            await self._sessions.store.audit.accept(entry, record)
            await self._sessions.take(session, entry)
            await self._sessions.store.drafts.remove(session, key)
        except KeyReused:
            raise NoSuchForm(key) from None
        except Gone:
            raise NoSuchSession(session) from None
        return None

    async def _filling(self, session: str, key: str) -> tuple[Script, FormProgress]:
        script, waiting = await self._script(session), await self._waiting(session)
        if key not in waiting or waiting[key].filling.form not in script.forms:
            raise NoSuchForm(key)
        return script, waiting[key].filling

    async def _handed_in(self, session: str, key: str, values: Mapping[str, Any]) -> bool:
        done = await self._sessions.store.events(session, (forms.SUBMITTED,))
        return any(
            each.data["key"] == key
            and each.data.get("by") == self._who.id
            and all(each.data["values"].get(name) == value for name, value in values.items())
            for each in done
        )

    async def _script(self, session: str) -> Script:
        return await self._sessions.script_of(await self._sessions.session(session))

    async def _waiting(self, session: str) -> dict[str, _WaitingForm]:
        """By key."""
        store = self._sessions.store
        try:
            events = await store.events(session, (SHOWN, forms.SUBMITTED))
            drafts = await store.drafts.of_session(session)
        except Gone:
            raise NoSuchSession(session) from None
        done = {each.data["key"] for each in events if each.kind == forms.SUBMITTED}
        found = {}
        for each in events:
            key = each.data["key"]
            if each.kind == SHOWN and each.data["mode"] == "counselor" and key not in done:
                draft = drafts.get(key, {})
                found[key] = _WaitingForm(_answered(_shown(each.data), draft), each.turn, bool(draft))
        return found


def _shown(data: Mapping[str, Any]) -> FormProgress:
    return FormProgress(
        key=data["key"],
        form=data["form"],
        name=data.get("name") or name_of(data["form"]),
        mode="counselor",
        answers=dict(data.get("answers", {})),
        texts=dict(data.get("texts", {})),
    )


def _answered(filling: FormProgress, draft: Mapping[str, Any]) -> FormProgress:
    answers = {name: value for name, value in {**filling.answers, **draft}.items() if value is not None}
    return filling.model_copy(update={"answers": answers})


def _refused(script: Script, filling: FormProgress, checked: CheckedAnswers) -> FormRequest:
    asked = request(script, filling.model_copy(update={"problems": located(checked)}))
    assert asked is not None
    return replace(asked, hidden=tuple(sorted(checked.hidden)))
