import { expect, test } from "vitest";

type Tree = { [key: string]: string | Tree };

const CHINESE = import.meta.glob<{ zh: Tree }>("../src/*/texts.zh-CN.ts", { eager: true });
const ENGLISH = import.meta.glob<{ en: Tree }>("../src/*/texts.en.ts", { eager: true });

function flat(tree: Tree, at = ""): Map<string, string> {
  const pairs = Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [[`${at}${key}`, value] as const] : [...flat(value, `${at}${key}.`)],
  );
  return new Map(pairs);
}

/** A text for one need not say how many. */
const holes = (text: string, key: string) =>
  [...text.matchAll(/\{\{\w+\}\}/g)]
    .map(String)
    .filter((hole) => !(key.endsWith("_one") && hole === "{{count}}"))
    .sort();

test.each(Object.keys(CHINESE))("what %s says is said in both languages, with the same holes", (path) => {
  const zh = flat(CHINESE[path]?.zh ?? {});
  const en = flat(ENGLISH[path.replace("zh-CN", "en")]?.en ?? {});
  expect([...en.keys()]).toEqual([...zh.keys()]);
  for (const [key, text] of zh) expect(holes(en.get(key) ?? "", key), key).toEqual(holes(text, key));
  for (const [key, text] of en) expect(text.trim(), key).not.toBe("");
});
