/** A page of the server's that needs nothing else, shown within ours: its own look, and nothing of ours. What it holds was
 * made text by whoever made it; scripts and handlers in it would be dead here all the same. */
export class SummaryPaper extends HTMLElement {
  private readonly root = this.attachShadow({ mode: "open" });

  set page(html: string) {
    // Its look stands in its head, and our policy forbids to read it as markup; the rest holds no other.
    const [whole = "", style = ""] = /<style>([^<]*)<\/style>/.exec(html) ?? [];
    const read = new DOMParser().parseFromString(html.replace(whole, ""), "text/html");
    const main = read.querySelector(".report");
    if (!main) return;
    const look = new CSSStyleSheet();
    look.replaceSync(style);
    this.root.adoptedStyleSheets = [look];
    // It is a part of our page, which has a main part and a first heading of its own.
    const body = document.createElement("article");
    body.className = "report";
    body.lang = read.documentElement.lang;
    body.append(...[...main.childNodes].map((node) => document.importNode(node, true)));
    this.root.replaceChildren(body);
    this.lang = body.lang;
  }

  /** To be pasted somewhere. */
  get words(): string {
    return (this.root.firstElementChild as HTMLElement | null)?.innerText.trim() ?? "";
  }
}

customElements.define("summary-paper", SummaryPaper);
