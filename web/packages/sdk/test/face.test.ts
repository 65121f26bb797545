// @vitest-environment happy-dom
import { render } from "lit";
import { describe, expect, test } from "vitest";
import { faceAt } from "../src/chat/face.js";
import { linesOf } from "../src/chat/lines.js";
import { messageOf } from "../src/chat/messages.js";
import { textsOf } from "../src/chat/texts/index.js";
import type { Message, Session } from "../src/shapes.js";
import { nothing } from "../src/state.js";

const AT = "2026-11-22T09:00:00Z";
const session = (more: Partial<Session> = {}) =>
  ({ speaker: "Xiaohe", picture: "/api/v1/media/own/xiaohe.png", ...more }) as Session;
const said = (seq: number, sender: Message["sender"]) =>
  ({ seq, sender, content: "Hello.", at: AT, name: null, media: [], recalled: false }) as unknown as Message;

function faces(of: Session | null, ...senders: Message["sender"][]): (string | undefined)[] {
  const lines = linesOf({ ...nothing, messages: senders.map((sender, at) => said(at + 1, sender)) });
  return lines.map((_, at) => faceAt(lines, at, of)?.name);
}

describe("the picture of the AI", () => {
  test("stands where it begins to speak, and not again until somebody else has", () => {
    expect(faces(session(), "ai", "ai", "person", "ai", "human", "ai", "system")).toEqual([
      "Xiaohe",
      undefined,
      undefined,
      "Xiaohe",
      undefined,
      "Xiaohe",
      undefined,
    ]);
  });

  test("is not there where the script gives none, or before anything is known of the session", () => {
    expect(faces(session({ picture: null }), "ai")).toEqual([undefined]);
    expect(faces(session({ picture: undefined }), "ai")).toEqual([undefined]);
    expect(faces(null, "ai")).toEqual([undefined]);
  });

  test("has its room before it is there, the name of the AI, and its place on the server that is spoken with", () => {
    const img = shown("/api/v1/media/own/xiaohe.png");
    expect(img?.getAttribute("src")).toBe("https://heart.example/api/v1/media/own/xiaohe.png");
    expect(img?.alt).toBe("Xiaohe");
    expect([img?.getAttribute("width"), img?.getAttribute("height")]).toEqual(["36", "36"]);
  });

  test.each(["javascript:alert(1)", "//elsewhere.example/a.png"])("is not read at an address like %s", (picture) => {
    expect(shown(picture)).toBeNull();
  });
});

function shown(picture: string): HTMLImageElement | null {
  const place = document.createElement("div");
  const { texts } = textsOf("en");
  const showing = { base: "https://heart.example", texts, active: false, dialled: [], grown: () => {} };
  render(messageOf(said(1, "ai"), null, "en", showing, null, { picture, name: "Xiaohe" }), place);
  expect(place.textContent).toContain("Hello.");
  return place.querySelector("img");
}
