import { expect, test } from "vitest";
import type { Message } from "../src/shapes.js";
import { Transcript } from "../src/transcript.js";

const message = (seq: number, content = `${seq}`): Message => ({
  id: `m${seq}`,
  seq,
  turn: seq,
  sender: "ai",
  content,
  content_type: "text",
  action_id: null,
  recalled: false,
  media: [],
  at: "",
});
const seqs = (transcript: Transcript) => transcript.messages.map(({ seq }) => seq);

test("whatever comes in whatever order is one transcript", () => {
  const transcript = new Transcript();
  expect(transcript.add([message(3), message(1)])).toBe(true);
  expect(transcript.add([message(2), message(3), message(2)])).toBe(true);
  expect(transcript.add([message(1)])).toBe(false);
  expect(seqs(transcript)).toEqual([1, 2, 3]);
  expect([transcript.first, transcript.last]).toEqual([1, 3]);
});

test("a gap is named by what comes before it", () => {
  const transcript = new Transcript();
  expect(transcript.gap(0)).toBeNull();
  expect(transcript.gap(2)).toBe(0);
  transcript.add([message(5), message(6), message(9)]);
  expect(transcript.gap(0)).toBe(6);
  transcript.add([message(7), message(8)]);
  expect(transcript.gap(9)).toBeNull();
  expect(transcript.gap(12)).toBe(9);
});

test("a gap that cannot be filled is not asked for again", () => {
  const transcript = new Transcript();
  transcript.add([message(1), message(3)]);
  transcript.leaveOut(1);
  expect(transcript.gap(3)).toBeNull();
  expect(transcript.gap(4)).toBe(3);
});

test("what was taken back has no words any more, wherever it is told", () => {
  const transcript = new Transcript();
  transcript.add([message(1), message(2), message(3)]);
  expect(transcript.recall([2, 3, 9])).toBe(true);
  expect(transcript.messages.map(({ content, recalled }) => [content, recalled])).toEqual([
    ["1", false],
    ["", true],
    ["", true],
  ]);
  expect(transcript.recall([2])).toBe(false);
  expect(transcript.add([message(2)])).toBe(false);
  expect(transcript.last).toBe(3);
});
