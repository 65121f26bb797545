/** One event of a stream, as it was sent. */
export interface ServerEvent {
  /** null when this event brought none. */
  id: string | null;
  event: string;
  data: string;
}

/** Reads `text/event-stream` (WHATWG HTML, section 9.2) from bytes that may be cut anywhere. */
export class EventParser {
  private readonly decoder = new TextDecoder();
  private line = "";
  private afterReturn = false;
  private data: string[] = [];
  private event = "";
  private id: string | null = null;

  push(bytes: Uint8Array): ServerEvent[] {
    let text = this.decoder.decode(bytes, { stream: true });
    if (text === "") return [];
    // A line ends at its \r already; the \n of a \r\n may come with the next bytes.
    if (this.afterReturn && text.startsWith("\n")) text = text.slice(1);
    this.afterReturn = text === "" ? false : text.endsWith("\r");
    const lines = text.split(/\r\n|\r|\n/);
    lines[0] = this.line + lines[0];
    this.line = lines.pop() ?? "";
    return lines.map((line) => this.take(line)).filter((event) => event !== null);
  }

  private take(line: string): ServerEvent | null {
    if (line === "") return this.dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return null;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.data.push(value);
    else if (field === "event") this.event = value;
    else if (field === "id" && !value.includes("\0")) this.id = value;
    return null;
  }

  private dispatch(): ServerEvent | null {
    const { id, event, data } = this;
    this.id = null;
    this.event = "";
    this.data = [];
    return data.length > 0 ? { id, event: event || "message", data: data.join("\n") } : null;
  }
}
