"""Going back, branching, comparing; editing and going on; a recording against a changed script; taking it elsewhere."""

from __future__ import annotations

from pathlib import Path

from tests.debugger.material import TALK, Desk, debugging, led, point
from tests.server.material import run

ASK = "content: 怎么称呼你？"


async def whole(desk: Desk, words: tuple[str, ...] = ("小林", "4 个小时", "还好")) -> None:
    for each in words:
        await desk.say(each)


def test_going_back_makes_a_branch_and_both_can_be_compared(tmp_path: Path) -> None:
    async def gone_back() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make()
            await whole(desk)
            said = await desk.said()
            assert desk.state["status"] == "ended"
            snapshots = (await desk.get("snapshots"))["snapshots"]
            assert {each["kind"] for each in snapshots} == {"before", "after"}
            there = next(each for each in snapshots if each["action"] == "breathe_in")
            found = await desk.get(f"snapshots/{there['id']}")
            assert found["snapshot_type"] == "before"
            assert found["variables"]["session"]["睡了"] == 4
            assert found["messages"][-1]["content"] == "4 个小时"
            back = await desk.do("back", {"snapshot": there["id"]})
            assert (desk.at, desk.state["branch"], back["words"]) == ("breathe_in", "2", [])
            await desk.do("go", {"go": "run"})
            await desk.say("还好")
            assert await desk.said() == said
            same = await desk.get("compare?one=1&other=2")
            assert same["same"]
            again = await desk.do("back", {"message": said.index("4 个小时") + 1})
            assert again["words"] == ["4 个小时"]
            await desk.say("8 个小时")
            assert desk.state["status"] == "ended"
            other = await desk.get("compare?one=1&other=3")
            assert other["variables"]["睡了"] == [4, 8]
            assert other["pairs"][0]["differs"] == ["words", "moves", "variables"]
            await desk.do("branch", {"branch": "1"})
            assert await desk.said() == said

    run(gone_back())


def test_editing_and_going_on_says_what_carries_over(tmp_path: Path) -> None:
    async def edited() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make()
            await desk.say("小林")
            later = TALK.replace("今晚早点睡", "今晚十一点前睡")
            told = await desk.do("text", {"texts": {"talk.yaml": later}})
            assert [(each["what"], each["fate"]) for each in told["report"]][-1] == ("action", "same")
            assert (desk.at, desk.state["branch"], desk.state["status"]) == ("how_long", "2", "waiting")
            await whole(desk, ("4", "还好"))
            assert (await desk.said())[-1].endswith("今晚十一点前睡，小林。")

    run(edited())


def test_a_question_that_was_reworded_is_put_again(tmp_path: Path) -> None:
    async def edited() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make()
            told = await desk.do("text", {"texts": {"talk.yaml": TALK.replace(ASK, "content: 你叫什么？")}})
            assert ("action", "name", "begins_again") in [(e["what"], e["name"], e["fate"]) for e in told["report"]]
            assert (await desk.said())[-1] == "你叫什么？"
            gone = TALK.replace("id: sleep\n        steps", "id: night\n        steps")
            await desk.say("小林")
            await desk.do("text", {"texts": {"talk.yaml": gone}}, 409)
            assert desk.state["branch"] == "2"

    run(edited())


def test_edited_while_it_is_held_the_turn_is_gone_through_again(tmp_path: Path) -> None:
    async def edited() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make(breakpoints=[point("action", name="breathe_in")])
            await desk.say("小林")
            await desk.say("4")
            assert desk.at == "breathe_in"
            await desk.do("text", {"texts": {"talk.yaml": TALK.replace("慢慢吸气。", "吸气，数到四。")}})
            assert (desk.at, desk.state["held"]["kind"]) == ("breathe_in", "edit")
            await desk.do("go", {"go": "run"})
            assert "吸气，数到四。" in (await desk.said())[-2]

    run(edited())


def test_a_text_that_cannot_be_run_changes_nothing(tmp_path: Path) -> None:
    async def refused() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make()
            found = await desk.do("text", {"texts": {"talk.yaml": TALK.replace("type: say", "type: sing", 1)}}, 422)
            assert found["findings"][0]["file"] == "talk.yaml"
            assert desk.state["branch"] == "1"

    run(refused())


def test_a_recording_is_played_against_the_changed_script(tmp_path: Path) -> None:
    async def played() -> None:
        async with debugging(tmp_path, model=led()) as desk:
            await desk.make("led", answering={"by": "model"})
            await whole(desk, ("工作上被批评了", "就这些"))
            same = await desk.do("play", {})
            assert same["same"], same
            files = (await desk.get("texts"))["texts"]
            changed = files["led.yaml"].replace("问到为止", "温和地问，问到为止")
            other = await desk.do("play", {"branch": "1", "texts": {"led.yaml": changed}, "misfit": "use"})
            assert any("prompts" in pair["differs"] for pair in other["pairs"])
            assert any(pair["misfits"] for pair in other["pairs"])
            assert not any("words" in pair["differs"] for pair in other["pairs"])

    run(played())


