// @vitest-environment happy-dom
import { createElement, StrictMode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { afterEach, expect, test, vi } from "vitest";
import "../src/chat/index.js";
import { HeartChat } from "../../../../examples/react/HeartChat.js";

const place = document.createElement("div");
document.body.append(place);
const root = createRoot(place);
const show = (props) =>
  flushSync(() =>
    root.render(createElement(StrictMode, null, createElement(HeartChat, { base: "http://s", ...props }))),
  );
const chat = () => place.querySelector("heart-chat");

afterEach(() => {
  flushSync(() => root.render(null));
  vi.unstubAllGlobals();
});

test("a person is known before a session is made", async () => {
  const asked = vi.fn();
  vi.stubGlobal("fetch", async (_, init) => {
    asked(new Headers(init.headers).get("Authorization"));
    return Response.json({ code: "gone", title: "gone" }, { status: 404 });
  });
  show({ script: "cbt/x", agreed: "1", getToken: () => "signed" });
  await vi.waitFor(() => expect(asked).toHaveBeenCalled(), { interval: 5 });
  expect(asked.mock.calls).toEqual([["Bearer signed"]]);
});

test("listeners are those of the last render, and a new function is not a new person", () => {
  const heard = [];
  show({ mode: "bubble", getToken: () => "a", on: { unread: () => heard.push("first") } });
  const before = chat().getToken;
  show({ mode: "bubble", getToken: () => "b", on: { unread: ({ count }) => heard.push(count) } });
  expect(chat().getToken).toBe(before);
  expect(before()).toBe("b");
  chat().dispatchEvent(new CustomEvent("heartrule-unread", { detail: { count: 2 } }));
  show({ mode: "bubble", on: {} });
  expect(chat().getToken).toBeNull();
  chat().dispatchEvent(new CustomEvent("heartrule-unread", { detail: { count: 3 } }));
  expect(heard).toEqual([2]);
});

test("attributes are the element's", () => {
  show({ mode: "bubble", label: "Talk", variables: { name: "Lin" } });
  expect([chat().mode, chat().label, chat().variables]).toEqual(["bubble", "Talk", { name: "Lin" }]);
});
