"""What a call costs: exact, by who was asked and who answered, and unknown rather than nought."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from heartrule.llm.config import ConfigError, build_model, load_settings
from heartrule.llm.prices import PARTS, Price, Prices, table

HERE = Price("CNY", Decimal(2), Decimal(3), Decimal("0.2"))
FLAT = Price("USD", Decimal("0.5"), Decimal("1.5"))
TOML = """
[[llm.models]]
base_url = "https://api.deepseek.com"
model = "deepseek-flash"

[llm.prices."deepseek-flash"]
currency = "CNY"
input = 2
cached = 0.04
output = 8
read = 2026-11-21
source = "my contract"

[[llm.models]]
base_url = "https://api.openai.com/v1"
model = "gpt-4o-mini"

[llm.prices."gpt-4o-mini"]
currency = "USD"
input = 0.1
output = 0.2

[[llm.models]]
name = "cheaper"
base_url = "https://gateway.example/v1"
model = "deepseek-flash"
price = {currency = "USD", input = 0.1, output = 0.2}
"""


@pytest.mark.parametrize(
    ("price", "used", "cost"),
    [
        (HERE, (1_000_000, 0, 0), 2 * PARTS),
        (HERE, (1_000_000, 1_000_000, 0), PARTS // 5),
        (HERE, (1000, 600, 200), 400 * 2000 + 600 * 200 + 200 * 3000),
        (HERE, (0, 0, 0), 0),
        (FLAT, (1000, None, 10), 1000 * 500 + 10 * 1500),
        (FLAT, (1000, 400, 10), 1000 * 500 + 10 * 1500),
        (Price("USD", Decimal("0.0000005"), Decimal(0)), (1, None, 0), 0),
        (Price("USD", Decimal("0.0005"), Decimal(0)), (1, None, 0), 1),
    ],
)
def test_costs_are_whole_billionths(price: Price, used: tuple[int, int | None, int], cost: int) -> None:
    assert price.cost(*used) == cost


@pytest.mark.parametrize("used", [(None, 0, 9), (9, 0, None), (None, None, None), (9, None, 9)])
def test_what_was_not_told_leaves_the_cost_unknown(used: tuple[int | None, ...]) -> None:
    assert HERE.cost(*used) is None  # type: ignore[arg-type]


def test_own_prices_hold_wherever_a_model_is_asked() -> None:
    prices = Prices({"qwen3": FLAT}, {("api.one.com", "qwen3"): HERE, ("api.one.com", "m"): HERE})
    assert prices.of("api.one.com/qwen3", "qwen3") is FLAT
    assert prices.of("localhost/qwen3", "qwen3-0815") is FLAT
    assert prices.of("anything", "qwen3") is FLAT
    assert prices.of("qwen3", "") is FLAT


def test_listed_prices_hold_at_the_vendor_only() -> None:
    prices = Prices(listed={("api.one.com", "m"): HERE, ("api.one.com", "m-2025"): FLAT})
    assert prices.of("api.one.com/m", "m") is HERE
    assert prices.of("api.one.com/m", "m-2026") is HERE, "a dated name of what was asked"
    assert prices.of("api.one.com/m", "m-2025") is FLAT, "who answered comes first"
    assert prices.of("gateway.example/m", "m") is None
    assert prices.of("api.one.com/other", "other") is None
    assert prices.of("m", "m") is None


def test_the_table_says_when_and_where_each_price_was_read() -> None:
    assert table()
    for (host, model), price in table().items():
        assert host == host.strip().lower()
        assert model
        assert len(price.currency) == 3
        assert isinstance(price.read, date)
        assert price.source.startswith("https://")
        assert 0 < price.input < price.output
        assert price.cached is None or 0 < price.cached < price.input


def test_heartrule_toml_says_what_a_model_costs(tmp_path: Path) -> None:
    (tmp_path / "heartrule.toml").write_text(TOML, encoding="utf-8")
    prices = build_model(load_settings(tmp_path / "heartrule.toml", {})).prices
    flash = prices.of("api.deepseek.com/deepseek-flash", "deepseek-flash")
    assert flash == Price("CNY", Decimal(2), Decimal(8), Decimal("0.04"), date(2026, 11, 21), "my contract")
    there = prices.of("gateway.example/deepseek-flash", "deepseek-flash")
    assert there is not None
    assert (there.currency, there.input) == ("USD", Decimal("0.1")), "what stands beside a model holds for that one"
    mini = prices.of("api.openai.com/gpt-4o-mini", "gpt-4o-mini-2024-07-18")
    assert mini is not None
    assert mini.input == Decimal("0.1"), "ours is put aside"
    nano = prices.of("api.openai.com/gpt-5.4-nano", "gpt-5.4-nano")
    assert nano is not None
    assert nano.source, "from the table"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("input = -1", "prices.m.input"),
        ("input = nan", "prices.m.input"),
        ('input = "two"', "prices.m.input"),
        ("inputs = 2", "prices.m.inputs"),
        ('currency = "yuan"', "prices.m.currency"),
        ("output = 2_000_000", "prices.m.output"),
    ],
)
def test_prices_that_are_none_are_refused(tmp_path: Path, line: str, told: str) -> None:
    said = {"currency": '"USD"', "input": "1", "output": "2"}
    name, _, value = line.partition(" = ")
    lines = [f"{key} = {each}" for key, each in {**said, name: value}.items()]
    (tmp_path / "heartrule.toml").write_text("\n".join(['[llm.prices."m"]', *lines]), encoding="utf-8")
    with pytest.raises(ConfigError, match=told):
        load_settings(tmp_path / "heartrule.toml", {})


def test_a_price_needs_all_its_parts(tmp_path: Path) -> None:
    (tmp_path / "heartrule.toml").write_text('[llm.prices."m"]\ninput = 1\n', encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load_settings(tmp_path / "heartrule.toml", {})
    assert "llm.prices.m.currency" in str(refused.value)
    assert "llm.prices.m.output" in str(refused.value)
