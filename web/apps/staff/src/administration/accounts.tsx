import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../shell/api.js";
import { useAsked, useDeed } from "../shell/asking.js";
import { Leaf } from "../shell/dialog.js";
import { LOCALES, type Locale, locale } from "../shell/language.js";
import { ROLES, type Role, usePrincipal } from "../shell/signing.js";
import { moment } from "../shell/times.js";
import { Members } from "./members.js";

export interface Account {
  id: string;
  name: string;
  shown_name: string;
  roles: Role[];
  projects: string[];
  granted: { role: Role; project: string }[];
  locale: Locale;
  disabled: boolean;
  invited: boolean;
  totp: boolean;
  passkeys: number;
  provider: boolean;
  created_at: string;
  seen_at: string | null;
}

interface OneTime {
  url: string;
  token: string;
  kind: "invitation" | "reset";
  expires_at: string;
}

/** Who may sign in, as what; links are made here and given by hand. */
export function Accounts() {
  const { t } = useTranslation(["administration", "shell"]);
  const { found, failed, again } = useAsked<{ accounts: Account[] }>("/staff/accounts");
  const { found: bench } = useAsked<{ projects: NamedProject[] }>("/staff/projects");
  const names = new Map((bench?.projects ?? []).map(({ id, name }) => [id, name]));
  const { busy, trouble, does } = useDeed();
  const [editing, setEditing] = useState<Account | null>(null);
  const [link, setLink] = useState<{ of: string; link: OneTime } | null>(null);

  const change = (account: Account, path: string, method: "POST" | "PATCH" | "DELETE", body?: object) =>
    does(async () => {
      const answer = await ask<OneTime | Account>(`/staff/accounts/${account.id}${path}`, { method, body });
      if (path === "/link") setLink({ of: account.shown_name, link: answer as OneTime });
      await again();
    });

  return (
    <div className="stack">
      {link && <Given {...link} />}
      <p className="line" role="alert">
        {trouble || (failed ? failed.message || t("shell:unreachable") : "")}
      </p>
      <section>
        <h2>{t("people")}</h2>
        <ul className="rows">
          {(found?.accounts ?? []).map((each) => (
            <AccountRow
              key={each.id}
              account={each}
              names={names}
              busy={busy}
              onEdit={() => setEditing(each)}
              change={change}
            />
          ))}
        </ul>
      </section>
      <Members
        accounts={found?.accounts ?? []}
        projects={bench?.projects ?? []}
        busy={busy}
        onGrant={(account, granted) => void change(account, "", "PATCH", { granted })}
      />
      <AddAccount
        onMade={(made, given) => {
          setLink({ of: made.shown_name, link: given });
          void again();
        }}
      />
      {editing && (
        <EditAccount
          account={editing}
          onClose={(changed) => {
            setEditing(null);
            if (changed) void again();
          }}
        />
      )}
    </div>
  );
}

