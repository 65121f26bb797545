// @vitest-environment happy-dom
import { render } from "lit";
import { expect, test } from "vitest";
import { isPlain, read, wordsOf } from "../src/chat/markdown.js";

function shown(content: string): HTMLElement {
  const place = document.createElement("div");
  render(wordsOf(content, false), place);
  return place.querySelector<HTMLElement>(".words") as HTMLElement;
}

const markup = (content: string) => shown(content).innerHTML.replaceAll(/<!--.*?-->/g, "");

test.each([
  ["**很**重要", "<p><strong>很</strong>重要</p>"],
  ["是*这样*的", "<p>是<em>这样</em>的</p>"],
  ["**都 *在* 里面**", "<p><strong>都 <em>在</em> 里面</strong></p>"],
  ["__so__ it is", "<p><strong>so</strong> it is</p>"],
  ["先说：\n- 一\n- **二**", "<p>先说：</p><ul><li>一</li><li><strong>二</strong></li></ul>"],
  ["3. three\n4. four", '<ol start="3"><li>three</li><li>four</li></ol>'],
  ["- a\n1. b", '<ul><li>a</li></ul><ol start="1"><li>b</li></ol>'],
  ["**a**\n\nb", "<p><strong>a</strong>\n\nb</p>"],
])("%j", (content, expected) => expect(markup(content)).toBe(expected));

test.each([
  "普通的一句话。",
  "两行\n  还有空格",
  "2*3*4 = 24",
  "*不对称",
  "一颗*星",
  "snake__case__name 和 _x_",
  "**没关上",
  "** 空格 **",
  "-5 度",
  "1.5 倍",
  "2026. ",
  "<b>不是标记</b> &amp; &lt;",
  "`code` # 标题",
  "",
])("%j stays as it is", (content) => {
  expect(isPlain(read(content))).toBe(true);
  expect(shown(content).textContent).toBe(content);
  expect(shown(content).children).toHaveLength(0);
});

test("a link shows where it leads, and tells that place nothing", () => {
  const link = shown("看[这里](https://example.org/a?b=1)。").querySelector("a");
  expect([link?.href, link?.target, link?.rel, link?.textContent]).toEqual([
    "https://example.org/a?b=1",
    "_blank",
    "noopener noreferrer",
    "这里",
  ]);
  expect(shown("看[这里](https://example.org/a)").textContent).toBe("看这里 (example.org)");
  expect(shown("[https://bank.example](https://evil.example/)").textContent).toContain("(evil.example)");
  expect(shown("[https://bank.com](https://bank.co)").textContent).toBe("https://bank.com (bank.co)");
  expect(shown("[https://bank.com@bank.co](https://bank.co)").textContent).toContain("(bank.co)");
  expect(shown("[https://bank.co.evil.org](https://bank.co)").textContent).toContain("(bank.co)");
  expect(shown("[https://bank.co/a](https://bank.co/b)").textContent).toBe("https://bank.co/a");
  expect(shown("见 https://example.org/路径。").querySelector("a")?.host).toBe("example.org");
  expect(shown("见 https://example.org/a。").textContent).toBe("见 https://example.org/a。");
});

test.each([
  "[a](javascript:alert(1))",
  "[a](JaVaScRiPt:alert)",
  "[a](data:text/html,x)",
  "[a](http://example.org)",
  "[a](//example.org)",
  "[a](/api/v1/persons/me)",
  "[a](https:example.org)",
  "[a](https://name:word@example.org)",
  "[a](https://)",
  "http://example.org",
])("%j leads nowhere", (content) => expect(shown(content).querySelector("a")).toBeNull());

test("no picture is ever fetched", () => {
  expect(markup("**x** ![图](https://example.org/a.png)")).toBe("<p><strong>x</strong> 图</p>");
});

/** The same numbers in every run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    yield state / 4_294_967_296;
  }
}

const PARTS = [
  "**",
  "*",
  "__",
  "_",
  "[",
  "](",
  ")",
  "!",
  "https://e.org/",
  "javascript:x",
  "\n",
  "- ",
  "1. ",
  " ",
  "字",
  "a",
];
const EVIL = [
  "<img src=x onerror=alert(1)>",
  "<script>x</script>",
  '"',
  "'",
  "<",
  ">",
  "&lt;",
  "$",
  "<!--",
  "\u202e",
  "\0",
];
const ALLOWED = new Set(["P", "UL", "OL", "LI", "STRONG", "EM", "A", "SPAN"]);
const ATTRIBUTES: Record<string, readonly string[]> = { A: ["href", "rel", "target"], OL: ["start"], SPAN: ["class"] };

test("whatever a model writes, only what is named here comes of it, and no word is lost", () => {
  const next = numbers(7);
  const pick = (from: readonly string[]) => from[Math.floor((next.next().value as number) * from.length)] ?? "";
  for (let round = 0; round < 200; round += 1) {
    const content = Array.from({ length: 14 }, () => pick((next.next().value as number) < 0.2 ? EVIL : PARTS)).join("");
    const node = shown(content);
    for (const each of node.querySelectorAll("*")) {
      expect(ALLOWED.has(each.tagName), `${each.tagName} of ${JSON.stringify(content)}`).toBe(true);
      expect([...each.attributes].map(({ name }) => name).sort()).toEqual([...(ATTRIBUTES[each.tagName] ?? [])].sort());
      if (each.tagName === "A") expect((each as HTMLAnchorElement).href).toMatch(/^https:\/\//);
    }
    const letters = (text: string | null) => (text ?? "").replaceAll(/[^字a<>&;"'$]/g, "");
    const heard = letters(node.textContent);
    // The host behind a link is added to what was said, and an address taken into it.
    if (!node.querySelector("a") && !content.includes("](")) expect(heard).toBe(letters(content));
  }
});

test.each(["*", "**a", "[", "__a_", "![", "*a ", "[a](", "https://"])(
  "a long reply made of %j is read to its end",
  (mark) => {
    const content = mark.repeat(Math.floor(20_000 / mark.length));
    expect(shown(content).textContent?.length).toBeGreaterThan(0);
    expect(isPlain(read(`${content}${content}`))).toBe(true);
  },
);
