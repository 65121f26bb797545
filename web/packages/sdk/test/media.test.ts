// @vitest-environment happy-dom
import { render } from "lit";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { axisOf, pointsOf } from "../src/chat/chart.js";
import "../src/chat/index.js";
import { addressOf, mediaOf, type Showing, saysItAll } from "../src/chat/media.js";
import { breathOf, type HeartPacer, momentOf, rhythmOf, widthOf } from "../src/chat/pacer.js";
import { textsOf } from "../src/chat/texts/index.js";
import type { Media } from "../src/shapes.js";

const { texts } = textsOf("en");
const SHOWING: Showing = { base: "https://heart.example", texts, active: false, dialled: [], grown: () => {} };
const media = (kind: Media["kind"], more: Partial<Media> = {}): Media => ({
  kind,
  src: null,
  alt: "",
  caption: "",
  transcript: "",
  data: {},
  ...more,
});

function shown(given: Media, showing = SHOWING): HTMLElement {
  const place = document.createElement("div");
  document.body.replaceChildren(place);
  render(mediaOf([given], showing), place);
  return place;
}

describe("beside words", () => {
  test("a picture has its words, and comes from the server that is spoken with", () => {
    const img = shown(media("picture", { src: "/api/v1/media/cbt/a.png", alt: "three boxes" })).querySelector("img");
    expect(img?.getAttribute("src")).toBe("https://heart.example/api/v1/media/cbt/a.png");
    expect(img?.alt).toBe("three boxes");
    expect(saysItAll("three boxes", [media("picture", { alt: "three boxes" })])).toBe(true);
    expect(saysItAll("look", [media("picture", { alt: "three boxes" })])).toBe(false);
    expect(saysItAll("look", [media("picture", { alt: "three boxes", caption: "look" })])).toBe(false);
    expect(saysItAll("", [])).toBe(false);
  });

  test.each(["javascript:alert(1)", "data:text/html,x", "//elsewhere.example/a.png", "http://elsewhere.example/a.png"])(
    "no address like %s is followed",
    (src) => {
      expect(addressOf(src, "")).toBe("");
    },
  );

  test("a picture that was made in the session is one", () => {
    expect(addressOf("data:image/png;base64,AAAA", "")).toBe("data:image/png;base64,AAAA");
    expect(addressOf("data:image/svg+xml;base64,AAAA", "")).toBe("");
  });

  test("a recording has its transcript", () => {
    const place = shown(media("audio", { src: "https://sounds.example/a.mp3", transcript: "Be calm." }));
    expect(place.querySelector("audio")?.getAttribute("src")).toBe("https://sounds.example/a.mp3");
    expect(place.querySelector("audio")?.getAttribute("preload")).toBe("none");
    expect(place.querySelector("details")?.textContent).toContain("Be calm.");
  });

  test("a card shows what it has, as text", () => {
    const place = shown(media("card", { data: { title: "Keep", text: "<img src=x>", items: ["one", "two"] } }));
    expect(place.querySelector(".title")?.textContent).toBe("Keep");
    expect(place.querySelector("img")).toBeNull();
    expect([...place.querySelectorAll("li")].map((item) => item.textContent)).toEqual(["one", "two"]);
    expect(shown(media("card", { data: { title: "Keep" } })).querySelector("ul")).toBeNull();
  });
});

describe("a chart", () => {
  const points = [
    { label: "1", value: 3 },
    { label: "2", value: 7 },
  ];

  test.each([
    ["course", "polyline"],
    ["compare", "rect"],
  ])("of a %s is drawn, and all of it stands in a table", (kind, drawn) => {
    const place = shown(media("chart", { data: { title: "Mood", kind, points, range: [0, 10] } }));
    expect(place.querySelector(drawn)).not.toBeNull();
    expect(place.querySelector("svg")?.getAttribute("aria-label")).toBe(
      "Mood: 2 numbers, from 3 to 7; they are in the table below",
    );
    const rows = [...place.querySelectorAll("tr")].map((row) => row.textContent?.trim());
    expect(rows).toEqual(["13", "27"]);
  });

  test("says what the ends of its axis mean, where that is known", () => {
    const ends = (data: object) =>
      shown(media("chart", { data: { points, range: [0, 10], ...data } })).querySelectorAll(".scale-ends span");
    expect([...ends({ ends: ["calm", "tense"] })].map((each) => each.textContent)).toEqual(["0 calm", "10 tense"]);
    expect(ends({})).toHaveLength(0);
  });

  test("of one number, of equal ones and of none", () => {
    expect(shown(media("chart", { data: { points: [points[0]] } })).querySelectorAll("circle")).toHaveLength(1);
    expect(shown(media("chart", { data: { points: [{ label: "a" }, 4] } })).querySelector("svg")).toBeNull();
    expect(axisOf({}, [{ label: "", value: 0 }])).toEqual([0, 1]);
    expect(axisOf({ range: [0, 10] }, [{ label: "", value: 12 }])).toEqual([0, 12]);
    expect(pointsOf({})).toEqual([]);
  });
});

