import { useWords } from "../words/speaking.js";
import { Told } from "./changes.js";
import type { Change } from "./shapes.js";

/** A version of a package, as an index tells of it. */
export interface Package {
  name: string;
  version: string;
  licence: string;
  description: string;
  authors: string[];
  origin: string;
  sources: string[];
  requires: Record<string, string>;
  key: string;
}

export interface Capable {
  may: Record<string, string[]>;
  reads_memory: boolean;
  keeps_memory: boolean;
}

export interface PackageFinding {
  severity: string;
  file: string;
  line: number;
  message: string;
}

export interface Checked {
  findings: PackageFinding[];
  passed: number;
  failed: { name: string; told: string[] }[];
}

/** A package that would come, or be another version. */
export interface Brought extends Package, Capable, Checked {
  digest: string;
  former: string;
  newly: Capable;
  new_key: boolean;
  changes: Change[];
}

/** By name what was shown, so that nothing else is taken. */
export function digestsOf(shown: readonly { name: string; digest: string }[]): Record<string, string> {
  return Object.fromEntries(shown.map((each) => [each.name, each.digest]));
}

const MAY = ["sessions", "skills", "awareness", "forms", "directives", "models", "hosts"] as const;

/** What scripts may do. */
export function May({ of }: { of: Capable }) {
  const t = useWords();
  return (
    <>
      <dl>
        {MAY.filter((kind) => of.may[kind]?.length).map((kind) => (
          <div key={kind}>
            <dt>{t(`gallery.capability.${kind}`)}:</dt>
            <dd>{of.may[kind]?.join("、")}</dd>
          </div>
        ))}
      </dl>
      {of.reads_memory && <p>{t("gallery.reads")}</p>}
      {of.keeps_memory && <p>{t("gallery.keeps")}</p>}
    </>
  );
}

export function FindingLines({ findings }: { findings: PackageFinding[] }) {
  return (
    <ul>
      {findings.map((finding) => (
        <li key={`${finding.file}${finding.line}${finding.message}`}>
          {finding.file}:{finding.line} {finding.message}
        </li>
      ))}
    </ul>
  );
}

/** What the check and its own tests came to. */
export function CheckedLines({ of }: { of: Checked }) {
  const t = useWords();
  return (
    <>
      {of.findings.length ? <FindingLines findings={of.findings} /> : <p className="soft">{t("gallery.clean")}</p>}
      <p>{t("gallery.tests", { passed: of.passed, failed: of.failed.length })}</p>
      {of.failed.length > 0 && (
        <ul>
          {of.failed.map((each) => (
            <li key={each.name}>
              {each.name}: {each.told.join(" ")}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Packages that would come along, each with what it may do, or may do that it did not before. */
export function BroughtList({ brings }: { brings: Brought[] }) {
  const t = useWords();
  return (
    <ul className="brought">
      {brings.map((each) => (
        <li key={each.name}>
          <h3>
            {each.name} <small>{each.former ? `${each.former} → ${each.version}` : each.version}</small>
          </h3>
          {each.description && <p>{each.description}</p>}
          <p className="soft">
            {t("gallery.licence")}: {each.licence} · {t("gallery.by")}: <code>{each.key}</code>
          </p>
          {each.new_key && <p className="notice">{t("required.newKey")}</p>}
          <h4>{t(each.former ? "required.newly" : "gallery.may")}</h4>
          {isNothing(each.newly) ? <p className="soft">{t("required.nothingNew")}</p> : <May of={each.newly} />}
          {each.former && (
            <details open>
              <summary>{t("changes.since", { count: each.changes.length })}</summary>
              <Told changes={each.changes} />
            </details>
          )}
          <details>
            <summary>{t("gallery.findings")}</summary>
            <CheckedLines of={each} />
          </details>
        </li>
      ))}
    </ul>
  );
}

function isNothing(of: Capable): boolean {
  return !of.reads_memory && !of.keeps_memory && MAY.every((kind) => !of.may[kind]?.length);
}
