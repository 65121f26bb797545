"""The prompt tokens of the six turns, without a server: what a change of a prompt does is told in a few seconds.

    python -m bench.intake.prompts

``bench.intake`` measures the same over HTTP, and everything else; ``bench.intake.anatomy`` shows the prompts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean
from typing import Any

from bench.intake import tokens
from bench.intake.conversation import PROJECT, conversation
from bench.intake.mind import Mind

from heartrule.engine.session.tasks import Task
from heartrule.llm.prompt import render
from heartrule.testing.talk import Talk, compile_text


@dataclass(frozen=True, slots=True)
class Call:
    template: str
    prompt: tuple[int, ...] = field(repr=False)


def asked() -> Iterator[Sequence[Call]]:
    """The calls of each turn, from the first answer on."""
    texts = {name: (PROJECT / name).read_text(encoding="utf-8") for name in ("intake.yaml", "project.yaml")}
    script = compile_text(texts["intake.yaml"], files={"project.yaml": texts["project.yaml"]})
    mind, calls = Mind(conversation()), list[Call]()

    def model(task: Task) -> Mapping[str, Any]:
        prompt = render(task, script)
        messages = [{"role": each.role, "content": each.text} for each in prompt.messages]
        calls.append(Call(task.template, tokens.prompt(messages)))
        form = {"json_schema": {"schema": prompt.schema}}
        answer: dict[str, Any] = mind.answer({"messages": messages, "response_format": form})
        return answer

    talk = Talk(script, model)
    for answer in conversation().answers:
        calls.clear()
        talk.say(answer.says)
        if answer.reply not in "".join(talk.said):
            raise SystemExit(f"the model's words are missing: {talk.said}")
        yield tuple(calls)


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens of a turn's prompts by template; ``discounted`` of all, what repeats counted a tenth."""

    prompts: Mapping[str, int]
    discounted: float

    @property
    def whole(self) -> int:
        return sum(self.prompts.values())


def spent(turns: Sequence[Sequence[Call]]) -> list[Spent]:
    found, earlier = [], list[Sequence[int]]()
    for calls in turns:
        sizes = {call.template: len(call.prompt) for call in calls}
        found.append(Spent(sizes, sum(tokens.discounted(call.prompt, earlier) for call in calls)))
        earlier += [call.prompt for call in calls]
    return found


def main() -> None:
    turns = spent(list(asked()))
    for number, turn in enumerate(turns, 2):
        each = ", ".join(f"{template} {size}" for template, size in sorted(turn.prompts.items()))
        print(f"turn {number}: {turn.whole} ({each}); {turn.discounted:.0f} with what repeats counted a tenth")
    print(f"mean: {mean(turn.whole for turn in turns):.0f}; {mean(turn.discounted for turn in turns):.0f}")


if __name__ == "__main__":
    main()
