import { describe, expect, test } from "vitest";
import { EventParser, type ServerEvent } from "../src/sse.js";

const bytes = (text: string) => new TextEncoder().encode(text);

function read(pieces: Uint8Array[]): ServerEvent[] {
  const parser = new EventParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

const STREAM = [
  "\uFEFF: a comment first",
  "id: 1",
  "event: message.completed",
  'data: {"content":"今天很难受 😔"}',
  "",
  ":",
  "id: 2",
  "data: one",
  "data:two",
  "data",
  "",
  "event: forgotten, for it has no data",
  "",
  "data: no id of its own",
  "retry: 5",
  "unknown: field",
  "",
  "id: 3",
  "data:  two spaces",
  "",
  "",
];
const EXPECTED: ServerEvent[] = [
  { id: "1", event: "message.completed", data: '{"content":"今天很难受 😔"}' },
  { id: "2", event: "message", data: "one\ntwo\n" },
  { id: null, event: "message", data: "no id of its own" },
  { id: "3", event: "message", data: " two spaces" },
];

describe.each([
  ["\\n", "\n"],
  ["\\r\\n", "\r\n"],
  ["\\r", "\r"],
])("lines that end with %s", (_, end) => {
  const whole = bytes(STREAM.join(end));

  test("are read in one piece", () => expect(read([whole])).toEqual(EXPECTED));

  test("are read when cut at every byte", () => {
    for (let at = 0; at <= whole.length; at++) {
      expect(read([whole.slice(0, at), whole.slice(at)]), `cut at ${at}`).toEqual(EXPECTED);
    }
  });

  test("are read byte by byte, with nothing between", () => {
    const pieces = [...whole].flatMap((byte) => [Uint8Array.of(byte), new Uint8Array()]);
    expect(read(pieces)).toEqual(EXPECTED);
  });
});

test("an event that is not finished is not given", () => {
  expect(read([bytes("id: 4\ndata: half\n")])).toEqual([]);
});
