// @vitest-environment happy-dom
import type { Media } from "@heartrule/sdk";
import { render } from "lit";
import { expect, test } from "vitest";
import { readMedia } from "../src/session/read-media.js";

const media = (kind: Media["kind"], more: Partial<Media> = {}): Media => ({
  kind,
  src: null,
  alt: "",
  caption: "",
  transcript: "",
  data: {},
  ...more,
});

function read(given: Media, content = ""): HTMLElement {
  const place = document.createElement("div");
  render(readMedia([given], content), place);
  return place;
}

test("pictures stand where they were shown", () => {
  const place = read(media("picture", { src: "/api/v1/media/cbt/a.png", alt: "三个方框", caption: "看这里" }));
  expect(place.querySelector("img")?.getAttribute("src")).toMatch(/\/api\/v1\/media\/cbt\/a\.png$/);
  expect(place.querySelector("img")?.alt).toBe("三个方框");
  expect(place.textContent).toContain("看这里");
  expect(
    read(media("picture", { src: "//elsewhere.example/a.png" }))
      .querySelector("img")
      ?.getAttribute("src"),
  ).toBe("");
  expect(read(media("picture", { caption: "看这里" }), "看这里").querySelector("figcaption")).toBeNull();
});

test("all else is read in words", () => {
  expect(read(media("audio", { transcript: "静下来" })).textContent).toContain("静下来");
  const card = read(media("card", { data: { title: "记住", text: "一句", items: ["一", "二"] } }));
  expect(card.querySelectorAll("li")).toHaveLength(2);
  expect(card.textContent).toContain("一句");
  const chart = read(media("chart", { data: { title: "紧张", points: [{ label: "前", value: 8 }] } }));
  expect(chart.querySelector("tr")?.textContent).toBe("前8");
  expect(read(media("pacer", { data: { in: 4 } })).textContent?.trim()).toBe("");
});
