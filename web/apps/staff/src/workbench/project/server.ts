import { ask } from "../../shell/api.js";
import type {
  Block,
  Condition,
  Coverage,
  Draft,
  FlowMap,
  Json,
  OtherTab,
  Project,
  ReadCondition,
  Template,
  TestRun,
  Version,
} from "../text/shapes.js";

const ROOT = "/workbench";

/** The projects that somebody may see. */
export const projects = {
  all: () => ask<{ projects: Project[] }>(`${ROOT}/projects`).then((answer) => answer.projects),
  one: (id: string) => ask<Project>(of(id)),
  make: (body: { name: string; template?: string; locale?: string; copy?: string }) =>
    ask<Project>(`${ROOT}/projects`, { method: "POST", body }),
  rename: (id: string, name: string) => ask<Project>(of(id), { method: "PATCH", body: { name } }),
  remove: (id: string) => ask<null>(of(id), { method: "DELETE" }),
  templates: () => ask<{ templates: Template[] }>(`${ROOT}/templates`).then((answer) => answer.templates),
};

export interface Saving {
  base: number;
  note: string;
  changes: Record<string, string | null>;
  renames?: Record<string, string>;
}

/** What can be asked about one project. */
export class ProjectServer {
  constructor(readonly id: string) {}

  texts() {
    return ask<{ version: number; texts: Record<string, string> }>(`${of(this.id)}/texts`);
  }

  save(body: Saving) {
    return ask<Version>(`${of(this.id)}/versions`, { method: "POST", body });
  }

  versions(before?: number) {
    const more = before === undefined ? "" : `?before=${before}`;
    return ask<{ versions: Version[]; more: boolean }>(`${of(this.id)}/versions${more}`);
  }

  version(number: number) {
    return ask<Version & { texts: Record<string, string> }>(`${of(this.id)}/versions/${number}`);
  }

  restore(number: number, note: string) {
    return ask<Version>(`${of(this.id)}/versions/${number}/restore`, { method: "POST", body: { note } });
  }

  readonly drafts = {
    put: (tab: string, base: number, texts: Record<string, string | null>) =>
      ask<{ at: string; others: OtherTab[] }>(`${of(this.id)}/drafts/${tab}`, { method: "PUT", body: { base, texts } }),
    all: () => ask<{ drafts: Draft[] }>(`${of(this.id)}/drafts`).then((answer) => answer.drafts),
    drop: (tab: string, leaving = false) =>
      ask<null>(`${of(this.id)}/drafts/${tab}`, { method: "DELETE", keepalive: leaving }).then(() => {}),
  };

  layout() {
    return ask<{ layout: Record<string, Json> }>(`${of(this.id)}/layout`).then((answer) => answer.layout);
  }

  keepLayout(layout: object) {
    return ask(`${of(this.id)}/layout`, { method: "PUT", body: { layout } });
  }

  map(texts: Record<string, string>) {
    return ask<FlowMap>(`${of(this.id)}/map`, { method: "POST", body: { texts } });
  }

  condition(body: { text: string } | { condition: Condition }) {
    return ask<ReadCondition>(`${of(this.id)}/condition`, { method: "POST", body });
  }

  test(texts: Record<string, string | null>) {
    return ask<TestRun>(`${of(this.id)}/tests`, { method: "POST", body: { texts } });
  }

  coverage() {
    return ask<Coverage>(`${of(this.id)}/coverage`);
  }

  fhir(form: string, texts: Record<string, string | null>) {
    return ask<Record<string, Json>>(`${of(this.id)}/fhir`, { method: "POST", body: { form, texts } });
  }

  tryIt(body: { script: string; locale?: string; texts: Record<string, string | null>; model?: boolean }) {
    return ask<{ session: string; token: string; script: string }>(`${of(this.id)}/try`, { method: "POST", body });
  }
}

export function blocks(locale: string): Promise<Block[]> {
  return ask<{ blocks: Block[] }>(`${ROOT}/blocks?locale=${locale}`).then((answer) => answer.blocks);
}

export function fromFhir(questionnaire: Json, locale: string) {
  return ask<{ form: string; id: string; notes: { zh: string; en: string }[] }>(`${ROOT}/fhir`, {
    method: "POST",
    body: { questionnaire, locale },
  });
}

/** The address of the language service of a project. */
export function languageOf(id: string, locale: string): string {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const lang = locale.startsWith("zh") ? "zh" : "en";
  return `${scheme}//${location.host}/api/v1${ROOT}/projects/${encodeURIComponent(id)}/lsp?lang=${lang}`;
}

function of(id: string): string {
  return `${ROOT}/projects/${encodeURIComponent(id)}`;
}
