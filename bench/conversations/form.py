"""A form as a visitor sees it and fills it in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bench.conversations.acts import NotUnderstood
from bench.conversations.wording import words

Field = Mapping[str, Any]
_YES = {"yes", "y", "true", "是", "有", "对", "会"}
_NO = {"no", "n", "false", "否", "没有", "不", "没", "不会"}
_TICKS = re.compile("[;；,，、|]")
_WHOLE = {"integer", "slider", "mood"}


class Form:
    """``shape`` is the API's. Fields are numbered as they stand there, notes left out."""

    def __init__(self, shape: Mapping[str, Any], locale: str) -> None:
        self._shape, self._locale = shape, locale
        hidden = set(shape["hidden"])
        shown = [field for field in shape["fields"] if field["id"] not in hidden]
        self._notes = shown
        self.fields: Sequence[Field] = [field for field in shown if field["type"] != "note"]

    @property
    def key(self) -> str:
        return str(self._shape["key"])

    def shown(self) -> Iterator[str]:
        yield words(self._locale, "form", name=self._shape["name"])
        if self._shape["description"]:
            yield self._shape["description"]
        number = 0
        for field in self._notes:
            if field["type"] == "note":
                yield field["label"]
                continue
            number += 1
            must = words(self._locale, "must") if field["required"] else ""
            yield f"{number}. {field['prefix']}{field['label']}{must} {field['help']}".rstrip()
            if takes := self._takes(field):
                yield f"   {takes}"
            if field["id"] in self._shape["values"]:
                answer = self._label(field, self._shape["values"][field["id"]])
                yield f"   {words(self._locale, 'filled', answer=answer)}"
        labels = {field["id"]: field["label"] for field in self.fields}
        for each in self._shape["problems"]:
            yield words(self._locale, "problem", label=labels.get(each["field"], ""), message=each["message"])
        yield words(self._locale, "fill")

    def values(self, answers: Sequence[tuple[str, str]]) -> dict[str, Any]:
        """By the ids of the fields, as the API takes them. Raises ``NotUnderstood``."""
        found = {}
        for named, answer in answers:
            field = self._field(named)
            found[str(field["id"])] = self._value(field, answer)
        return found

    def filled(self, values: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Questions with their answers, in words."""
        whole = {**self._shape["values"], **values}
        return [(each["label"], self._label(each, whole[each["id"]])) for each in self.fields if each["id"] in whole]

    def _field(self, named: str) -> Field:
        if named.isdigit() and 0 < int(named) <= len(self.fields):
            return self.fields[int(named) - 1]
        for field in self.fields:
            if named in (field["id"], field["label"]):
                return field
        raise NotUnderstood(words(self._locale, "no_field", label=named))

    def _value(self, field: Field, answer: str) -> Any:
        if field["type"] == "multiple":
            return [self._option(field, part) for part in _TICKS.split(answer) if part.strip()]
        if field["options"]:
            return self._option(field, answer)
        if field["type"] == "boolean":
            return self._boolean(field, answer)
        if field["type"] in _WHOLE or field["type"] == "number":
            return self._number(field, answer)
        return answer

    def _option(self, field: Field, answer: str) -> Any:
        wanted = answer.strip()
        for option in field["options"]:
            if wanted in (option["label"], str(option["value"])):
                return option["value"]
        near = [option["value"] for option in field["options"] if option["label"].startswith(wanted) and wanted]
        if len(near) == 1:
            return near[0]
        raise self._no_option(field, answer)

    def _boolean(self, field: Field, answer: str) -> bool:
        if answer.strip().lower() in _YES:
            return True
        if answer.strip().lower() in _NO:
            return False
        raise self._no_option(field, answer)

    def _number(self, field: Field, answer: str) -> int | float:
        try:
            number = float(answer)
        except ValueError:
            raise self._no_option(field, answer) from None
        return int(number) if number.is_integer() else number

    def _no_option(self, field: Field, answer: str) -> NotUnderstood:
        number = self.fields.index(field) + 1
        return NotUnderstood(
            words(self._locale, "no_option", number=number, answer=answer, options=self._takes(field) or field["type"])
        )

    def _takes(self, field: Field) -> str:
        if field["options"]:
            return " | ".join(option["label"] for option in field["options"])
        if field["type"] == "boolean":
            return f"{words(self._locale, 'yes')} | {words(self._locale, 'no')}"
        if field["least"] is not None and field["most"] is not None:
            ends = f" ({' – '.join(field['ends'])})" if field["ends"] else ""
            return f"{field['least']:g}–{field['most']:g}{ends}"
        return ""

    def _label(self, field: Field, value: Any) -> str:
        if isinstance(value, list):
            return ", ".join(self._label(field, each) for each in value)
        if isinstance(value, bool):
            return words(self._locale, "yes" if value else "no")
        return next((option["label"] for option in field["options"] if option["value"] == value), str(value))
