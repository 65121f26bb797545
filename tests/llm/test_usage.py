"""What a call used, as the vendors spell it; what they leave out stays unknown."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartrule.llm.providers.usage import MOST, Usage, usage_of

OPENAI = {
    "prompt_tokens": 1117,
    "completion_tokens": 46,
    "total_tokens": 1163,
    "prompt_tokens_details": {"cached_tokens": 1024, "audio_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 30, "audio_tokens": 0},
}


@pytest.mark.parametrize(
    ("told", "usage"),
    [
        pytest.param(OPENAI, Usage(1117, 1024, 46, 30), id="OpenAI"),
        pytest.param(
            {
                "prompt_tokens": 100,
                "completion_tokens": 20,
                "total_tokens": 120,
                "prompt_cache_hit_tokens": 64,
                "prompt_cache_miss_tokens": 36,
                "completion_tokens_details": {"reasoning_tokens": 12},
            },
            Usage(100, 64, 20, 12),
            id="DeepSeek",
        ),
        pytest.param(
            {"prompt_cache_hit_tokens": 64, "prompt_cache_miss_tokens": 36, "completion_tokens": 20},
            Usage(100, 64, 20, None),
            id="DeepSeek, only hits and misses",
        ),
        pytest.param(
            {"prompt_tokens": 19, "completion_tokens": 21, "total_tokens": 40, "cached_tokens": 10},
            Usage(19, 10, 21, None),
            id="Kimi",
        ),
        pytest.param(
            {"prompt_tokens": 19, "completion_tokens": 21, "total_tokens": 40, "prompt_tokens_details": None},
            Usage(19, None, 21, None),
            id="vLLM",
        ),
        pytest.param(
            {
                "prompt_tokens": 32,
                "completion_tokens": 9,
                "total_tokens": 250,
                "prompt_tokens_details": {"cached_tokens": 0},
                "completion_tokens_details": {"reasoning_tokens": 209},
            },
            Usage(32, 0, 218, 209),
            id="xAI: reasoning beside the answer",
        ),
        pytest.param(
            {"prompt_tokens": 20, "completion_tokens": 151, "total_tokens": 553},
            Usage(20, None, 533, 382),
            id="Gemini: reasoning only in the total",
        ),
        pytest.param(
            {
                "prompt_tokens": 21,
                "completion_tokens": 0,
                "total_tokens": 81,
                "completion_tokens_details": {"reasoning_tokens": 60},
            },
            Usage(21, None, 60, 60),
            id="Gemini: nothing but reasoning",
        ),
        pytest.param(
            {"prompt_tokens": 5, "completion_tokens": 4, "completion_tokens_details": {"reasoning_tokens": 60}},
            Usage(5, None, 64, 60),
            id="reasoning beside the answer, without a total",
        ),
        pytest.param(
            {
                "input_tokens": 125,
                "output_tokens": 48,
                "total_tokens": 173,
                "input_tokens_details": {"cached_tokens": 98},
                "output_tokens_details": {"reasoning_tokens": 7},
            },
            Usage(125, 98, 48, 7),
            id="OpenAI's responses",
        ),
        pytest.param(
            {
                "input_tokens": 50,
                "cache_read_input_tokens": 900,
                "cache_creation_input_tokens": 40,
                "output_tokens": 7,
            },
            Usage(990, 900, 7, None),
            id="Anthropic: what was cached stands beside",
        ),
        pytest.param({"prompt_tokens": 0, "completion_tokens": 0}, Usage(0, None, 0, None), id="a told nought stays"),
        pytest.param({"total_tokens": 12}, Usage(), id="only a total"),
        pytest.param(
            {"prompt_tokens": 9, "cached_tokens": 90, "completion_tokens": 2},
            Usage(9, None, 2, None),
            id="more cached than sent",
        ),
        pytest.param(
            {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 3},
            Usage(9, None, 2, None),
            id="a total that is too small",
        ),
        pytest.param(
            {
                "prompt_tokens": 9,
                "completion_tokens": 8,
                "total_tokens": 30,
                "completion_tokens_details": {"reasoning_tokens": 5},
            },
            Usage(9, None, 8, 5),
            id="a total that nothing explains",
        ),
        pytest.param(
            {"completion_tokens_details": {"reasoning_tokens": 5}}, Usage(None, None, None, 5), id="no output"
        ),
    ],
)
def test_vendors(told: dict[str, Any], usage: Usage) -> None:
    assert usage_of(told) == usage


@pytest.mark.parametrize("told", [None, [], "9", 9, {}, {"prompt_tokens": None, "completion_tokens": {}}])
def test_nothing_is_told(told: object) -> None:
    assert usage_of(told) == Usage()


@pytest.mark.parametrize("number", ["9", -1, True, 1.5, None, [1], MOST + 1, float("nan")])
def test_what_is_no_number_of_tokens_is_unknown(number: object) -> None:
    told = {
        "prompt_tokens": number,
        "completion_tokens": number,
        "total_tokens": number,
        "prompt_tokens_details": {"cached_tokens": number},
        "completion_tokens_details": {"reasoning_tokens": number},
    }
    assert usage_of(told) == Usage()


COUNTS = st.one_of(st.integers(-5, 5000), st.none(), st.booleans(), st.text(max_size=3))
DETAILS = st.one_of(COUNTS, st.dictionaries(st.sampled_from(["cached_tokens", "reasoning_tokens"]), COUNTS))
NAMES = (
    *("prompt_tokens", "completion_tokens", "total_tokens", "input_tokens", "output_tokens", "cached_tokens"),
    *("prompt_cache_hit_tokens", "prompt_cache_miss_tokens", "cache_read_input_tokens", "reasoning_tokens"),
    *("prompt_tokens_details", "completion_tokens_details", "input_tokens_details", "output_tokens_details"),
)


@given(st.dictionaries(st.sampled_from(NAMES), DETAILS))
def test_the_parts_are_never_more_than_the_whole(told: dict[str, Any]) -> None:
    found = usage_of(told)
    for number in (found.tokens_in, found.cached, found.tokens_out, found.reasoning):
        assert number is None or number >= 0
    if found.tokens_in is not None and found.cached is not None:
        assert found.cached <= found.tokens_in
    if found.tokens_out is not None and found.reasoning is not None:
        assert found.reasoning <= found.tokens_out
