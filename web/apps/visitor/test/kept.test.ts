import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  allKept,
  forget,
  forgetAlong,
  keep,
  keepReturned,
  kept,
  markGone,
  markNoticed,
  opener,
  person,
  update,
  whenForgotten,
} from "../src/leaving/kept.js";
import { created, IN_A_MONTH, session, token } from "./tokens.js";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  vi.useRealTimers();
});

describe("keeping", () => {
  test("what was begun can be opened again, the last one first", () => {
    keep(created("one", { last_active_at: "2026-11-20T08:00:00Z" }));
    keep(created("two", { last_active_at: "2026-11-21T08:00:00Z" }));
    expect(allKept().map(({ id }) => id)).toEqual(["two", "one"]);
    expect(person()).toBe("a.persons.token");
    expect(kept("one")?.noticed).toBeGreaterThan(0);
  });

  test("how it stands is brought up to date", () => {
    keep(created("one"));
    update(session("one", { paused: true }));
    expect(kept("one")?.status).toBe("paused");
    update(session("one", { paused: true, status: "ended" }));
    expect(kept("one")?.status).toBe("ended");
    markGone("one");
    expect(kept("one")?.status).toBe("gone");
  });

  test("what was forgotten is not kept again by a late answer", () => {
    keep(created("one"));
    forget("one");
    update(session("one"));
    markNoticed("one");
    markGone("one");
    expect(allKept()).toEqual([]);
  });

  test("what somebody else wrote under our names does no harm", () => {
    localStorage.setItem("heartrule.visitor.session.odd", '{"id": 7}');
    localStorage.setItem("heartrule.visitor.session.odder", "{");
    keep(created("one"));
    expect(allKept().map(({ id }) => id)).toEqual(["one"]);
  });
});

describe("coming back with a link", () => {
  const short = token("one", IN_A_MONTH - 20 * 24 * 3_600_000);

  test("keeps the session on this device, and the notice is still to be read", () => {
    keepReturned(session("one"), short);
    expect(kept("one")).toMatchObject({ token: short, noticed: 0 });
  });

  test("does not shorten what this device has already", () => {
    keep(created("one"));
    keepReturned(session("one"), short);
    expect(kept("one")?.token).toBe(created("one").token);
    expect(kept("one")?.noticed).toBeGreaterThan(0);
  });
});

describe("what opens it", () => {
  test("is its own token, and the person's once that has run out", () => {
    keep(created("one"));
    const entry = kept("one");
    if (!entry) throw new Error("it was kept");
    expect(opener(entry, IN_A_MONTH - 1)).toBe(entry.token);
    expect(opener(entry, IN_A_MONTH)).toBe("a.persons.token");
  });
});

describe("forgetting", () => {
  test("leaves nothing of it: token, outbox, draft, and the person's token that opens it too", () => {
    keep(created("one"));
    keep(created("two"));
    localStorage.setItem("heartrule.outbox.one.key-1", "{}");
    localStorage.setItem("heartrule.draft.one", "我想说");
    sessionStorage.setItem("heartrule.draft.one", "我想说");
    localStorage.setItem("heartrule.outbox.two.key-1", "{}");
    localStorage.setItem("someone.elses", "one");
    forget("one");
    const left = [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort();
    expect(left).toEqual(["heartrule.outbox.two.key-1", "heartrule.visitor.session.two", "someone.elses"]);
  });
});

describe("forgetting in another tab", () => {
  forgetAlong();
  const elsewhere = (id: string | null) => {
    const key = id === null ? null : `heartrule.visitor.session.${id}`;
    if (key === null) localStorage.clear();
    else localStorage.removeItem(key);
    dispatchEvent(new StorageEvent("storage", { key, newValue: null }));
  };

  test("clears what this tab keeps of it, whatever is shown, and tells who shows it or a list of them", () => {
    keep(created("one"));
    keep(created("two"));
    sessionStorage.setItem("heartrule.draft.one", "我想说");
    sessionStorage.setItem("heartrule.draft.two", "我想说");
    const heard: string[] = [];
    const watching = new AbortController();
    for (const id of ["one", "two", null]) whenForgotten(id, () => heard.push(String(id)), watching.signal);
    elsewhere("one");
    expect(heard).toEqual(["one", "null"]);
    expect(Object.keys(sessionStorage)).toEqual(["heartrule.draft.two"]);
    expect(person()).toBe("a.persons.token");
    elsewhere(null);
    expect(new Set(heard)).toEqual(new Set(["one", "null", "two"]));
    expect(Object.keys(sessionStorage)).toEqual([]);
    watching.abort();
    heard.length = 0;
    elsewhere("one");
    expect(heard).toEqual([]);
  });

  test("is found out by a page that comes back after having been put away", () => {
    keep(created("one"));
    sessionStorage.setItem("heartrule.draft.one", "我想说");
    localStorage.clear();
    dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
    expect(Object.keys(sessionStorage)).toEqual([]);
  });
});
