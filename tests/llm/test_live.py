"""Which machines a test may reach: this one."""

from __future__ import annotations

import pytest

from heartrule.llm.live import LiveCallForbidden, check_live, live_calls_allowed


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "127.1.2.3", "::1"])
def test_this_machine_may_be_asked(host: str) -> None:
    check_live(host)


@pytest.mark.parametrize(
    "host",
    [
        *("api.deepseek.com", "anthropic", "", "127.evil.com", "127.0.0.1.nip.io", "localhost.evil.com"),
        *("::1.evil.com", "10.0.0.1", "0.0.0.0", "8.8.8.8", "::ffff:8.8.8.8", "mylocalhost", "nobody.invalid"),
    ],
)
def test_no_other_machine_may(host: str) -> None:
    with pytest.raises(LiveCallForbidden):
        check_live(host)
    with live_calls_allowed():
        check_live(host)
    with pytest.raises(LiveCallForbidden):
        check_live(host)
