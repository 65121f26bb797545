import { ask } from "../../shell/api.js";
import type { Change, Group, Level, Merged, Origin, Person, Share, Spot, Thread, Written } from "./shapes.js";

const ROOT = "/workbench";
type Texts = Record<string, string | null>;

/** What is asked about people and groups, whatever the project. */
export const people = {
  all: () => ask<{ people: Person[]; groups: Group[] }>(`${ROOT}/people`),
  makeGroup: (name: string, members: string[]) =>
    ask<Group>(`${ROOT}/groups`, { method: "POST", body: { name, members } }),
  changeGroup: (id: string, name: string, members: string[]) =>
    ask<Group>(`${ROOT}/groups/${id}`, { method: "PUT", body: { name, members } }),
  removeGroup: (id: string) => ask<null>(`${ROOT}/groups/${id}`, { method: "DELETE" }),
  mail: () => ask<{ address: string | null; possible: boolean }>(`${ROOT}/comments/mail`),
  setMail: (address: string | null) =>
    ask<{ address: string | null; possible: boolean }>(`${ROOT}/comments/mail`, { method: "PUT", body: { address } }),
};

/** What is asked about a project that several people write. */
export class TeamServer {
  private readonly at: string;

  constructor(project: string) {
    this.at = `${ROOT}/projects/${encodeURIComponent(project)}`;
  }

  eventsOf(tab: string): string {
    return `/api/v1${this.at}/events?tab=${tab}`;
  }

  look(tab: string, file: string | null, path: readonly (string | number)[], editing: boolean) {
    return ask<null>(`${this.at}/here/${tab}`, { method: "PUT", body: { file, path, editing } });
  }

  threads(texts: Texts) {
    return ask<{ threads: Thread[] }>(`${this.at}/threads/places`, { method: "POST", body: { texts } }).then(
      (answer) => answer.threads,
    );
  }

  begin(spot: Spot, text: string, mentions: string[], texts: Texts) {
    return ask<Thread>(`${this.at}/threads`, { method: "POST", body: { ...spot, text, mentions, texts } });
  }

  say(thread: string, text: string, mentions: string[]) {
    return ask<Thread>(`${this.at}/threads/${thread}/comments`, { method: "POST", body: { text, mentions } });
  }

  settle(thread: string, resolved: boolean) {
    return ask<Thread>(`${this.at}/threads/${thread}/resolved`, { method: "PUT", body: { resolved } });
  }

  shares() {
    return ask<{ owner: string; shares: Share[] }>(`${this.at}/sharing`);
  }

  share(who: string, level: Level | null) {
    return ask<{ owner: string; shares: Share[] }>(`${this.at}/sharing`, { method: "PUT", body: { who, level } });
  }

  origin() {
    return ask<Origin>(`${this.at}/origin`);
  }

  merge(base: number, changes: Texts, take: { file: string; number: number }[]) {
    return ask<Merged>(`${this.at}/merge`, { method: "POST", body: { base, changes, take } });
  }

  changes(before: number, after: number) {
    return ask<{ changes: Change[] }>(`${this.at}/versions/${before}/compare/${after}`).then(
      (answer) => answer.changes,
    );
  }

  written(path: string) {
    const file = path.split("/").map(encodeURIComponent).join("/");
    return ask<{ version: number; lines: Written[] }>(`${this.at}/blame/${file}`);
  }
}
