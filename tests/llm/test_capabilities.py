"""What models can do: a dated table, what its user says over it, and how that decides the first request."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from tests.table import tabled

from heartrule.llm.capabilities import Capabilities, known, names, table
from heartrule.llm.config import ConfigError, build_offers, load_settings
from heartrule.llm.provider import PromptMessage, Request
from heartrule.llm.providers.openai_wire import OpenAIWire
from heartrule.llm.upstream import Offer

REQUEST = Request(
    (PromptMessage("user", "Answer in JSON."),), schema={"type": "object"}, temperature=0.3, max_tokens=900
)
DASHSCOPE = "https://dashscope.aliyuncs.com/compatible-mode/v1"


def built(folder: Path, text: str) -> Offer:
    file = folder / "heartrule.toml"
    file.write_text(text, encoding="utf-8")
    (offer,) = build_offers(load_settings(file, {}))
    return offer


def body(folder: Path, address: str, model: str, more: str = "") -> dict[str, Any]:
    """What is sent at first."""
    offer = built(folder, f'[[llm.models]]\nbase_url = "{address}"\nmodel = "{model}"\n{more}')
    assert isinstance(offer.provider, OpenAIWire)
    sent = offer.provider.dialect.body(model, REQUEST)
    del sent["messages"]
    return sent


def test_every_entry_says_when_and_where_it_was_read() -> None:
    assert len(set(names())) == len(table())
    for entry in table():
        assert isinstance(entry.read, date)
        assert entry.sources
        assert all(source.startswith(("https://", "http://")) for source in entry.sources)
        assert all(pattern == pattern.lower() for pattern in (*entry.hosts, *entry.models))
        assert entry.context is None or entry.output is None or entry.output <= entry.context


@tabled("maker", [
    "deepseek", "qwen", "glm", "kimi", "doubao", "minimax", "hunyuan", "ernie", "step", "gpt", "claude", "gemini",
    "mistral", "ollama", "vllm",
])  # fmt: skip
def test_the_usual_makers_are_there(maker: str) -> None:
    assert any(name.startswith(maker) for name in names())


def test_every_entry_that_has_a_host_can_be_found() -> None:
    """The first that fits is taken: no entry stands behind one that fits all it does."""
    for entry in table():
        for host in entry.hosts:
            for model in entry.models:
                address = f"https://{host.replace('*', 'x')}/v1"
                found = known(address, model.replace("*", "-x"))
                own = {field: getattr(entry, field) for field in Capabilities.model_fields}
                assert found == Capabilities(**own), (entry.name, host, model)


@pytest.mark.parametrize(
    ("address", "model", "sent"),
    [
        ("https://api.deepseek.com", "deepseek-flash", {"thinking": {"type": "disabled"}, "max_tokens": 900}),
        (DASHSCOPE, "qwen-plus-latest", {"enable_thinking": False, "response_format": {"type": "json_object"}}),
        ("https://open.bigmodel.cn/api/paas/v4", "GLM-4.5-Air", {"thinking": {"type": "disabled"}}),
        ("https://api.openai.com/v1", "gpt-5.4", {"reasoning_effort": "none", "max_completion_tokens": 900}),
        ("https://ark.cn-beijing.volces.com/api/v3", "doubao-seed-1-6-251015", {"thinking": {"type": "disabled"}}),
    ],
)
def test_the_first_request_is_in_the_models_own_dialect(
    tmp_path: Path, address: str, model: str, sent: dict[str, Any]
) -> None:
    found = body(tmp_path, address, model)
    assert {key: found.get(key) for key in sent} == sent


def test_one_that_fixes_its_temperature_is_sent_none(tmp_path: Path) -> None:
    sent = body(tmp_path, "https://api.moonshot.cn/v1", "kimi-k2.6")
    assert "temperature" not in sent
    assert "max_tokens" not in sent
    assert sent["max_completion_tokens"] == 900


def test_one_whose_format_is_ignored_is_not_sent_any(tmp_path: Path) -> None:
    assert "response_format" not in body(tmp_path, "https://api.anthropic.com/v1", "claude-sonnet")


def test_who_wants_thinking_gets_it(tmp_path: Path) -> None:
    sent = body(tmp_path, DASHSCOPE, "qwen-plus", "thinking = true\n")
    assert "enable_thinking" not in sent


def test_what_is_written_beside_the_model_wins(tmp_path: Path) -> None:
    sent = body(tmp_path, DASHSCOPE, "qwen-plus", 'extra = {enable_thinking = true}\nstructured_output = "prompt"\n')
    assert sent["enable_thinking"] is True
    assert "response_format" not in sent


def test_one_that_is_not_listed_is_asked_as_ever_and_learned(tmp_path: Path) -> None:
    assert known("https://gateway.example/v1", "deepseek-flash") == Capabilities()
    sent = body(tmp_path, "https://gateway.example/v1", "deepseek-flash")
    assert set(sent) == {"model", "temperature", "max_tokens", "response_format"}
    assert sent["response_format"]["type"] == "json_schema"


def test_the_table_only_says_where_to_begin(tmp_path: Path) -> None:
    """What a server refuses is learned all the same."""
    offer = built(tmp_path, f'[llm]\nbase_url = "{DASHSCOPE}"\nmodel = "qwen-plus"\n')
    assert isinstance(offer.provider, OpenAIWire)
    dialect = offer.provider.dialect
    assert dialect.learn("response_format is not supported", dialect.body("m", REQUEST))
    assert "response_format" not in dialect.body("m", REQUEST)
    fixed = f'[llm]\nbase_url = "{DASHSCOPE}"\nmodel = "qwen-plus"\nstructured_output = "json_object"\n'
    offer = built(tmp_path, fixed)
    assert isinstance(offer.provider, OpenAIWire)
    assert offer.provider.dialect.fixed


def test_who_does_not_know_how_to_be_quiet_is_asked_without(tmp_path: Path) -> None:
    """Else an entry that has grown old would end in refusals for ever."""
    offer = built(tmp_path, f'[llm]\nbase_url = "{DASHSCOPE}"\nmodel = "qwen-plus"\nextra = {{seed = 7}}\n')
    assert isinstance(offer.provider, OpenAIWire)
    dialect = offer.provider.dialect
    assert not dialect.learn("Unknown parameter: 'seed'", dialect.body("m", REQUEST)), "what its user wrote stays"
    assert dialect.learn("Unknown parameter: 'enable_thinking'", dialect.body("m", REQUEST))
    sent = dialect.body("m", REQUEST)
    assert "enable_thinking" not in sent
    assert sent["seed"] == 7
    assert not dialect.learn("Unknown parameter: 'enable_thinking'", sent)


def test_a_server_may_be_named_whose_address_does_not_give_it_away(tmp_path: Path) -> None:
    sent = body(tmp_path, "http://10.0.0.7:8000/v1", "Qwen/Qwen3-32B", 'dialect = "vllm"\n')
    assert sent["chat_template_kwargs"] == {"enable_thinking": False}
    with pytest.raises(ConfigError, match=r"models\[1\]\.dialect: there is no such dialect; it is one of deepseek"):
        body(tmp_path, "http://10.0.0.7:8000/v1", "m", 'dialect = "klingon"\n')


def test_its_user_knows_better(tmp_path: Path) -> None:
    more = """
    [llm.models.capabilities]
    context = 32768
    output = 4096
    temperature = [0.1, 1.0]
    quiet = {reasoning_effort = "low"}
    streams = false
    """
    offer = built(tmp_path, f'[[llm.models]]\nbase_url = "{DASHSCOPE}"\nmodel = "qwen-plus"\n{more}')
    assert isinstance(offer.provider, OpenAIWire)
    dialect = offer.provider.dialect
    assert (offer.context, offer.output, offer.temperature) == (32768, 4096, (0.1, 1.0))
    assert (dialect.quiet, dialect.extra) == ({"reasoning_effort": "low"}, {})
    assert (dialect.structured, dialect.streams, dialect.counts_streams) == ("json_object", False, True)
    unknown = f'[[llm.models]]\nbase_url = "{DASHSCOPE}"\nmodel = "m"\n[llm.models.capabilities]\nnope = 1\n'
    with pytest.raises(ConfigError, match=r"llm\.models\[1\]\.capabilities\.nope: there is no such setting"):
        built(tmp_path, unknown)


@pytest.mark.parametrize("wrong", [{"context": 3}, {"temperature": (1, 0)}, {"temperature": (0, 3)}, {"cache": "x"}])
def test_what_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Capabilities(**wrong)


def test_an_address_finds_its_entry_however_it_is_written() -> None:
    listed = known("https://api.deepseek.com", "deepseek-flash")
    assert listed.context == 1_000_000
    for address in ("https://API.DEEPSEEK.COM:443/v1/", " https://u:p@api.deepseek.com/beta"):
        assert known(address, "DeepSeek-Flash") == listed
    for address in ("http://127.0.0.1:11434", "http://nas:11434/v1"):
        assert known(address, "qwen3:8b").counts_streams is True
    assert known("http://127.0.0.1:8080", "qwen3:8b") == Capabilities()
    assert known("https://api.deepseek.com.evil.example", "deepseek-flash") == Capabilities()
    assert known("", "") == Capabilities()


@pytest.mark.parametrize(
    ("offered", "wanted", "tokens"),
    [
        (Offer(None), 1500, 1500),  # type: ignore[arg-type]
        (Offer(None), None, None),  # type: ignore[arg-type]
        (Offer(None, output=800), 1500, 800),  # type: ignore[arg-type]
        (Offer(None, output=800), None, 800),  # type: ignore[arg-type]
        (Offer(None, max_tokens=300, output=800), 1500, 300),  # type: ignore[arg-type]
        (Offer(None, max_tokens=3000), 1500, 3000),  # type: ignore[arg-type]
    ],
)
def test_no_more_tokens_are_asked_for_than_a_model_can_give(
    offered: Offer, wanted: int | None, tokens: int | None
) -> None:
    assert offered.tokens(wanted) == tokens


def test_what_is_asked_for_stays_within_a_models_limits() -> None:
    narrow = Offer(None, temperature=(0.1, 1.0), context=1000, deadlines={"judge": 2.0})  # type: ignore[arg-type]
    assert [narrow.warmth(each) for each in (0.0, 0.3, 1.8)] == [0.1, 0.3, 1.0]
    assert Offer(None).warmth(0.0) == 0.0  # type: ignore[arg-type]
    assert narrow.fits(1000)
    assert not narrow.fits(1001)
    assert Offer(None).fits(10**9)  # type: ignore[arg-type]
    assert narrow.seconds("judge", 8.0, 0.5) == 1.0
    assert narrow.seconds("generate", 15.0, 0.5) == 15.0
