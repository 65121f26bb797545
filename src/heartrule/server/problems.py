"""Problems (RFC 9457): what could not be done, in the asker's language, under a code that stays and a reference number
that the log knows. Nothing of the inside gets out."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict

from heartrule.language.texts.plain import packaged_yaml
from heartrule.server.shapes import Contact

MEDIA_TYPE = "application/problem+json"


class Both:
    """A value with a wording in each language."""

    def __init__(self, zh: str, en: str) -> None:
        self.zh, self.en = zh, en


class Problem(Exception):
    """Raised anywhere in the server; answered as the problem of this ``code``. ``filled`` goes into its sentence."""

    def __init__(
        self,
        code: str,
        *,
        findings: Sequence[Mapping[str, Any]] = (),
        headers: Mapping[str, str] | None = None,
        reference: str | None = None,
        **filled: str | int | Both,
    ) -> None:
        super().__init__(code)
        self.code, self.filled, self.findings = code, filled, findings
        self.contacts: Sequence[Contact] = ()
        self.headers = dict(headers or {})
        self.reference = reference or secrets.token_hex(4)

    @property
    def status(self) -> int:
        return int(_catalogue()[self.code]["status"])

    def shape(self, language: str) -> ProblemShape:
        entry = _catalogue()[self.code]
        filled = {name: _in(value, language) for name, value in self.filled.items()}
        return ProblemShape(
            type=f"urn:heartrule:problem:{self.code}",
            title=entry[language].format_map(filled),
            status=self.status,
            code=self.code,
            reference=self.reference,
            findings=[dict(finding) for finding in self.findings] or None,
            contacts=list(self.contacts) or None,
        )

    def response(self, language: str) -> JSONResponse:
        body = self.shape(language).model_dump(mode="json", exclude_none=True)
        headers = {"Cache-Control": "no-store", "Content-Language": LANGUAGES[language], **self.headers}
        if self.status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        return JSONResponse(body, self.status, headers, MEDIA_TYPE)


class ProblemShape(BaseModel):
    """A problem as it is answered. ``contacts``: whom to call in an emergency, where words were refused for being too
    many."""

    model_config = ConfigDict(title="Problem")

    type: str
    title: str
    status: int
    code: str
    reference: str
    findings: list[dict[str, Any]] | None = None
    contacts: list[Contact] | None = None


LANGUAGES = {"zh": "zh-CN", "en": "en"}


def _in(value: Any, language: str) -> str:
    return str(getattr(value, language)) if isinstance(value, Both) else str(value)


@cache
def _catalogue() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = packaged_yaml("heartrule.server", "texts", "problems.yaml")
    return found


def codes() -> dict[str, int]:
    """Every code with its status."""
    return {code: entry["status"] for code, entry in _catalogue().items()}


def language_of(header: str | None) -> str:
    """``zh`` or ``en``: the first of the two that ``Accept-Language`` names; Chinese when it names neither."""
    wanted: list[tuple[float, int, str]] = []
    for place, part in enumerate((header or "").split(",")[:20]):
        tag, _, parameters = part.strip().partition(";")
        language = tag.partition("-")[0].lower()
        if language in LANGUAGES:
            wanted.append((-_quality(parameters), place, language))
    return min(wanted)[2] if wanted else "zh"


def _quality(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


def asker_language(request: Request) -> str:
    return language_of(request.headers.get("accept-language"))
