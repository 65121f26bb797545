import { LSPClient, LSPPlugin, type Transport, Workspace, type WorkspaceFile } from "@codemirror/lsp-client";
import { ChangeSet, type Text, type TransactionSpec } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { Book, Sheet } from "./book.js";
import { sanitized } from "./sanitize.js";
import type { Finding, Range } from "./shapes.js";

export type Standing = "connecting" | "ready" | "away" | "refused";

/** Milliseconds of rest after which what was typed is told to the server. */
const REST = 40;
const PATIENCE = 20_000;
const AGAIN = [300, 1_000, 2_000, 5_000, 10_000] as const;
const SCHEME = "heartrule:///";

export function uriOf(path: string): string {
  return SCHEME + path.split("/").map(encodeURIComponent).join("/");
}

export function pathOf(uri: string): string {
  return uri
    .replace(/^heartrule:\/+/, "")
    .split("/")
    .map(decodeURIComponent)
    .join("/");
}

/** A refusal of the language service, in its words. */
export class Declined extends Error {}

interface Published {
  uri: string;
  diagnostics: { range: Range; message: string; severity: number; code?: string | number }[];
}

function findingOf(file: string, { range, message, severity, code }: Published["diagnostics"][number]): Finding {
  const [first = "", ...rest] = message.split("\n");
  return {
    file,
    code: String(code ?? ""),
    severity: severity === 1 ? "error" : "warning",
    message: first,
    hint: rest.join(" "),
    range,
    path: null,
    about: "",
    mend: null,
  };
}

class BookFile implements WorkspaceFile {
  readonly languageId = "yaml";
  version = 0;
  doc: Text;

  constructor(
    readonly uri: string,
    readonly sheet: Sheet,
  ) {
    this.doc = sheet.state.doc;
  }

  getView(): EditorView | null {
    return this.sheet.view;
  }

  /** What the server is told from now on begins with the text as it is. */
  begin(): void {
    this.doc = this.sheet.state.doc;
    this.version += 1;
    this.sheet.unsynced = ChangeSet.empty(this.doc.length);
    if (this.sheet.view) LSPPlugin.get(this.sheet.view)?.clear();
  }
}

class BookWorkspace extends Workspace {
  files: BookFile[] = [];

  constructor(
    client: LSPClient,
    private readonly book: Book,
    private readonly show: (path: string) => Promise<EditorView | null>,
  ) {
    super(client);
  }

  include(path: string): void {
    const uri = uriOf(path);
    const known = this.getFile(uri) as BookFile | null;
    const sheet = this.book.sheet(path);
    if (known?.sheet === sheet) return;
    if (known) this.leave(path);
    const file = new BookFile(uri, sheet);
    file.begin();
    this.files.push(file);
    this.client.didOpen(file);
  }

  leave(path: string): void {
    const uri = uriOf(path);
    if (!this.getFile(uri)) return;
    this.files = this.files.filter((file) => file.uri !== uri);
    this.client.didClose(uri);
  }

  syncFiles() {
    for (const path of this.book.changed) this.include(path);
    return this.files
      .filter((file) => !file.sheet.unsynced.empty)
      .map((file) => {
        const told = { file, prevDoc: file.doc, changes: file.sheet.unsynced };
        file.begin();
        return told;
      });
  }

  openFile(uri: string): void {
    this.include(pathOf(uri));
  }

  closeFile(): void {
    // A file that was looked at stays open: the other view edits it as well.
  }

  override connected(): void {
    for (const file of this.files) {
      file.begin();
      this.client.didOpen(file);
    }
  }

  override updateFile(uri: string, update: TransactionSpec): void {
    this.book.dispatch(pathOf(uri), update);
  }

  override displayFile(uri: string): Promise<EditorView | null> {
    return this.show(pathOf(uri));
  }
}

/** The language service of one project, spoken to over a WebSocket that is opened again when it breaks. */
export class Language {
  readonly client: LSPClient;
  standing: Standing = "connecting";
  /** Puts a file in front of the person. */
  show: (path: string) => Promise<EditorView | null> = () => Promise.resolve(null);
  /** Told what there is to be said of a file, without its mends. */
  found: (path: string, findings: Finding[]) => void = () => {};
  private socket: WebSocket | null = null;
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private syncing: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly forget: () => void;
  private over = false;

