"""The words of the visitor's page that are ours, not the product's."""

from __future__ import annotations

from collections.abc import Mapping
from string import Template

WORDS: Mapping[str, Mapping[str, str]] = {
    "zh-CN": {
        "choices": "可以选一个（写 [pick] 加选项，或直接写自己的话）：",
        "form": "要填的表：$name",
        "fill": "（写 [form]，然后每行“题号: 答案”；[close] 收起不填；也可以直接写自己的话）",
        "filled": "（已填 $answer）",
        "must": "（必填）",
        "problem": "！$label：$message",
        "picture": "〔图：$text〕",
        "sound": "〔录音：$text〕",
        "human": "（真人）",
        "crisis": "〔页面上方一行可以点的号码：$numbers〕",
        "nothing": "（没有新的话。）",
        "ended": "（会谈结束了。）",
        "not_understood": "（没有送出去：$why）",
        "no_choice": "没有“$label”这个选项",
        "no_form": "现在没有表要填",
        "no_field": "表里没有“$label”这一题",
        "no_option": "第 $number 题没有“$answer”这个答案，能填：$options",
        "command_last": "[pick]、[form]、[close]、[wait]、[end] 要单独写，或者放在最后一段",
        "nothing_said": "什么也没写；不说话请写 [wait]",
        "yes": "是",
        "no": "否",
    },
    "en": {
        "choices": "You can pick one (write [pick] and the option, or just write your own words):",
        "form": "A form to fill in: $name",
        "fill": '(write [form], then lines of "number: answer"; [close] puts it away; or just write your own words)',
        "filled": "(filled in: $answer)",
        "must": "(required)",
        "problem": "! $label: $message",
        "picture": "[picture: $text]",
        "sound": "[recording: $text]",
        "human": "(a person)",
        "crisis": "[a line of numbers to press at the top of the page: $numbers]",
        "nothing": "(nothing new)",
        "ended": "(The conversation is over.)",
        "not_understood": "(not sent: $why)",
        "no_choice": 'there is no option "$label"',
        "no_form": "there is no form to fill in now",
        "no_field": 'the form has no question "$label"',
        "no_option": 'question $number has no answer "$answer"; it takes: $options',
        "command_last": "[pick], [form], [close], [wait] and [end] stand alone, or in the last part",
        "nothing_said": "nothing was written; to say nothing write [wait]",
        "yes": "Yes",
        "no": "No",
    },
}


def words(locale: str, said: str, /, **values: object) -> str:
    return Template(WORDS["zh-CN" if locale.startswith("zh") else "en"][said]).substitute(values)
