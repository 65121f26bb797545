"""Settings from heartrule.toml and the environment, and plain words when they cannot be used."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.llm.material import GOOD, task

from heartrule.llm import config
from heartrule.llm.config import ConfigError, LlmSettings, build_model, build_provider, load_settings
from heartrule.llm.providers.openai_wire import OpenAIWire
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.testing.openai_server import OpenAIServer

ENVIRONMENT = {
    "HEARTRULE_LLM_BASE_URL": "https://api.deepseek.com",
    "HEARTRULE_LLM_API_KEY": "sk-very-secret",
    "HEARTRULE_LLM_MODEL": "deepseek-chat",
}


def written(folder: Path, text: str) -> Path:
    file = folder / "heartrule.toml"
    file.write_text(text, encoding="utf-8")
    return file


def refused(folder: Path, text: str, environment: dict[str, str] | None = None) -> str:
    with pytest.raises(ConfigError) as caught:
        load_settings(written(folder, text), environment or {})
    return str(caught.value)


def test_nothing_configured_is_script_mode(tmp_path: Path) -> None:
    for file in (None, tmp_path / "absent.toml", written(tmp_path, "[server]\nport = 1\n")):
        settings = load_settings(file, {})
        assert not settings.configured
        assert not build_model(settings).configured


def test_the_environment_alone_is_enough() -> None:
    settings = load_settings(None, ENVIRONMENT)
    assert settings.configured
    assert (settings.base_url, settings.model) == ("https://api.deepseek.com", "deepseek-chat")
    assert settings.api_key.get_secret_value() == "sk-very-secret"


def test_a_local_model_needs_no_key() -> None:
    settings = load_settings(None, {**ENVIRONMENT, "HEARTRULE_LLM_API_KEY": ""})
    assert build_model(settings).configured


def test_everything_in_the_file(tmp_path: Path) -> None:
    text = """
    [llm]
    base_url = "http://127.0.0.1:11434"
    model = "qwen3"
    structured_output = "json_object"
    time_scale = 3
    max_tokens = 900
    [llm.timeouts]
    generate = 20
    turn = 30
    [llm.extra]
    enable_thinking = false
    [llm.headers]
    X-Tenant = "7"
    """
    settings = load_settings(written(tmp_path, text), {})
    model = build_model(settings)
    assert model.policy.deadline("generate") == 60
    assert model.policy.deadline("judge") == 24
    assert model.policy.budget == 90
    assert model.policy.max_tokens == 900
    provider = build_provider(settings)
    assert isinstance(provider, OpenAIWire)
    assert provider.name == "127.0.0.1/qwen3"
    assert (provider.dialect.structured, provider.dialect.fixed) == ("json_object", True)
    assert provider.dialect.extra == {"enable_thinking": False}


def test_the_environment_wins(tmp_path: Path) -> None:
    file = written(tmp_path, '[llm]\nbase_url = "http://127.0.0.1:1"\nmodel = "old"\ntime_scale = 2\n')
    settings = load_settings(file, ENVIRONMENT)
    assert (settings.model, settings.time_scale) == ("deepseek-chat", 2)


def test_spaces_round_a_value_are_no_part_of_it() -> None:
    settings = load_settings(None, {name: f" {value}\n" for name, value in ENVIRONMENT.items()})
    assert settings.api_key.get_secret_value() == "sk-very-secret"


def test_the_real_environment_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    assert load_settings().model == "deepseek-chat"


def test_secrets_are_not_printed() -> None:
    settings = load_settings(None, ENVIRONMENT)
    for shown in (repr(settings), str(settings), repr(build_provider(settings)), repr(build_model(settings))):
        assert "very-secret" not in shown


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[llm", "not TOML"),
        ("llm = 3", "[llm] must be a table"),
        ('[llm]\nbase_url = "api.deepseek.com"\nmodel = "m"', "https://host/v1"),
        ('[llm]\nbase_url = "https://h/v1"', "HEARTRULE_LLM_MODEL (llm.model) is missing"),
        ('[llm]\nmodel = "m"', "HEARTRULE_LLM_BASE_URL (llm.base_url) is missing"),
        ('[llm]\nmodle = "m"', "llm.modle: Extra inputs are not permitted"),
        ("[llm]\ntime_scale = 0", "llm.time_scale: "),
        ('[llm]\ntime_scale = "fast"', "llm.time_scale: "),
        ("[llm.timeouts]\njudge = -1", "llm.timeouts.judge: "),
        ("[llm.timeouts]\nthink = 3", "llm.timeouts.think: "),
        ('[llm]\nstructured_output = "xml"', "llm.structured_output: "),
        ("[llm]\nmax_tokens = 3", "llm.max_tokens: "),
        ('[llm]\n[llm.next]\nmodel = "m"', "HEARTRULE_LLM_BASE_URL"),
    ],
)
def test_what_is_wrong_is_said_plainly(tmp_path: Path, text: str, says: str) -> None:
    assert says in refused(tmp_path, text)


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("https://api.deepseek.com", "https://api.deepseek.com"),
        ("https://me:secret@host:8443/v1/secret?key=secret#secret", "https://host:8443"),
        ("http://secret@[::1]:11434/v1", "http://[::1]:11434"),
        ("https://host:0/v1", "https://host:0"),
        ("https://me:sec/ret@host/v1", ""),
        ("", ""),
    ],
)
def test_what_may_be_shown_of_an_address(address: str, origin: str) -> None:
    settings = LlmSettings(base_url=address, model="m")
    assert settings.origin == origin
    assert "secret" not in repr(settings)


def test_a_file_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "heartrule.toml").mkdir()
    with pytest.raises(ConfigError, match="this is a folder"):
        load_settings(tmp_path / "heartrule.toml", {})

    def refuse(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    for name in ("read_text", "exists"):
        with monkeypatch.context() as patch:
            patch.setattr(Path, name, refuse)
            with pytest.raises(ConfigError, match="cannot be read: Permission denied"):
                load_settings(Path(__file__), {})


def test_every_fault_is_named_at_once(tmp_path: Path) -> None:
    told = refused(tmp_path, '[llm]\ntime_scale = 0\nmax_tokens = 3\nbase_url = "x"\n')
    assert told.splitlines()[0] == "heartrule.toml:"
    assert len(told.splitlines()) == 4
    assert "(HEARTRULE_LLM_BASE_URL)" in told


def test_a_bad_key_is_never_repeated(tmp_path: Path) -> None:
    settings = load_settings(None, {**ENVIRONMENT, "HEARTRULE_LLM_API_KEY": "钥匙 very-secret"})
    with pytest.raises(ConfigError) as caught:
        build_provider(settings)
    assert "very-secret" not in str(caught.value)
    assert "very-secret" not in refused(tmp_path, '[llm]\napi_key = ["very-secret"]\n')


def test_an_unknown_provider(tmp_path: Path) -> None:
    settings = load_settings(written(tmp_path, '[llm]\nprovider = "telepathy"\nmodel = "m"\n'), {})
    with pytest.raises(ConfigError, match="telepathy"):
        build_provider(settings)


def test_another_package_may_bring_a_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[LlmSettings] = []

    class Announced:
        def load(self) -> Any:
            def build(settings: LlmSettings) -> ScriptedProvider:
                made.append(settings)
                return ScriptedProvider([GOOD])

            return build

    def announced(group: str, name: str) -> list[Announced]:
        return [Announced()] if (group, name) == ("heartrule.providers", "mine") else []

    monkeypatch.setattr(config, "entry_points", announced)
    model = build_model(LlmSettings(provider="mine", model="m"))
    assert asyncio.run(model.answer([task()]))["ai_ask"].status == "answered"
    assert made[0].model == "m"


@pytest.fixture
def servers() -> Iterator[tuple[OpenAIServer, OpenAIServer]]:
    with OpenAIServer(GOOD) as one, OpenAIServer(GOOD) as two:
        yield one, two


def test_the_next_provider_is_asked_when_the_first_is_gone(
    tmp_path: Path, servers: tuple[OpenAIServer, OpenAIServer]
) -> None:
    one, two = servers
    first = f'[llm]\nbase_url = "{one.url}"\nmodel = "a"\ntime_scale = 0.05\n'
    text = f'{first}[llm.next]\nbase_url = "{two.url}"\nmodel = "b"\n'
    settings = load_settings(written(tmp_path, text), {})

    async def run() -> str:
        model = build_model(settings)
        try:
            return (await model.answer([task()]))["ai_ask"].attempts[-1].model
        finally:
            await model.aclose()

    assert [each.model for each in settings.stand_ins] == ["b"]
    one.down()
    assert asyncio.run(run()) == "b"
    assert two.bodies[0]["model"] == "b"


def test_nobody_stands_in_for_a_model_that_is_not_there(tmp_path: Path) -> None:
    text = '[llm]\n[llm.next]\nbase_url = "http://127.0.0.1:9"\nmodel = "m"\n'
    settings = load_settings(written(tmp_path, text), {})
    assert settings.stand_ins == ()
    assert not build_model(settings).configured


def test_a_machine_is_set_up_by_the_file_that_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, data = tmp_path / "here", tmp_path / "data"
    here.mkdir()
    data.mkdir()
    monkeypatch.chdir(here)
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
    assert not config.model_from_environment(data).configured
    written(data, '[llm]\nbase_url = "http://127.0.0.1:1"\nmodel = "m"\ntime_scale = 2\n')
    assert config.model_from_environment(data).policy.time_scale == 2
    written(here, '[llm]\nbase_url = "http://127.0.0.1:1"\nmodel = "m"\ntime_scale = 3\n')
    assert config.model_from_environment(data).policy.time_scale == 3
