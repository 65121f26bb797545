"""Sealing single values."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heartrule.store import codec
from heartrule.store.crypto import ID_BYTES, KEY_BYTES, LEAST, Box, Unreadable, new_key, place

KEY = bytes(range(KEY_BYTES))
HERE = place("messages", "text", "s1", 1)


def box(number: int = 1, key: bytes = KEY) -> Box:
    return Box(number.to_bytes(ID_BYTES, "big"), key)


anything = st.text(st.characters(exclude_categories=()))
"""Also lone surrogates and NUL."""
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | anything,
    lambda inner: st.lists(inner) | st.dictionaries(anything, inner),
    max_leaves=20,
)


@given(anything)
def test_any_text_comes_back(text: str) -> None:
    sealed = box().seal(codec.encode_text(text), HERE)
    assert codec.decode_text(box().open(sealed, HERE)) == text


@given(values)
def test_any_value_comes_back(value: object) -> None:
    assert codec.decode(codec.encode(value)) == value


@given(values)
def test_any_value_comes_back_from_a_column_in_clear(value: object) -> None:
    text = codec.encode_clear(value)
    assert text.isascii()
    assert "\x00" not in text


def test_two_surrogates_stay_two() -> None:
    assert codec.decode(codec.encode("\ud83d\ude00")) == "\ud83d\ude00"
    assert codec.decode(codec.encode("\U0001f600")) == "\U0001f600"


def test_mappings_and_sequences_of_any_make() -> None:
    from types import MappingProxyType

    assert codec.decode(codec.encode(MappingProxyType({"a": (1, 2)}))) == {"a": [1, 2]}


def test_the_header_names_version_and_key() -> None:
    sealed = box(7).seal(b"text", HERE)
    assert sealed[0] == 1
    assert int.from_bytes(sealed[1:9], "big") == 7
    assert len(sealed) == 1 + ID_BYTES + 12 + LEAST + 16


def test_the_same_text_never_looks_the_same() -> None:
    assert len({box().seal(b"text", HERE) for _ in range(100)}) == 100


@pytest.mark.parametrize(
    "elsewhere",
    [
        place("turns", "text", "s1", 1),
        place("messages", "metadata", "s1", 1),
        place("messages", "text", "s2", 1),
        place("messages", "text", "s1", 2),
    ],
)
def test_a_value_opens_only_where_it_was_sealed(elsewhere: bytes) -> None:
    with pytest.raises(Unreadable):
        box().open(box().seal(b"text", HERE), elsewhere)


@given(st.lists(anything, max_size=4), st.lists(anything, max_size=4))
@example(["a:b"], ["a", "b"])
@example(["ab", "c"], ["a", "bc"])
@example(["a1:b"], ["a", "b"])
def test_places_are_unambiguous(one: list[str], other: list[str]) -> None:
    assert (place("t", "c", *one) == place("t", "c", *other)) == (one == other)


def test_any_changed_byte_is_noticed() -> None:
    sealed = box().seal(b"text", HERE)
    for at in range(len(sealed)):
        changed = bytearray(sealed)
        changed[at] ^= 1
        with pytest.raises(Unreadable):
            box().open(bytes(changed), HERE)


@pytest.mark.parametrize("length", [0, 1, 8, 9, 20, 36])
def test_what_is_cut_short_is_noticed(length: int) -> None:
    with pytest.raises(Unreadable):
        box().open(box().seal(b"text", HERE)[:length], HERE)


def test_another_key_does_not_open() -> None:
    sealed = box().seal(b"text", HERE)
    with pytest.raises(Unreadable):
        box(1, new_key()).open(sealed, HERE)
    with pytest.raises(Unreadable):
        box(2).open(sealed, HERE)


def test_errors_and_representations_tell_nothing() -> None:
    with pytest.raises(Unreadable) as caught:
        box(2).open(box().seal(b"planted", HERE), HERE)
    assert "planted" not in str(caught.value)
    assert KEY.hex() not in repr(box())


def test_digests_compare_under_one_key_only() -> None:
    assert box().digest(b"text") == box().digest(b"text")
    assert box().digest(b"text") != box().digest(b"texts")
    assert box().digest(b"text") != box(1, new_key()).digest(b"text")


def test_a_key_of_the_wrong_size_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Box(b"1" * ID_BYTES, KEY[:-1])
    with pytest.raises(ValueError, match="32 bytes"):
        Box(b"1", KEY)
