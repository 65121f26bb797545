from __future__ import annotations

import re

import pytest

from heartrule.cli.faults import told_of
from heartrule.cli.words import Words

SECRET = "我昨晚哭了一整夜"


def fail() -> None:
    try:
        raise KeyError(SECRET)
    except KeyError as error:
        raise ValueError(f"cannot take {SECRET}") from error


def test_a_fault_is_a_sentence_with_a_number_by_which_it_is_found(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ValueError, match="cannot") as raised:
        fail()
    found = re.search(r"reference ([0-9a-f]{8})", told := told_of(raised.value, Words("en")))
    assert found is not None
    (line,) = caplog.messages
    assert line.startswith(f"fault reference={found[1]} kind=builtins.ValueError raised=")
    assert "because of builtins.KeyError" in line
    assert SECRET not in line + told
