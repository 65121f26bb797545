"""The classifier that we ship, and how its weights are kept."""

from __future__ import annotations

import time
import zlib
from importlib import resources
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.safety.shipped import matcher, sentences

from heartrule import classifiers
from heartrule.classifiers import OWN_DANGER, UnknownClassifier, configured, shipped
from heartrule.engine.awareness.linear import LinearClassifier, NoClassifier, Weights, unpacked


def packed() -> bytes:
    return (resources.files(classifiers) / classifiers.FILE).read_bytes()


def made(weights: dict[str, int], bias: float = 0.0) -> LinearClassifier:
    return LinearClassifier(Weights("t", bias, 0.1, {"en": 0.5, "zh": 0.5}, weights))


# weights


def test_weights_come_back_from_a_file_as_they_were() -> None:
    weights = Weights("w-1", -0.5, 0.01, {"en": 0.4, "zh": 0.3}, {"死": 127, "\tnot": -127, "笑死": -1})
    assert unpacked(weights.packed()) == weights
    assert unpacked(packed()).plain() == zlib.decompress(packed())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no zlib",
        zlib.compress(b"no head"),
        zlib.compress(b'{"format": 9}\n'),
        zlib.compress(b'{"format": 1, "name": "x", "bias": 0, "step": 1, "thresholds": {}, "features": 3}\na\n\x01'),
        zlib.compress(b'["format"]\n'),
    ],
)
def test_what_is_no_file_of_weights_says_so(data: bytes) -> None:
    with pytest.raises(NoClassifier):
        unpacked(data)


def test_it_is_a_few_hundred_kilobytes() -> None:
    assert len(packed()) < 600_000


# reading


def test_what_speaks_for_and_against_is_added_up() -> None:
    reads = made({"想死": 127, "笑": -127})
    assert reads.estimate("我想死").raised
    assert not reads.estimate("笑").raised


def test_the_evidence_is_the_clause_that_weighs_most_as_it_was_written() -> None:
    found = made({"累赘": 127}).estimate("天气不错。我是个 累 赘，走了")
    assert found.raised
    assert found.evidence == "我是个 累 赘"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_text_has_an_estimate_whose_evidence_stands_in_it(text: str) -> None:
    found = shipped().estimate(text)
    assert 0 <= found.score <= 1
    assert found.evidence in text
    assert found.likely or not found.raised


def test_a_megabyte_takes_no_longer_than_its_ends() -> None:
    begun = time.process_time()
    shipped().estimate("我今天很好。" * 200_000)
    assert time.process_time() - begun < 8


def test_a_message_takes_a_fraction_of_a_millisecond() -> None:
    """0.1 ms on an idle machine; the bound leaves room for a busy one."""
    texts = [text for _, _, text in sentences()]
    shipped().estimate("warm")
    taken = []
    for text in texts:
        begun = time.process_time()
        shipped().score(text)
        taken.append(time.process_time() - begun)
    assert median(taken) < 0.001


# what it hears


@pytest.mark.parametrize(
    "text", ["没有", "3", "嗯", "好的", "我叫小林", "昨晚没睡好", "okay", "seven", "I had a bad day at work", "谢谢你"]
)
def test_everyday_answers_are_left_alone(text: str) -> None:
    assert not shipped().estimate(text).raised
    assert matcher().match(text).level is None


# which


def test_it_can_be_left_out_and_what_is_unknown_is_named() -> None:
    assert configured({"HEARTRULE_RISK_CLASSIFIER": "none"}) == {}
    assert configured({})[OWN_DANGER] is shipped()
    with pytest.raises(UnknownClassifier, match=r"HEARTRULE_RISK_CLASSIFIER.*'other'.*shipped, none"):
        configured({"HEARTRULE_RISK_CLASSIFIER": "other"})