  constructor(
    private readonly url: string,
    book: Book,
    private readonly protocols: string[] = ["heartrule.lsp"],
  ) {
    this.client = new LSPClient({
      rootUri: SCHEME,
      timeout: PATIENCE,
      sanitizeHTML: sanitized,
      workspace: (client) => new BookWorkspace(client, book, (path) => this.show(path)),
      notificationHandlers: {
        "textDocument/publishDiagnostics": (_, { uri, diagnostics }: Published) => {
          const path = pathOf(uri);
          this.found(
            path,
            diagnostics.map((each) => findingOf(path, each)),
          );
          return true;
        },
        "window/logMessage": () => true,
        "window/showMessage": () => true,
      },
      unhandledNotification: () => {},
    });
    this.forget = book.subscribe(() => this.later());
    addEventListener("online", this.now);
    this.connect();
  }

  close(): void {
    this.over = true;
    this.forget();
    removeEventListener("online", this.now);
    clearTimeout(this.timer);
    clearTimeout(this.syncing);
    this.socket?.close();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Ask `heartrule/<name>` about the texts as they are now. */
  async ask<T>(name: string, params: object): Promise<T> {
    await this.ready();
    return this.request<T>(`heartrule/${name}`, params);
  }

  /** A request of the protocol itself. */
  async request<T>(method: string, params: object): Promise<T> {
    await this.ready();
    this.sync();
    try {
      return await this.client.request<object, T>(method, params);
    } catch (error) {
      const said = (error as { message?: unknown }).message;
      throw new Declined(typeof said === "string" ? said : String(error));
    }
  }

  /** What was saved besides the texts that are open is to be read again. */
  saved(): void {
    if (this.standing === "ready") this.client.notification("heartrule/saved", {});
  }

  /** The text of a file that is gone, or is another one now, is forgotten. */
  leave(path: string): void {
    (this.client.workspace as BookWorkspace).leave(path);
  }

  private later(): void {
    clearTimeout(this.syncing);
    this.syncing = setTimeout(() => this.sync(), REST);
  }

  private sync(): void {
    clearTimeout(this.syncing);
    if (this.standing === "ready") this.client.sync();
  }

  private ready(): Promise<void> {
    if (this.standing === "ready") return Promise.resolve();
    if (this.standing === "refused") return Promise.reject(new Declined(""));
    return new Promise((resolve, reject) => {
      const look = () => {
        if (this.standing === "connecting") return;
        forget();
        if (this.standing === "ready") resolve();
        else reject(new Declined(""));
      };
      const forget = this.subscribe(look);
      if (this.standing === "away") look();
    });
  }

  private readonly now = (): void => {
    if (this.standing !== "away") return;
    clearTimeout(this.timer);
    this.connect();
  };

  private connect(): void {
    if (this.over) return;
    const socket = new WebSocket(this.url, this.protocols);
    this.socket = socket;
    socket.onopen = () => {
      this.client.connect(transport(socket));
      this.client.initializing.then(
        () => {
          this.tries = 0;
          this.stand("ready");
          this.sync();
        },
        () => socket.close(),
      );
    };
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      if (this.client.connected) this.client.disconnect();
      if (event.code >= 4400 && event.code < 4500) return this.stand("refused");
      this.stand("away");
      if (!this.over) {
        this.timer = setTimeout(() => this.connect(), AGAIN[Math.min(this.tries, AGAIN.length - 1)]);
        this.tries += 1;
      }
    };
  }

  private stand(standing: Standing): void {
    if (this.standing === standing) return;
    this.standing = standing;
    for (const listener of [...this.listeners]) listener();
  }
}

function transport(socket: WebSocket): Transport {
  const handlers = new Set<(value: string) => void>();
  socket.onmessage = (event) => {
    for (const handler of [...handlers]) handler(String(event.data));
  };
  return {
    send: (message) => {
      if (socket.readyState !== WebSocket.OPEN) throw new Error("closed");
      socket.send(message);
    },
    subscribe: (handler) => void handlers.add(handler),
    unsubscribe: (handler) => void handlers.delete(handler),
  };
}