function AccountRow({
  account,
  names,
  busy,
  onEdit,
  change,
}: {
  account: Account;
  /** Of the projects of the workbench, by id. */
  names: ReadonlyMap<string, string>;
  busy: boolean;
  onEdit(): void;
  change(account: Account, path: string, method: "POST" | "PATCH" | "DELETE", body?: object): Promise<boolean>;
}) {
  const { t } = useTranslation(["administration", "shell"]);
  const me = usePrincipal();
  const own = account.id === me.id;
  return (
    <li>
      <div>
        <b>{account.shown_name}</b> <span className="soft">{account.name}</span>{" "}
        {own && <span className="tag">{t("you")}</span>}{" "}
        {account.invited && <span className="tag">{t("invited")}</span>}{" "}
        {account.disabled && <span className="tag urgent">{t("disabled")}</span>}{" "}
        {account.totp && <span className="tag">{t("twoSteps")}</span>}{" "}
        {account.passkeys > 0 && <span className="tag">{t("passkeys")}</span>}{" "}
        {account.provider && <span className="tag">{t("provider")}</span>}
        <p className="soft">
          {[
            ...account.roles.map((role) => t(`shell:roles.${role}`)),
            ...account.granted.map(
              (each) => `${t(`shell:roles.${each.role}`)} (${names.get(each.project) ?? each.project})`,
            ),
          ].join(" · ")}{" "}
          · {account.seen_at ? t("seen", { at: moment(account.seen_at) }) : t("never")}
        </p>
      </div>
      <div className="row-acts">
        <button type="button" className="second" onClick={onEdit}>
          {t("edit")}
        </button>
        {!own && (
          <>
            {!account.provider && (
              <button
                type="button"
                className="second"
                title={account.invited ? undefined : t("newLinkText")}
                disabled={busy}
                onClick={() => void change(account, "/link", "POST")}
              >
                {t("newLink")}
              </button>
            )}
            <button
              type="button"
              className="second"
              disabled={busy}
              onClick={() => void change(account, "", "PATCH", { disabled: !account.disabled })}
            >
              {account.disabled ? t("enable") : t("disable")}
            </button>
            {account.seen_at && (
              <button
                type="button"
                className="second"
                disabled={busy}
                onClick={() => void change(account, "/sign-ins", "DELETE")}
              >
                {t("signOut")}
              </button>
            )}
            {account.totp && (
              <button
                type="button"
                className="second"
                disabled={busy}
                onClick={() => void change(account, "/totp", "DELETE")}
              >
                {t("dropTotp")}
              </button>
            )}
          </>
        )}
      </div>
    </li>
  );
}

function Given({ of, link }: { of: string; link: OneTime }) {
  const { t } = useTranslation("administration");
  const [copied, setCopied] = useState(false);
  const address = new URL(link.url, location.origin).href;
  return (
    <section className="given" aria-label={t("link")} role="status">
      <h2>{t("link")}</h2>
      <p>{t("linkText", { name: of, until: moment(link.expires_at) })}</p>
      <p>
        <code>{address}</code>
      </p>
      <button
        type="button"
        className="second"
        onClick={() => void navigator.clipboard.writeText(address).then(() => setCopied(true))}
      >
        {copied ? t("copied") : t("copy")}
      </button>
    </section>
  );
}

function AddAccount({ onMade }: { onMade(made: Account, link: OneTime): void }) {
  const { t } = useTranslation("administration");
  const { busy, trouble, does } = useDeed();
  const [noRole, setNoRole] = useState(false);

  async function add(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const text = (name: string) => String(given.get(name) ?? "").trim();
    const roles = given.getAll("role");
    const granted = grantedOf(given);
    setNoRole(roles.length + granted.length === 0);
    if (roles.length + granted.length === 0) return;
    const body = {
      name: text("name"),
      roles,
      granted,
      locale: text("locale"),
      projects: listed(text("projects")),
      ...(text("shown") && { shown_name: text("shown") }),
    };
    await does(async () => {
      const made = await ask<{ account: Account; link: OneTime }>("/staff/accounts", { method: "POST", body });
      form.reset();
      onMade(made.account, made.link);
    });
  }

  return (
    <section>
      <h2>{t("add")}</h2>
      <form className="fields" onSubmit={(event) => void add(event)}>
        <label htmlFor="add-name">{t("name")}</label>
        <input id="add-name" name="name" autoComplete="off" autoCapitalize="none" maxLength={40} required />
        <label htmlFor="add-shown">{t("shownName")}</label>
        <input id="add-shown" name="shown" autoComplete="off" maxLength={40} />
        <RolesField chosen={["counsellor"]} />
        <label htmlFor="add-locale">{t("locale")}</label>
        <select id="add-locale" name="locale" defaultValue={locale()}>
          {LOCALES.map((each) => (
            <option key={each} value={each}>
              {each === "en" ? "English" : "中文"}
            </option>
          ))}
        </select>
        <ProjectsField id="add-projects" projects={["*"]} />
        <GrantedFields granted={[]} />
        <div>
          <button className="main" type="submit" disabled={busy}>
            {t("create")}
          </button>
        </div>
      </form>
      <p className="line" role="alert">
        {noRole ? t("noRole") : trouble}
      </p>
    </section>
  );
}

