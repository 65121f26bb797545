"""What the adapter says to authors, in both languages at once: an editor does not say which it speaks."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "program": "program: FILE.yaml or FILE.yaml#session · 要给出脚本文件",
    "no_session": "there is no debug session of this id · 没有这场调试会谈",
    "not_begun": "launch or attach first · 先启动或连接",
    "no_action": "no action on this line or below it · 这一行和它下面没有动作",
    "gone": "this is no longer so · 这已经不是现在的样子了",
    "whole": "set the whole variable · 请改整个变量",
    "refused": "the variable's type or rules refuse this value · 变量的类型或规则不接受这个值",
    "held": "the session is held: continue first · 会谈停着：先继续",
    "waits": "waits for the visitor: type what they say · 等来访者说话：直接输入",
}
_REASONS: Mapping[str, str] = {
    "debug-ended": "the session has ended · 会谈已经结束",
    "debug-closed": "this debug session has been closed · 这次调试已经关闭",
    "debug-held": WORDS["held"],
    "debug-no-action": WORDS["no_action"],
    "debug-not-carried": "the session cannot be moved to the changed script · 会谈不能移到改过的脚本上",
}


def reason(code: str) -> str:
    return _REASONS.get(code, code)
