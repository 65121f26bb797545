import { html, nothing, type TemplateResult } from "lit";
import { dialling } from "./dialling.js";

/** What an AI message may look like, read from the Markdown that models write: paragraphs, lists, emphasis and links.
 * Everything else stays the text that it is. Made of templates only, so that no words ever become markup. */
export type Block =
  | { readonly kind: "text"; readonly lines: readonly Inline[] }
  | { readonly kind: "list"; readonly ordered: boolean; readonly start: number; readonly items: readonly Inline[] };
export type Inline = readonly Piece[];
export type Piece =
  | string
  | { readonly kind: "strong" | "em"; readonly inside: Inline }
  | { readonly kind: "link"; readonly label: string; readonly address: string; readonly host: string };

const BULLET = /^ {0,3}[-*+•] +(?=\S)/;
const NUMBER = /^ {0,3}(\d{1,3})[.)] +(?=\S)/;
/** Nothing longer is looked through: a reply of a model has some hundred characters. */
const LONGEST = 20_000;
/** Emphasis in emphasis in emphasis is nobody's meaning. */
const DEEPEST = 3;
const STRONG = /\*\*(?=[^\s*])(?:[^*\n]|\*(?!\*))*?[^\s*]\*\*(?!\*)|__(?=[^\s_])[^_\n]*?[^\s_]__(?![\p{L}\p{N}_])/u;
const EM = /\*(?=[^\s*])[^*\n]*?[^\s*]\*(?!\*)|\*[^\s*]\*(?!\*)/u;
const LINK =
  /(!?)\[([^[\]\n]{1,200})\]\(([^()\s]{1,2000})\)|https:\/\/[^\s<>"'“”‘’「」『』（）()[\]，。；、！？]{1,2000}/u;
const MARKED = new RegExp(`${LINK.source}|(${STRONG.source})|(${EM.source})`, "u");

/** Blocks in the order of the lines; lines of text that follow each other are one block. */
export function read(text: string): Block[] {
  if (text.length > LONGEST) return [{ kind: "text", lines: [[text]] }];
  const blocks: Block[] = [];
  for (const line of text.split("\n")) {
    const number = NUMBER.exec(line);
    const mark = number ?? BULLET.exec(line);
    const last = blocks.at(-1);
    if (mark) {
      const item = inline(line.slice(mark[0].length));
      const ordered = number !== null;
      if (last?.kind === "list" && last.ordered === ordered) blocks[blocks.length - 1] = more(last, item);
      else blocks.push({ kind: "list", ordered, start: Number(number?.[1] ?? 1), items: [item] });
    } else if (last?.kind === "text") blocks[blocks.length - 1] = { ...last, lines: [...last.lines, inline(line)] };
    else blocks.push({ kind: "text", lines: [inline(line)] });
  }
  return blocks;
}

function more(list: Block & { kind: "list" }, item: Inline): Block {
  return { ...list, items: [...list.items, item] };
}

function inline(text: string, depth = 0): Inline {
  const pieces: Piece[] = [];
  let rest = text;
  while (rest !== "") {
    const found = depth < DEEPEST ? MARKED.exec(rest) : null;
    if (!found) return add(pieces, rest);
    const [whole] = found;
    add(pieces, rest.slice(0, found.index));
    const piece = pieceOf(found, depth, rest[found.index - 1]);
    if (typeof piece === "string") add(pieces, piece);
    else pieces.push(piece);
    rest = rest.slice(found.index + whole.length);
  }
  return pieces;
}

function pieceOf(found: RegExpExecArray, depth: number, before: string | undefined): Piece {
  const [whole, image, label, address, strong, em] = found;
  if (strong !== undefined) {
    // In snake__case__names it is part of a name.
    if (strong.startsWith("_") && before !== undefined && /[\p{L}\p{N}_]/u.test(before)) return whole;
    return { kind: "strong", inside: inline(strong.slice(2, -2), depth + 1) };
  }
  // 2*3*4 is a product.
  if (em !== undefined) {
    return before !== undefined && /\d/.test(before)
      ? whole
      : { kind: "em", inside: inline(em.slice(1, -1), depth + 1) };
  }
  // A picture from elsewhere would tell its host who reads this.
  if (image === "!") return label ?? whole;
  return linkOf(address ?? whole, label ?? whole) ?? whole;
}

/** Only to where a reader can see it leads: https, no name or password before the host. */
function linkOf(address: string, label: string): Piece | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== "https:" || !address.toLowerCase().startsWith("https://") || url.username || url.password)
    return null;
  return { kind: "link", label, address: url.href, host: url.host };
}

function add(pieces: Piece[], text: string): Inline {
  const last = pieces.at(-1);
  if (typeof last === "string") pieces[pieces.length - 1] = last + text;
  else if (text !== "") pieces.push(text);
  return pieces;
}

/** Whether there is nothing in it but its own letters. */
export function isPlain(blocks: readonly Block[]): boolean {
  return blocks.every(({ kind, ...block }) => {
    return (
      kind === "text" &&
      "lines" in block &&
      block.lines.every((line) => line.every((piece) => typeof piece === "string"))
    );
  });
}

/** The words of a message. What is plain stays as it came, to the letter; a number to call, given in `dialled`, can be
 * touched where it stands. */
export function wordsOf(content: string, hidden: boolean, dialled: readonly string[] = []): TemplateResult {
  const called = dialling(content, dialled);
  const blocks = read(content);
  if (isPlain(blocks)) return html`<p class="words" dir="auto" ?hidden=${hidden}>${called(content)}</p>`;
  return html`<div class="words" dir="auto" ?hidden=${hidden}>${blocks.map((block) => blockOf(block, called))}</div>`;
}

type Called = (text: string) => unknown;

function blockOf(block: Block, called: Called): TemplateResult {
  const inside = (line: Inline) => line.map((piece) => shown(piece, called));
  if (block.kind === "text") {
    return html`<p>${block.lines.map((line, at) => html`${at > 0 ? "\n" : nothing}${inside(line)}`)}</p>`;
  }
  const items = block.items.map((item) => html`<li>${inside(item)}</li>`);
  return block.ordered ? html`<ol start=${block.start}>${items}</ol>` : html`<ul>${items}</ul>`;
}

function shown(piece: Piece, called: Called): unknown {
  if (typeof piece === "string") return called(piece);
  if (piece.kind !== "link") {
    const inside = piece.inside.map((each) => shown(each, called));
    return piece.kind === "strong" ? html`<strong>${inside}</strong>` : html`<em>${inside}</em>`;
  }
  // Where the label does not say where it leads, the host stands behind it.
  const said = says(piece.label, `https://${piece.host}`);
  const link = html`<a href=${piece.address} target="_blank" rel="noopener noreferrer">${piece.label}</a>`;
  return said ? link : html`${link} <span class="host">(${piece.host})</span>`;
}

/** Whether a label is that address, or begins with all of its host: `https://bank.com` does not say `https://bank.co`. */
function says(label: string, address: string): boolean {
  return label.startsWith(address) && /^(?:$|[/?#])/.test(label.slice(address.length));
}