def test_the_visitor_may_be_a_test_or_a_character_and_time_moves(tmp_path: Path) -> None:
    async def visited() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make(begin=False)
            case = "script: sleepy/sleep\ntests:\n  - test: 睡得好\n    turns: [{say: 小林}, {say: 8 个小时}]\n"
            made = await desk.do("visit", {"test": case})
            assert (made["moves"], desk.state["status"]) == (3, "ended")
            await desk.do("restart")
            assert desk.state["branch"] == "2"
            made = await desk.do("visit", {"persona": "cooperative", "moves": 6, "seed": 3})
            assert made["moves"] >= 2
            before = desk.state["now"]
            if desk.state["status"] == "waiting":
                await desk.do("forward", {"seconds": 600})
                assert desk.state["now"] > before

    run(visited())


def test_it_becomes_a_test_or_a_file_that_opens_to_the_same_state(tmp_path: Path) -> None:
    async def exported() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make(breakpoints=[point("action", name="good_night")])
            await whole(desk)
            held, said = desk.state, await desk.said()
            file = await desk.get("file")
            taken = await desk.api.post("/api/v1/debug/import", {"file": file}, desk.token)
            assert taken.status_code == 201, taken.text
            desk.state = taken.json()
            same = ("status", "stack", "turn", "held", "branch", "breakpoints", "text")
            assert [desk.state[each] for each in same] == [held[each] for each in same]
            assert await desk.said() == said
            await desk.do("go", {"go": "run"})
            test = await desk.do("test", {"name": "睡得少"})
            assert test["passes"], test
            assert "睡了: 4" in test["yaml"]
            broken = await desk.api.post("/api/v1/debug/import", {"file": {**file, "moves": [{}]}}, desk.token)
            assert broken.status_code == 422

    run(exported())


def test_awareness_is_tried_on_sentences(tmp_path: Path) -> None:
    async def tried() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make()
            version = desk.state["version"]
            found = (await desk.do("try", {"sentences": ["我想自杀", "今天天气不错"]}))["trials"]
            grave = [each for each in found[0]["found"] if each["verdict"] == "yes"]
            assert grave
            assert grave[0]["awareness"].startswith("safety/")
            assert grave[0]["evidence"]
            assert not [each for each in found[1]["found"] if each["verdict"] == "yes"]
            assert (await desk.get())["version"] == version

    run(tried())


def test_a_prompt_is_worked_on_and_written_back(tmp_path: Path) -> None:
    async def worked() -> None:
        async with debugging(tmp_path, model=led()) as desk:
            await desk.make("led", answering={"by": "model"})
            call = (await desk.get("calls"))["calls"][0]
            opened = await desk.get(f"calls/{call['move']}/{call['key']}")
            assert (opened["action"], opened["fields"]["content"]) == ("what", "问最近有什么烦心事，问到为止。")
            ran = await desk.do(f"calls/{call['move']}/{call['key']}/run", {"times": 2})
            assert [each["status"] for each in ran["runs"]] == ["answered", "answered"]
            words = {"field": "content", "words": "只问一件烦心事。"}
            accepted = await desk.do(f"calls/{call['move']}/{call['key']}/accept", words)
            assert len(accepted["splices"]) == 1
            await desk.do("text", {"texts": {accepted["file"]: accepted["text"]}})
            assert "只问一件烦心事。" in (await desk.get("texts"))["texts"]["led.yaml"]
            own = {"template": opened["template_file"], "words": opened["template_text"] + "\n只问一件事。\n"}
            accepted = await desk.do(f"calls/{call['move']}/{call['key']}/accept", own)
            assert accepted["file"].startswith("prompts/default/")
            ran = await desk.do(
                f"calls/{call['move']}/{call['key']}/run", {"texts": {accepted["file"]: accepted["text"]}}
            )
            assert any("只问一件事。" in each["text"] for each in ran["layers"]), "it is read where it is proposed"
            broken = {"texts": {accepted["file"]: "x" + accepted["text"]}}
            bad = await desk.do(f"calls/{call['move']}/{call['key']}/run", broken, 409)
            assert bad["code"] == "debug-no-prompt"
            bad = await desk.do(f"calls/{call['move']}/{call['key']}/run", {"layers": ["x"]}, 422)
            assert bad["code"] == "debug-layers"

    run(worked())
