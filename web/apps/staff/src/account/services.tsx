import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../shell/api.js";
import { useAsked, useDeed } from "../shell/asking.js";
import { teach } from "../shell/language.js";
import { moment } from "../shell/times.js";
import { en } from "./services.texts.en.js";
import { zh } from "./services.texts.zh-CN.js";

teach("services", { "zh-CN": zh, en });

type Scope =
  | "desk.read"
  | "desk.write"
  | "replies"
  | "figures"
  | "scripts.read"
  | "scripts.write"
  | "debug"
  | "releases.read"
  | "releases.write";

interface Service {
  id: string;
  owner: string;
  name: string;
  scopes: Scope[];
  created_at: string;
  expires_at: string;
  used_at: string | null;
}

interface Services {
  services: Service[];
  scopes: Scope[];
}

/** Tokens of programs that act for oneself. */
export function OwnServices() {
  const { t } = useTranslation("services");
  const { found, again } = useAsked<Services>("/staff/service-tokens");
  const { busy, trouble, does } = useDeed();
  const [token, setToken] = useState<string | null>(null);

  async function make(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const body = {
      name: String(given.get("name") ?? "").trim(),
      scopes: given.getAll("scope"),
      days: Number(given.get("days")),
    };
    await does(async () => {
      const made = await ask<{ token: string }>("/staff/service-tokens", { method: "POST", body });
      setToken(made.token);
      form.reset();
      await again();
    });
  }

  if (!found) return null;
  return (
    <section>
      <h2>{t("title")}</h2>
      <p className="soft">{t("text")}</p>
      <Rows services={found.services} again={again} />
      {token && (
        <div className="given" role="status">
          <p>{t("made")}</p>
          <p>
            <code className="service-token">{token}</code>
          </p>
        </div>
      )}
      {found.scopes.length > 0 && (
        <details>
          <summary>{t("add")}</summary>
          <form className="fields" onSubmit={(event) => void make(event)}>
            <label htmlFor="service-name">{t("name")}</label>
            <input id="service-name" name="name" autoComplete="off" maxLength={40} required />
            <fieldset>
              <legend>{t("may")}</legend>
              {found.scopes.map((scope) => (
                <label key={scope} className="check">
                  <input type="checkbox" name="scope" value={scope} />
                  <span>
                    {t(`scopes.${scope}`)} <code>{scope}</code>
                  </span>
                </label>
              ))}
            </fieldset>
            <label htmlFor="service-days">{t("days")}</label>
            <input id="service-days" name="days" type="number" min={1} max={366} defaultValue={90} required />
            <div>
              <button className="second" type="submit" disabled={busy}>
                {t("make")}
              </button>
            </div>
          </form>
        </details>
      )}
      <p className="line" role="alert">
        {trouble}
      </p>
    </section>
  );
}

/** Everybody's, for who administers. */
export function AllServices() {
  const { t } = useTranslation(["services", "shell"]);
  const { found, failed, again } = useAsked<Services>("/staff/service-tokens/all");
  return (
    <section>
      <h2>{t("title")}</h2>
      <p role="status">
        {failed ? failed.message || t("shell:unreachable") : found?.services.length === 0 ? t("none") : ""}
      </p>
      {found && <Rows services={found.services} again={again} owners />}
    </section>
  );
}

function Rows({ services, again, owners }: { services: Service[]; again(): Promise<void>; owners?: boolean }) {
  const { t } = useTranslation("services");
  const { busy, trouble, does } = useDeed();
  const revoke = (id: string) => does(() => ask(`/staff/service-tokens/${id}`, { method: "DELETE" })).then(again);
  return (
    <>
      <ul className="rows" aria-label={t("title")}>
        {services.map((each) => (
          <li key={each.id}>
            <div>
              <b>{each.name}</b> {owners && <span className="soft">{t("for", { name: each.owner })}</span>}
              <p className="soft">{each.scopes.map((scope) => t(`scopes.${scope}`)).join(" · ")}</p>
              <p className="soft">
                {t("until", { at: moment(each.expires_at) })} ·{" "}
                {each.used_at ? t("used", { at: moment(each.used_at) }) : t("unused")}
              </p>
            </div>
            <button type="button" className="second" disabled={busy} onClick={() => void revoke(each.id)}>
              {t("revoke")}
            </button>
          </li>
        ))}
      </ul>
      <p className="line" role="alert">
        {trouble}
      </p>
    </>
  );
}
