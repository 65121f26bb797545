"""``[escalation]`` of heartrule.toml: what holds, and where it says what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from heartrule.jobs.settings import EscalationConfigError, EscalationSettings

WHOLE = """
[escalation]
link = "https://desk.example.org/desk?session={session}"
give_up_hours = 1.5

[escalation.smtp]
host = "mail.example.org"
sender = "HeartRule <heartrule@example.org>"
user = "heartrule"
password_env = "SMTP_PASSWORD"

[[escalation.to]]
name = "desk"
webhook = "https://hooks.example.org/heartrule"
secret_env = "HOOK_SECRET"
email = "duty@example.org"

[[escalation.to]]
name = "督导"
email = "other@example.org"
include_note = true
"""
ENVIRONMENT = {"SMTP_PASSWORD": "words of a password", "HOOK_SECRET": "at least sixteen bytes"}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


def load(folder: Path, text: str, environment: dict[str, str] | None = None) -> EscalationSettings:
    (folder / "heartrule.toml").write_text(text, encoding="utf-8")
    return EscalationSettings.load(folder, ENVIRONMENT if environment is None else environment)


def test_without_a_file_nobody_is_named(tmp_path: Path) -> None:
    assert EscalationSettings.load(tmp_path, {}) == EscalationSettings()


def test_everything_that_may_be_said(tmp_path: Path) -> None:
    settings = load(tmp_path, WHOLE)
    assert [each.name for each in settings.to] == ["desk", "督导"]
    assert settings.give_up.total_seconds() == 5400
    assert settings.smtp is not None
    assert settings.smtp.password is not None
    assert settings.smtp.password.get_secret_value() == ENVIRONMENT["SMTP_PASSWORD"]
    assert (settings.smtp.port, settings.smtp.security) == (587, "starttls")
    desk = settings.recipient("desk")
    assert desk is not None
    assert desk.secret is not None
    assert desk.secret.get_secret_value() == ENVIRONMENT["HOOK_SECRET"]
    assert (desk.include_note, desk.allow_private) == (False, False)
    assert settings.recipient("nobody") is None
    for secret in ENVIRONMENT.values():
        assert secret not in repr(settings)


def test_the_file_here_comes_before_that_of_the_folder(tmp_path: Path) -> None:
    Path("heartrule.toml").write_text("[escalation]\ngive_up_hours = 3\n")
    assert load(tmp_path, WHOLE).give_up_hours == 3


TO = '[[escalation.to]]\nname = "desk"\n'
HOOK = f'{TO}webhook = "https://h.example.org/"\nsecret = "0123456789abcdef"\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[escalation]\nwho = 1\n", "escalation.who: there is no such setting"),
        (TO, "escalation.to[1]: say where: `webhook`, `email` or both"),
        (f'{HOOK}{TO}webhook = "https://h"\nsecret = "short"\n', "escalation: two recipients have the same name"),
        (f'{TO}webhook = "https://h"\n', "escalation.to[1]: a webhook needs a `secret`"),
        (f'{TO}webhook = "https://h"\nsecret = "short"\n', "escalation.to[1].secret: must have at least 16 bytes"),
        (
            f'{TO}webhook = "ftp://h"\nsecret = "0123456789abcdef"\n',
            "escalation.to[1].webhook: must look like https://",
        ),
        (f'{TO}webhook = "https://u:p@h/"\nsecret = "0123456789abcdef"\n', "escalation.to[1].webhook: must look like"),
        (f'{TO}webhook = "http://h/"\nsecret = "0123456789abcdef"\n', "escalation.to[1]: a webhook outside the own"),
        (f'{HOOK}secret_env = "NOT_THERE"\n', "escalation.to[1].secret_env: the environment has no NOT_THERE"),
        (f'{HOOK}secret_env = "HOOK_SECRET"\n', "escalation.to[1].secret: the secret is given twice"),
        (f'{HOOK}ca_file = "/nowhere.pem"\n', "escalation.to[1].ca_file: cannot be read"),
        (f'{TO}email = "a@b.org"\n', "escalation: an `email` needs `[escalation.smtp]`"),
        (f'{TO}email = "nobody"\n', "escalation.to[1].email:"),
        ('[[escalation.to]]\nname = "contact"\nemail = "a@b.org"\n', "escalation.to[1].name: this name stands for"),
        ('[escalation.smtp]\nhost = "h"\nsender = "nobody"\n', "escalation.smtp.sender:"),
        (
            '[escalation.smtp]\nhost = "h"\nsender = "a@b.org"\nca_file = "/nowhere"\n',
            "escalation.smtp.ca_file:",
        ),
        ('[escalation.smtp]\nhost = "h"\nsender = "a@b.org"\nsecurity = "maybe"\n', "escalation.smtp.security:"),
        ("[escalation]\ngive_up_hours = 0\n", "escalation.give_up_hours:"),
        ("[escalation\n", "cannot be read: TOMLDecodeError"),
    ],
)
def test_what_is_wrong_is_said_with_its_place_and_without_its_value(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(EscalationConfigError) as refused:
        load(tmp_path, text)
    assert told in str(refused.value)
    assert "heartrule.toml" in str(refused.value)
    for value in ("short", "0123456789abcdef", "u:p"):
        assert value not in str(refused.value)
