"""Staff sign in: the first administrator, invitations, one-time codes; and what is tried by those who are not they."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pyotp
import pytest
from tests.server.material import Grounds, problem, run
from tests.server.signing import PASSWORD, STAFF, account, administrator, page

from heartrule.identity import login_throttle

DESK = "/desk/sessions"


def test_the_first_administrator_invites_a_counsellor(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as root, page(api) as wang:
            made = await api.context.accounts.first_link()
            assert made is not None
            looked = (await root.ask("GET", f"/staff/links/{made.token}")).json()
            assert (looked["kind"], looked["name"]) == ("first", None)
            problem(await root.use_link(made.token), "name-refused", 422)
            problem(await root.use_link(made.token, name="root", password="short"), "password-refused", 422)
            assert (await root.use_link(made.token, name="root")).json()["principal"]["name"] == "root"
            problem(await wang.use_link(made.token, name="thief"), "not-found", 404)
            assert await api.context.accounts.first_link() is None
            invited = await root.done(
                "POST", "/staff/accounts", {"name": "wang", "shown_name": "王老师", "roles": ["counsellor"]}, 201
            )
            token = invited["link"]["token"]
            assert invited["account"]["invited"] is True
            assert invited["link"]["url"].endswith(f"/staff/#/link/{token}")
            problem(await root.ask("POST", "/staff/accounts", {"name": "WANG", "roles": []}), "name-taken", 409)
            assert (await wang.use_link(token)).json()["principal"]["name"] == "王老师"
            assert (await wang.done("GET", DESK))["sessions"] == []
            for shown in ("root", "ＲＯＯＴ"):
                problem(await wang.ask("PATCH", "/staff/me", {"name": shown}), "name-taken", 409)
                new = {"name": "li", "shown_name": shown, "roles": ["counsellor"]}
                problem(await root.ask("POST", "/staff/accounts", new), "name-taken", 409)
            await wang.done("PATCH", "/staff/me", {"name": "王老师", "locale": "en"})
            problem(await wang.ask("GET", "/staff/accounts"), "not-allowed", 403)
            listed = (await root.done("GET", "/staff/accounts"))["accounts"]
            assert [(each["name"], each["invited"]) for each in listed] == [("root", False), ("wang", False)]
            own = next(each for each in listed if each["name"] == "root")["id"]
            problem(await root.ask("PATCH", f"/staff/accounts/{own}", {"disabled": True}), "last-administrator", 409)
            wangs = listed[1]["id"]
            await root.done("PATCH", f"/staff/accounts/{wangs}", {"disabled": True})
            problem(await wang.ask("GET", "/staff/me"), "unauthorized", 401)
            problem(await wang.sign_in("wang"), "sign-in-failed", 401)
            deeds = [each["what"] for each in (await root.done("GET", "/staff/audit"))["records"]]
            assert {"account", "sign_in", "password"} <= set(deeds)

    run(work())


def test_one_time_codes_are_asked_for_and_count_once(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as wang, page(api) as other:
            await account(api, wang, "wang")
            problem(await wang.ask("POST", "/staff/totp", {"password": "wrong wrong wrong"}), "password-wrong", 403)
            begun = await wang.done("POST", "/staff/totp", {"password": PASSWORD})
            assert begun["uri"].startswith("otpauth://totp/HeartRule:wang")
            app = pyotp.TOTP(begun["secret"])
            problem(await wang.ask("PUT", "/staff/totp", {"code": "000000"}), "code-not-right", 409)
            now = api.context.sessions.clock.now()
            codes = (await wang.done("PUT", "/staff/totp", {"code": app.at(now)}))["recovery_codes"]
            assert len(codes) == 10
            assert min(len(set(each) - {"-"}) for each in codes) > 8
            assert {len(each.replace("-", "")) for each in codes} == {25}, "123 bits: past guessing"
            problem(await other.sign_in("wang"), "code-needed", 401)
            problem(await other.sign_in("wang", code=app.at(now)), "code-wrong", 401)  # it was used just now
            grounds.clock.pass_(seconds=31)  # type: ignore[attr-defined]
            fresh = app.at(api.context.sessions.clock.now())
            assert (await other.sign_in("wang", code=fresh)).status_code == 200
            async with page(api) as third:
                problem(await third.sign_in("wang", code=fresh), "code-wrong", 401)
                assert (await third.sign_in("wang", code=codes[0])).status_code == 200
                problem(await other.sign_in("wang", code=codes[0]), "code-wrong", 401)
            assert (await wang.done("GET", "/staff/security")) == {
                "totp": True,
                "recovery_codes_left": 9,
                "password": True,
                "provider": False,
            }
            made = await api.context.accounts.link("test", wang.principal["id"])
            async with page(api) as fourth:
                assert (await fourth.use_link(made.token)).json() == {"principal": None, "csrf": None}
                problem(await fourth.ask("GET", "/staff/me"), "unauthorized", 401)
            problem(await wang.ask("GET", "/staff/me"), "unauthorized", 401)  # a new password ends them all

    run(work())


def test_codes_cannot_be_guessed_between_right_passwords(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as wang, page(api, "203.0.113.9") as thief:
            await account(api, wang, "wang")
            secret = (await wang.done("POST", "/staff/totp", {"password": PASSWORD}))["secret"]
            await wang.done("PUT", "/staff/totp", {"code": pyotp.TOTP(secret).at(api.context.sessions.clock.now())})
            told = []
            for number in range(8):
                told.append((await thief.sign_in("wang", code=None if number % 2 else "000000")).status_code)
            assert told[-1] == 429

    run(work())


# attacks


def test_guessing_is_slowed_and_keeps_nobody_else_out(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as wang, page(api, "203.0.113.9") as thief:
            await account(api, wang, "wang")
            at_once = await asyncio.gather(*(thief.sign_in("wang", f"guess number {n}") for n in range(12)))
            told = sorted(answer.status_code for answer in at_once)
            assert told == [401] * login_throttle.FREE + [429] * (12 - login_throttle.FREE)
            late = problem(await thief.sign_in("wang"), "too-many-requests", 429)
            assert late["title"]
            unknown = await thief.sign_in("nobody", "guess number 1")
            assert unknown.status_code == 401
            assert unknown.json()["title"] == at_once[0].json()["title"]  # who has an account is not told
            # Neither who is signed in, nor their browser, nor they from elsewhere are kept out by it.
            assert (await wang.ask("GET", "/staff/me")).status_code == 200
            await wang.done("POST", "/staff/sign-out")
            assert (await wang.sign_in("wang")).status_code == 200
            async with page(api, "198.51.100.4") as phone:
                assert (await phone.sign_in("wang")).status_code == 200
            # Even from the very address of the thief: the browser is known.
            async with page(api, "203.0.113.9") as same:
                for cookie in wang.client.cookies.jar:
                    if "browser" in cookie.name:
                        same.client.cookies.set(cookie.name, cookie.value or "")
                assert (await same.sign_in("wang")).status_code == 200

    run(work())


def test_one_address_cannot_try_one_password_on_everybody(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api, "203.0.113.9") as thief:
            told = [(await thief.sign_in(f"name {n}", "password 12345")).status_code for n in range(25)]
            assert told[: login_throttle.FREE_OF_SOURCE] == [401] * login_throttle.FREE_OF_SOURCE
            assert told[-1] == 429

    run(work())


def test_a_sign_in_brings_a_token_of_its_own_and_ends_the_one_before(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as wang, page(api) as thief:
            for name in ("heartrule", "heartrule-browser"):
                wang.client.cookies.set(name, "chosen-by-somebody-else", domain="heartrule.test")  # fixation
            await account(api, wang, "wang")
            first = wang.client.cookies["heartrule"]
            known = wang.client.cookies["heartrule-browser"]
            assert "chosen-by-somebody-else" not in (first, known)
            assert (await wang.sign_in("wang")).status_code == 200
            assert wang.client.cookies["heartrule"] != first
            assert wang.client.cookies["heartrule-browser"] == known
            thief.client.cookies.set("heartrule", first)
            problem(await thief.ask("GET", "/staff/me"), "unauthorized", 401)

    run(work())


def test_a_stolen_cookie_opens_nothing_after_sign_out(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as wang, page(api) as thief:
            await account(api, wang, "wang")
            thief.client.cookies.set("heartrule", wang.client.cookies["heartrule"])
            assert (await thief.ask("GET", DESK)).status_code == 200
            listed = (await wang.done("GET", "/staff/sign-ins"))["sign_ins"]
            assert [each["current"] for each in listed] == [True]
            await wang.done("POST", "/staff/sign-out")
            for path in ("/staff/me", DESK, "/staff/sign-ins"):
                problem(await thief.ask("GET", path), "unauthorized", 401)

    run(work())


def test_a_sign_in_can_be_ended_from_another_and_runs_out(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as desk, page(api) as phone, page(api) as li:
            await account(api, desk, "wang")
            await account(api, li, "li")
            assert (await phone.sign_in("wang")).status_code == 200
            listed = (await phone.done("GET", "/staff/sign-ins"))["sign_ins"]
            other = next(each["id"] for each in listed if not each["current"])
            problem(await li.ask("DELETE", f"/staff/sign-ins/{other}"), "not-found", 404)
            await phone.done("DELETE", f"/staff/sign-ins/{other}", status=204)
            problem(await desk.ask("GET", "/staff/me"), "unauthorized", 401)
            grounds.clock.pass_(hours=3)  # type: ignore[attr-defined]
            problem(await phone.ask("GET", "/staff/me"), "unauthorized", 401)

    run(work())


def test_pages_of_others_change_nothing(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as wang:
            await account(api, wang, "wang")
            csrf, wang.csrf = wang.csrf, None
            put = ("PUT", "/desk/me/here", {"here": True})
            problem(await wang.ask(*put), "csrf", 403)
            problem(await wang.ask(*put, headers={"X-CSRF-Token": "0" * 64}), "csrf", 403)
            wang.csrf = csrf
            problem(await wang.ask(*put, headers={"Origin": "https://evil.test"}), "csrf", 403)
            problem(await wang.ask(*put, headers={"Sec-Fetch-Site": "cross-site"}), "csrf", 403)
            assert (await wang.ask(*put, headers={"Origin": "http://heartrule.test"})).status_code == 200
            body = {"name": "wang", "password": PASSWORD}
            sent = await wang.client.post(f"{STAFF}/sign-in", json=body, headers={"Origin": "https://evil.test"})
            problem(sent, "csrf", 403)
            form = await wang.client.post(f"{STAFF}/sign-in", data={"name": "wang", "password": PASSWORD})
            assert form.status_code in (415, 422)

    run(work())


@pytest.mark.parametrize("origin", ["https://desk.test", ""])
def test_cookies_are_kept_from_scripts_and_other_sites(grounds: Grounds, origin: str) -> None:
    async def work() -> None:
        async with grounds.asgi(staff={"origin": origin}) as api, page(api) as wang:
            _, made = await api.context.accounts.invite("test", "wang", ("counsellor",))
            answer = await wang.use_link(made.token)
            set_ = answer.headers.get_list("set-cookie")
            assert len(set_) == 2
            for each in set_:
                assert "HttpOnly" in each
                assert "SameSite=strict" in each
                assert each.startswith("__Host-heartrule" if origin else "heartrule")
                assert ("Secure" in each) == bool(origin)
            assert PASSWORD not in answer.text
            pages = [await api.client.get(path) for path in ("/", "/api/v1/about", "/staff/", "/nowhere")]
            strict = "max-age=31536000; includeSubDomains" if origin else None
            assert {each.headers.get("strict-transport-security") for each in pages} == {strict}
        async with grounds.asgi(staff={"origin": origin}, strict_transport=False) as api:
            assert "strict-transport-security" not in (await api.client.get("/")).headers

    run(work())


def test_nothing_that_opens_anything_stands_in_the_database(grounds: Grounds) -> None:
    async def work() -> list[bytes]:
        async with grounds.asgi() as api, page(api) as wang:
            _, made = await api.context.accounts.invite("test", "wang lao shi", ("counsellor",))
            await wang.use_link(made.token)
            link = (await api.context.accounts.link("test", wang.principal["id"])).token
            secret = (await wang.done("POST", "/staff/totp", {"password": PASSWORD}))["secret"]
            cookies = [wang.client.cookies["heartrule"], wang.client.cookies["heartrule-browser"]]
            return [each.encode() for each in (*cookies, link, secret, "wang lao shi", PASSWORD, "$argon2id$")]

    wanted = run(work())
    data = b"".join(path.read_bytes() for path in Path(grounds.data).rglob("*") if path.is_file())
    for each in wanted:
        assert each not in data


def test_who_gives_roles_sees_the_projects_by_name_and_nothing_of_them(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as root, page(api) as li, page(api) as wang:
            await administrator(api, root)
            await account(api, li, "li", ("developer",))
            await account(api, wang, "wang")
            made = await li.done(
                "POST", "/workbench/projects", {"name": "睡眠", "template": "empty", "locale": "zh-CN"}, 201
            )
            found = (await root.done("GET", "/staff/projects"))["projects"]
            assert found == [{"id": made["id"], "name": "睡眠", "owner": "li"}]
            for browser in (li, wang):
                problem(await browser.ask("GET", "/staff/projects"), "not-allowed", 403)

    run(work())