function EditAccount({ account, onClose }: { account: Account; onClose(changed: boolean): void }) {
  const { t } = useTranslation(["administration", "shell"]);
  const { busy, trouble, does } = useDeed();
  const [noRole, setNoRole] = useState(false);

  async function save(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const roles = given.getAll("role");
    const granted = grantedOf(given);
    setNoRole(roles.length + granted.length === 0);
    if (roles.length + granted.length === 0) return;
    const body = {
      roles,
      granted,
      projects: listed(String(given.get("projects") ?? "")),
      shown_name: String(given.get("shown") ?? "").trim(),
    };
    if (await does(() => ask(`/staff/accounts/${account.id}`, { method: "PATCH", body }))) onClose(true);
  }

  return (
    <Leaf title={account.name} open onClose={() => onClose(false)}>
      <form className="fields" onSubmit={(event) => void save(event)}>
        <label htmlFor="edit-shown">{t("shownName")}</label>
        <input id="edit-shown" name="shown" defaultValue={account.shown_name} maxLength={40} required />
        <RolesField chosen={account.roles} />
        <ProjectsField id="edit-projects" projects={account.projects} />
        <GrantedFields granted={account.granted} />
        <div className="acts">
          <button className="main" type="submit" disabled={busy}>
            {t("shell:save")}
          </button>
          <button className="second" type="button" onClick={() => onClose(false)}>
            {t("shell:cancel")}
          </button>
        </div>
      </form>
      <p className="line" role="alert">
        {noRole ? t("noRole") : trouble}
      </p>
    </Leaf>
  );
}

function RolesField({ chosen }: { chosen: readonly Role[] }) {
  const { t } = useTranslation(["administration", "shell"]);
  return (
    <fieldset>
      <legend>{t("roles")}</legend>
      {ROLES.map((role) => (
        <label key={role} className="check">
          <input type="checkbox" name="role" value={role} defaultChecked={chosen.includes(role)} />
          <span>
            {t(`shell:roles.${role}`)} <span className="soft">{t(`roleHelp.${role}`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function ProjectsField({ id, projects }: { id: string; projects: readonly string[] }) {
  const { t } = useTranslation("administration");
  return (
    <>
      <label htmlFor={id}>{t("projects")}</label>
      <input id={id} name="projects" defaultValue={projects.join(", ")} aria-describedby={`${id}-help`} required />
      <p id={`${id}-help`} className="soft">
        {t("projectsHelp")}
      </p>
    </>
  );
}

const OF_PROJECTS = ["developer", "reviewer"] as const;

export interface NamedProject {
  id: string;
  name: string;
  owner: string;
}

/** Roles that count in one project alone, chosen by the projects' names. */
function GrantedFields({ granted }: { granted: Account["granted"] }) {
  const { t } = useTranslation("administration");
  const { found } = useAsked<{ projects: NamedProject[] }>("/staff/projects");
  if (!found) return null;
  const named = new Set(found.projects.map(({ id }) => id));
  // One that is not there any more can still be taken away.
  const gone = [...new Set(granted.map(({ project }) => project))].filter((project) => !named.has(project));
  const all = [...found.projects, ...gone.map((id) => ({ id, name: id, owner: "" }))];
  if (all.length === 0) return null;
  return OF_PROJECTS.map((role) => (
    <fieldset key={role}>
      <legend>{t(`granted.${role}`)}</legend>
      <div className="listed">
        {all.map(({ id, name, owner }) => (
          <label key={id} className="check">
            <input
              type="checkbox"
              name={`granted-${role}`}
              value={id}
              defaultChecked={granted.some((each) => each.role === role && each.project === id)}
            />
            <span>
              {name} <span className="soft">{owner}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  ));
}

function grantedOf(given: FormData): Account["granted"] {
  return OF_PROJECTS.flatMap((role) =>
    given.getAll(`granted-${role}`).map((project) => ({ role, project: String(project) })),
  );
}

function listed(text: string): string[] {
  return text
    .split(/[,，、\s]+/)
    .map((each) => each.trim())
    .filter((each) => each !== "");
}
