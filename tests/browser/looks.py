"""Whose screen it is: what a browser of theirs is opened with."""

from __future__ import annotations

from typing import Any

PHONE = {"is_mobile": True, "has_touch": True, "locale": "zh-CN"}
WIDE = {"width": 1280, "height": 800}
LOOKS: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 390, "height": 844}, **PHONE},
    "narrow": {"viewport": {"width": 320, "height": 640}, **PHONE},
    "desktop": {"viewport": WIDE, "locale": "zh-CN"},
    "english": {"viewport": WIDE, "locale": "en-US"},
}