describe("a pacer", () => {
  const breath = { in: 4, hold: 2, out: 6, rest: 0 };

  test("knows where in a breath it is", () => {
    expect([0, 3, 4, 5, 6, 11, 12].map((second) => momentOf(breath, second))).toEqual([
      { part: "in", count: 1 },
      { part: "in", count: 4 },
      { part: "hold", count: 1 },
      { part: "hold", count: 2 },
      { part: "out", count: 1 },
      { part: "out", count: 6 },
      { part: "in", count: 1 },
    ]);
    expect(breathOf({ in: 4 })).toBeNull();
    expect(breathOf({ in: 4, out: 6, seconds: 60 })).toEqual({ in: 4, hold: 0, out: 6, rest: 0, seconds: 60 });
    expect(rhythmOf(breath, texts)).toBe("Breathe in 4 s · Hold 2 s · Breathe out 6 s");
  });

  test("never jumps: each part ends where the next begins", () => {
    const widths = (["in", "hold", "out", "rest"] as const).map(widthOf);
    for (const [at, [from]] of widths.entries()) expect(widths.at(at - 1)?.[1]).toBe(from);
  });

  test("moves while its step is at, and is a line of words afterwards", () => {
    const given = media("pacer", { data: breath });
    expect(shown(given).textContent?.trim()).toBe("Breathe in 4 s · Hold 2 s · Breathe out 6 s");
    expect(shown(given, { ...SHOWING, active: true }).querySelector("heart-pacer")).not.toBeNull();
    expect(shown(media("pacer", { data: {} }), { ...SHOWING, active: true }).querySelector("heart-pacer")).toBeNull();
  });
});

describe("heart-pacer", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  });

  async function paced(reduced: boolean) {
    vi.stubGlobal("matchMedia", () => ({ matches: reduced }));
    const pacer = document.createElement("heart-pacer") as HeartPacer;
    pacer.breath = { in: 2, hold: 0, out: 3, rest: 0 };
    pacer.texts = texts;
    const animate = vi.fn(() => ({ cancel: vi.fn() }));
    vi.stubGlobal("Element", Element);
    Element.prototype.animate = animate as unknown as typeof Element.prototype.animate;
    document.body.replaceChildren(pacer);
    await pacer.updateComplete;
    return { pacer, animate };
  }
  const count = (pacer: HeartPacer) => pacer.shadowRoot?.querySelector(".count")?.textContent?.replace(/\s+/g, " ");

  test("counts in words, and moves once a part", async () => {
    const { pacer, animate } = await paced(false);
    expect(count(pacer)).toBe("Breathe in 1");
    expect(animate).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1_100);
    await pacer.updateComplete;
    expect(count(pacer)).toBe("Breathe in 2");
    expect(animate).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1_000);
    await pacer.updateComplete;
    expect(count(pacer)).toBe("Breathe out 1");
    expect(animate).toHaveBeenCalledTimes(2);
    expect(pacer.shadowRoot?.querySelector("[role=timer]")?.getAttribute("aria-live")).toBe("off");
    pacer.remove();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("stands still for whom movement is too much, and counts all the same", async () => {
    const { pacer, animate } = await paced(true);
    vi.advanceTimersByTime(2_100);
    await pacer.updateComplete;
    expect(count(pacer)).toBe("Breathe out 1");
    expect(animate).not.toHaveBeenCalled();
    pacer.remove();
  });
});
