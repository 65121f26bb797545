import { html } from "lit";
import { linkTo } from "./contacts.js";

/** A number so short may count something: it is one to call where another one, or a word for calling, stands beside it. */
const SHORT = 3;
const CALLING = /[打拨]|\b(?:call|text|dial|ring)\b/i;

/** Makes the numbers to call in parts of `content` such as can be touched; everything else stays as it is. */
export function dialling(content: string, numbers: readonly string[]): (text: string) => unknown {
  const known = numbers.filter((number) => linkTo(number) && content.includes(number));
  const sure = known.length > 1 || CALLING.test(content);
  const meant = known.filter((number) => sure || number.length > SHORT);
  if (meant.length === 0) return (text) => text;
  const longestFirst = [...meant].sort((one, other) => other.length - one.length).map(quoted);
  // What stands before it is a part of its own: not every browser can look behind.
  const found = new RegExp(`(^|[^\\d.])(${longestFirst.join("|")})(?![\\d%]|\\.\\d)`);
  return (text) => text.split(found).map((part, at) => (at % 3 === 2 ? linked(part) : part));
}

function linked(number: string) {
  const link = linkTo(number);
  if (!link?.calls) return html`<a href=${link?.href ?? ""} target="_blank" rel="noopener noreferrer">${number}</a>`;
  return html`<a href=${link.href}>${number}</a>`;
}

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
