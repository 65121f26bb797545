"""Settings from heartrule.toml and the environment, and plain words when they cannot be used."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.docs.blocks import blocks
from tests.house.tree import ROOT
from tests.llm.material import GOOD, task

from heartrule.language.nodes import AskRules, Llm, PerceiveRule
from heartrule.llm import config
from heartrule.llm.capabilities import Capabilities
from heartrule.llm.config import ConfigError, build_model, build_offers, build_provider, load_settings
from heartrule.llm.policy import Policy
from heartrule.llm.providers.openai_wire import OpenAIWire
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.llm.settings import BudgetSettings, LlmSettings, ModelSettings
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
    provider = build_provider(settings.all_models[0])
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
    for shown in (
        repr(settings),
        str(settings),
        repr(build_provider(settings.all_models[0])),
        repr(build_model(settings)),
    ):
        assert "very-secret" not in shown


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[llm", "not TOML"),
        ("llm = 3", "[llm] must be a table"),
        ('[llm]\nbase_url = "api.deepseek.com"\nmodel = "m"', "https://host/v1"),
        ('[llm]\nbase_url = "https://h/v1"', "HEARTRULE_LLM_MODEL (llm.model) is missing"),
        ('[llm]\nmodel = "m"', "HEARTRULE_LLM_BASE_URL (llm.base_url) is missing"),
        ('[llm]\nmodle = "m"', "llm.modle: there is no such setting; did you mean 'model'?"),
        ("[llm]\ntime_scale = 0", "llm.time_scale: "),
        ('[llm]\ntime_scale = "fast"', "llm.time_scale: "),
        ("[llm.timeouts]\njudge = -1", "llm.timeouts.judge: "),
        ("[llm.timeouts]\nthink = 3", "llm.timeouts.think: "),
        ('[llm]\nstructured_output = "xml"', "llm.structured_output: "),
        ("[llm]\nmax_tokens = 3", "llm.max_tokens: "),
        ('[llm]\nzzz = "m"', "llm.zzz: there is no such setting; here one can say provider, base_url, "),
        ("[llm.timeouts]\njugde = 3", "llm.timeouts.jugde: there is no such setting; did you mean 'judge'?"),
        ('[[llm.models]]\nmodel = "m"\ntimeout.judge = 3', "llm.models[1].timeout: there is no such setting; did you"),
        ('[[llm.models]]\nmodel = "m"\ntimeouts.jugde = 3', "llm.models[1].timeouts.jugde: there is no such setting"),
        ("[llm.prices.m]\ncosts = 3", "llm.prices.m.costs: there is no such setting; here one can say currency, "),
        ("[[llm.models]]", "llm.models[1].model is missing"),
        ('[[llm.models]]\nmodel = "m"', "llm.models[1].base_url is missing"),
        ('[[llm.models]]\nmodel = "m"\ntiers = ["quick"]', "llm.models[1].tiers[1]: Input should be 'fast', "),
        ('[[llm.models]]\nmodel = "m"\ntiers = []', "llm.models[1].tiers: "),
        ('[[llm.models]]\nmodel = "m"\nweight = -1', "llm.models[1].weight: "),
        ('[[llm.models]]\nmodel = "m"\nweight = inf', "llm.models[1].weight: "),
        ('[[llm.models]]\nmodel = "m"\nconcurrency = 0', "llm.models[1].concurrency: "),
        ('[[llm.models]]\nmodel = "m"\nbase_url = "ftp://h"', "llm.models[1].base_url: the base URL must look like"),
        ('[[llm.models]]\nmodel = "m"\nprice = 3', "llm.models[1].price: "),
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
        build_model(settings)
    assert "very-secret" not in str(caught.value)
    assert "very-secret" not in refused(tmp_path, '[llm]\napi_key = ["very-secret"]\n')


def test_an_unknown_provider(tmp_path: Path) -> None:
    settings = load_settings(written(tmp_path, '[llm]\nprovider = "telepathy"\nmodel = "m"\n'), {})
    with pytest.raises(ConfigError, match="telepathy"):
        build_model(settings)


def test_another_package_may_bring_a_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[ModelSettings] = []

    class Announced:
        def load(self) -> Any:
            def build(settings: ModelSettings) -> ScriptedProvider:
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


TWO = """
[llm]
time_scale = 0.05
[[llm.models]]
base_url = "{one}"
model = "a"
[[llm.models]]
base_url = "{two}"
model = "b"
weight = 0
"""


def test_another_model_stands_in_when_the_first_is_gone(
    tmp_path: Path, servers: tuple[OpenAIServer, OpenAIServer]
) -> None:
    one, two = servers
    settings = load_settings(written(tmp_path, TWO.format(one=one.url, two=two.url)), {})

    async def run() -> list[str]:
        model = build_model(settings)
        try:
            return [(await model.answer([task()]))["ai_ask"].attempts[-1].model for _ in range(3)]
        finally:
            await model.aclose()

    assert [each.model for each in settings.all_models] == ["a", "b"]
    assert asyncio.run(run()) == ["a"] * 3
    assert two.bodies == []
    one.down()
    assert asyncio.run(run()) == ["b"] * 3
    assert two.bodies[0]["model"] == "b"


def one_model(more: str = "") -> str:
    return f'[[llm.models]]\nbase_url = "https://one.example/v1"\nmodel = "m"\n{more}\n'


def test_the_short_spelling_is_a_list_of_one(tmp_path: Path) -> None:
    more = 'api_key = "k"\nstructured_output = "prompt"\nconcurrency = 3\nextra.a = 1\nheaders.X-A = "b"'
    short = load_settings(written(tmp_path, one_model(more).replace("[[llm.models]]", "[llm]")), {})
    long = load_settings(written(tmp_path, one_model(more)), {})
    assert short.all_models == long.all_models


def test_everything_that_a_model_of_the_list_may_say(tmp_path: Path) -> None:
    more = """
    name = "quick"
    tiers = ["fast", "balanced"]
    weight = 2.5
    concurrency = 4
    max_tokens = 300
    [llm.models.timeouts]
    judge = 3
    [llm.models.price]
    currency = "CNY"
    input = 1
    output = 2
    """
    settings = load_settings(written(tmp_path, one_model(more)), {})
    (offer,) = build_offers(settings)
    assert (offer.called, offer.name, offer.tiers) == ("quick", "one.example/m", ("fast", "balanced"))
    assert (offer.weight, offer.concurrency, offer.max_tokens) == (2.5, 4, 300)
    assert offer.deadlines == {"judge": 3.0}
    prices = build_model(settings).prices
    price = prices.of("one.example/m", "m-2026")
    assert price is not None
    assert price.currency == "CNY"
    assert prices.of("other.example/m", "m") is None, "only where it was said"


def test_keys_may_stand_in_the_environment(tmp_path: Path) -> None:
    text = one_model('api_key_env = "MY_KEY"') + one_model('name = "n"\napi_key = "written"')
    settings = load_settings(written(tmp_path, text), {"MY_KEY": " sk-very-secret\n"})
    assert [each.api_key.get_secret_value() for each in settings.all_models] == ["sk-very-secret", "written"]
    assert "very-secret" not in repr(settings)
    short = '[llm]\nbase_url = "https://h/v1"\nmodel = "m"\napi_key_env = "MY_KEY"\n'
    (only,) = load_settings(written(tmp_path, short), {"MY_KEY": "sk-very-secret"}).all_models
    assert only.api_key.get_secret_value() == "sk-very-secret"


def test_a_key_that_is_not_there_or_there_twice(tmp_path: Path) -> None:
    told = refused(tmp_path, one_model() + one_model('name = "n"\napi_key_env = "MY_KEY"'))
    assert told.splitlines()[1:] == [
        "llm.models[2].api_key_env: the environment has no MY_KEY; set it, or write api_key"
    ]
    told = refused(tmp_path, one_model('api_key_env = "MY_KEY"\napi_key = "very-secret"'), {"MY_KEY": "very-secret"})
    assert told.splitlines()[1:] == ["llm.models[1]: the key is given twice; keep api_key or api_key_env"]


def test_two_models_of_one_name_need_names(tmp_path: Path) -> None:
    told = refused(tmp_path, one_model() + one_model())
    assert told.splitlines()[1:] == ["llm.models: 2 are called 'm'; give each a `name` of its own"]
    assert len(load_settings(written(tmp_path, one_model() + one_model('name = "n"')), {}).all_models) == 2


def test_one_place_says_which_model(tmp_path: Path) -> None:
    told = refused(tmp_path, f'[llm]\nmodel = "x"\napi_key = "very-secret"\n{one_model()}')
    assert told.splitlines()[1:] == [
        "llm.api_key, llm.model: there is a list of models; say it in one of [[llm.models]] instead"
    ]


def test_a_model_of_the_environment_is_the_only_one(tmp_path: Path) -> None:
    file = written(tmp_path, f"[llm]\ntime_scale = 2\n{one_model()}")
    settings = load_settings(file, ENVIRONMENT)
    assert [each.model for each in settings.all_models] == ["deepseek-chat"]
    assert settings.time_scale == 2


def test_a_key_of_the_environment_goes_to_nobody_who_does_not_ask_for_it(tmp_path: Path) -> None:
    text = one_model() + one_model('name = "n"\napi_key_env = "HEARTRULE_LLM_API_KEY"')
    settings = load_settings(written(tmp_path, text), {"HEARTRULE_LLM_API_KEY": "k"})
    assert [each.api_key.get_secret_value() for each in settings.all_models] == ["", "k"]


def test_half_a_model_of_the_environment_is_a_mistake(tmp_path: Path) -> None:
    told = refused(tmp_path, one_model(), {"HEARTRULE_LLM_MODEL": "m"})
    assert "HEARTRULE_LLM_BASE_URL (llm.base_url) is missing" in told


def test_what_is_wrong_of_one_model_names_it(tmp_path: Path) -> None:
    text = one_model() + one_model('name = "second"\napi_key = "钥匙 very-secret"')
    with pytest.raises(ConfigError) as caught:
        build_model(load_settings(written(tmp_path, text), {}))
    assert str(caught.value) == "llm: second: the API key and headers may hold printable ASCII only"


PAGES = [ROOT / "docs" / "operations.md", ROOT / "docs" / "zh" / "operations.md"]


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_the_list_of_models_that_the_page_shows_is_read_as_it_stands(tmp_path: Path, page: Path) -> None:
    (shown,) = [block for block in blocks(page) if block.mark == "models"]
    settings = load_settings(written(tmp_path, shown.text), {"DEEPSEEK_KEY": "k"})
    assert [each.called for each in settings.all_models] == ["quick", "deepseek-flash", "glm-flash"]
    for each in settings.all_models:
        assert each.model_fields_set <= set(re.findall(r"\w+", shown.text))
    text = page.read_text(encoding="utf-8")
    policy = Policy()
    assert f"{policy.long_prompt:,}" in text
    assert f"{policy.patience} " in text
    assert f"{policy.health.slower}" in text


@pytest.mark.parametrize("page", PAGES, ids=str)
@pytest.mark.parametrize("mark", ["capabilities", "budget"])
def test_the_other_settings_that_the_page_shows_are_read_as_they_stand(tmp_path: Path, page: Path, mark: str) -> None:
    (shown,) = [block for block in blocks(page) if block.mark == mark]
    settings = load_settings(written(tmp_path, shown.text), {})
    if mark == "budget":
        assert settings.budget.budget.max_cost == 50_000_000
        assert settings.budget.model_fields_set == set(BudgetSettings.model_fields)
    else:
        (one,) = settings.all_models
        assert one.capabilities.model_fields_set == set(Capabilities.model_fields) - {"cache", "thinks"}


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_what_the_page_lets_a_project_say_can_be_said(page: Path) -> None:
    (shown,) = [block for block in blocks(page) if block.mark == "override"]
    said = Llm.model_validate(yaml.safe_load(shown.text)["llm"])
    assert said.budget.give_up is not None
    assert said.policy.perceive is not None
    text = page.read_text(encoding="utf-8")
    for name in (*AskRules.model_fields, *PerceiveRule.model_fields):
        assert name in text


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
