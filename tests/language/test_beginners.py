"""Files as people write them in their first week, each with every finding it deserves and no other.

A comment ``# CODE`` (or several) at the end of a line says what is found there; nothing is found anywhere else.
"""

from __future__ import annotations

import re

from tests.language.material import at, linted
from tests.table import tabled

MARK = re.compile(r"#((?: [EW]\d{3})+)\s*$")

FILES = {
    "the first try, typed in a chat window": """
sessions：  # E022
  - session: 第一次会谈
    phases:
      - phase: 开场
        steps:
          - topic: 问候
            actions:
              - type: say
                content：你好  # E022
              - type：ask  # E022
                content: 怎么称呼你？
                output:
                  - get: 称呼
              - type: say
                content: {称呼}，很高兴认识你。  # E020
""",
    "braces everywhere, because placeholders have them": """
sessions:
  - session: 情绪
    declare:
      - {var: 情绪强度, type: integer}
      - {var: 信息完整, type: boolean, value: false}
    phases:
      - phase: 了解
        steps:
          - topic: 情绪
            repeat:
              until: {信息完整}  # E023
            actions:
              - type: ask
                content: 几分？
                output: [{get: 情绪强度}]
              - type: say
                content: {情绪强度}  # E023
              - type: say
                condition: {情绪强度} >= 3  # E020
                content: 有点高。
              - type: say
                condition: "{情绪强度} >= 3"
                content: 这样写就对了。
""",
    "quotes forgotten in comparisons": """
sessions:
  - session: 选择
    declare:
      - {var: 性别, type: enum, options: [男, 女]}
      - {var: 心情, type: text}
    phases:
      - phase: 问
        steps:
          - topic: 问
            condition: 性别 == 女  # E209
            actions:
              - {type: say, content: 一, condition: 性别 == '女'}
              - {type: say, content: 二, condition: 性别 == '女性'}  # W235
              - {type: say, content: 三, condition: 心情 contains 好}  # E209
              - {type: say, content: 四, condition: 心清 == '好'}  # W210
              - type: say
                content: 五
                condition:
                  all:
                    - 性别 == 男  # E209
                    - judge: 心情好吗
""",
    "keys that were almost right": """
sessions:
  - sesion: 会谈  # E101
    session: 会谈
    gaol: 认识  # E101
    phases:
      - phase: 开场
        milestones: 好  # E101
        steps:
          - topic: 问候
            done_wen: 称呼  # E101
            actions:
              - type: ai_ask
                content: 问称呼
                questions: 怎么称呼？  # E101
                question: 怎么称呼？
                maxrounds: 3  # E101
                output:
                  - get: 称呼
                    defin: 称呼  # E101
              - type: use_skil  # E107
                skill: 呼吸
""",
    "from a programmer": """
sessions:
  - session: 会谈
    id: 第一次  # E202
    phases:
      - phase: a
        id: a.b  # E202
        steps:
          - topic: b
            actions:
              - type: set_var
                var: count
                expr: count++  # E110
              - type: set_var
                var: count
                expr: count + 1
              - type: say
                content: 你好
                condition: count === 3 && !other
              - type: say
                content: "${count} 次，{{count}} 次，{ \\"a\\": 1 }"
              - type: say
                content: 你好
                condition: count > 3 ? true : false  # E021
""",
    "too much at once": """
sessions:
  - session: 会谈
    memory: {often: true}  # E101
    phases:
      - phase: a
        time_budget: 5m
        steps:
          - topic: b
            sensitive: true
            strategy: {note: 慢}  # E101
            actions:
              - type: say
                content: 你好
                memory: true  # E103
                audio: a.mp3  # E103
              - type: show_pic
                picture: a.png
                alt: 图
              - type: ai_ask
                content: 问
                question: 几岁？
                verify: llm
                when_known: confirm
forms: []
""",
    "from another engine": """
sessions:
  - session: 会谈
    phases:
      - stage: 开场  # W194
        topics:
          - topic_name: 问候
            actions:
              - say: 你好
""",
    "from another engine, one level down": """
sessions:
  - session: 会谈
    phases:
      - phase: 开场
        steps:
          - goal: 问候  # W194
            actions:
              - say: 你好
              - ai_ask: 怎么称呼？  # W221
                target_variable: 称呼
              - think: 想一想
              - call: 呼吸  # E203
                timing: NOW
              - action_type: ai_say  # W427
                config: {content_template: 你好}  # W220
              - type: ai_say
                content_template: 你好  # W220
              - type: user_option
                var: a
                choices:
                  - A: 继续
""",
    "numbers that do not fit": """
sessions:
  - session: 会谈
    declare:
      - {var: 分, type: integer, range: [10, 1]}  # E224
      - {var: 心, type: integer, range: [1, 10], value: 11}  # E225
      - {var: 字, type: text, range: [1, 5]}  # E224
      - {var: 选, type: enum}  # E223
      - {var: 险, type: text, risk: true}  # E227
    phases:
      - phase: a
        steps:
          - topic: b
            actions:
              - type: ai_ask
                content: 问
                question: 几分？
                max_rounds: 0  # E105
              - type: ai_ask
                content: 问
                question: 几分？
                max_rounds: 三  # E103
              - type: ai_say
                content: 讲
                fallback: 讲
                exit_criteria:
                  understanding_threshold: 120  # E105
              - type: ask
                content: 问
                on_timeout: never  # E104
""",
    "rounds and waiting": """
sessions:
  - session: 会谈
    phases:
      - phase: a
        steps:
          - topic: b
            actions:
              - type: ai_ask
                content: 问
                question: 几分？
                max_rounds: 2
                min_rounds: 3  # E237
              - type: ask
                content: 问
                timeout: 五分钟  # W425
              - type: ai_say
                content: 讲  # W220
                max_rounds: 3
                require_acknowledgment: true  # W238
              - type: ai_ask
                content: 问年龄  # W221
                output: [{get: 年龄}]
""",
    "actions with the wrong keys": """
sessions:
  - session: 会谈
    phases:
      - phase: a
        steps:
          - topic: b
            actions:
              - type: say
                content: 你好
                max_rounds: 3  # E108
              - type: say
                content: 你好
                exit_criteria: {min_rounds: 2}  # E113
              - type: ai_ask
                content: 问
                question: 问
                exit_criteria:
                  understanding_threshold: 80  # E108
              - type: ask
                content: 问
                output:
                  - define: 年龄  # E112
              - type: ask  # E102
              - content: 你好  # E102
""",
    "references that lead nowhere": """
sessions:
  - session: 会谈
    awareness: [抗据]  # E204
    template_scheme: warm  # W259
    phases:
      - phase: a
        transitions: [{to: 结束}]  # E205
        awareness: {enable: [抗拒]}
        steps:
          - topic: b
            transitions: [{to: c}]  # E205
            actions:
              - {type: use_skill, skill: 放松}  # E203
              - {type: use_skill, skill: 呼吸}  # E214
              - {type: use_skill, skill: 呼吸, input: {次数: 1, 快: 2}}  # E215
              - {type: use_skill, skill: 呼吸, input: {次数: 1}, output: [{get: 心跳, set: 心跳}]}  # E217
              - {type: use_skill, skill: 呼吸, input: {次数: 1}, timing: before_topic}  # E207
skills:
  - skill: 呼吸
    parameters: [{name: 次数, required: true}]
    actions:
      - {type: say, content: 吸}
awareness:
  - awareness: 抗拒
    condition: {judge: 抗拒吗}
    then:
      - {directive: INSERT_TOPIC}  # E208
      - {directive: INSERT_TOPIC, topic: d}  # E206
      - {directive: CALL_TECHNIQUE, technique: 放松}  # E203
""",
    "the same things twice": """
sessions:
  - session: 会谈
    declare:
      - {var: a}
      - {var: a}  # E201
    phases:
      - phase: a
        steps:
          - topic: b
            actions:
              - {type: say, id: x, content: 一}
              - {type: say, id: x, content: 二}  # E201
              - type: say
                content: 三
                content: 四  # E007
              - type: user_option
                var: a
                choices:
                  - {value: 1, label: 一}
                  - {value: 1, label: 二}  # E226
          - topic: b  # E201
            actions: []
      - phase: a  # E201
        steps: []
""",
    "names that nothing writes": """
sessions:
  - session: 会谈
    phases:
      - phase: a
        goal: 认识{名字}  # W211
        condition: 年龄 > 18  # W210
        steps:
          - topic: b
            for_each: {in: 家人, as: 成员}  # W230
            actions:
              - {type: say, content: "{成员.称呼}和{称呼}"}  # W211
              - {type: ask, content: 问, output: [{get: 工作}]}  # W233
          - topic: c
            actions:
              - {type: say, content: "{工作}忙吗"}
""",
    "English, with its own traps": """
sessions:
  - session: First talk
    goal: Getting to know: each other  # E021
    phases:
      - phase: Opening
        steps:
          - topic: Hello
            actions:
              - type: say
                content: "Hello" she said  # E020
              - type: say
                content: {name}, welcome  # E020
              - {type: say, content: Sit down, please}  # E026
              - type: say
                content: [Notice] hello  # E020
              - type: ask
                content: Your age?
                output: [{get: age, typ: integer}]  # E101
              - type: say
                content: @everyone hello  # E020
              - type: say
                content: It's 50% done: really  # E021
              - type: say
                content: It's 50% done, really
""",
    "empty places": """
sessions:
  - session: 会谈
    phases:
      - phase: a
        steps:
          - topic: b
            actions:
              - type: say
                content:  # E106
              - type: ai_ask
                content: 问
                question: 问
                max_rounds:  # E106
              - type: user_option
                var: a
                choices: []  # E105
              - type: say
                content: 你好
                condition: {judge: ""}  # E219
              -
                type: say
                content: 好
""",
}


def expected(text: str) -> list[tuple[str, int]]:
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        match = MARK.search(line)
        if match:
            found += [(code, number) for code in match[1].split()]
    return found


@tabled("name", FILES)
def test_everything_is_found_and_nothing_else(name: str) -> None:
    text = FILES[name]
    found = linted(text)
    errors = {each.line for each in found if each.stops}
    assert sorted(at(found), key=lambda each: (each[1], each[0])) == expected(text), [str(each) for each in found]
    assert errors or name in ("names that nothing writes", "from another engine")


@tabled("name", FILES)
def test_every_finding_says_where_and_what_to_do(name: str) -> None:
    for found in linted(FILES[name]):
        for lang in ("zh", "en"):
            told = found.localized(lang)
            assert told.message
            assert told.hint
            assert "{advice}" not in told.hint
