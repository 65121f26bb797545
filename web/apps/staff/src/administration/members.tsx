import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Account, NamedProject } from "./accounts.js";

const OF_PROJECTS = ["developer", "reviewer"] as const;

/** Of one project: who writes, reviews and publishes it, everywhere or here alone. */
export function Members({
  accounts,
  projects,
  busy,
  onGrant,
}: {
  accounts: readonly Account[];
  projects: readonly NamedProject[];
  busy: boolean;
  onGrant(account: Account, granted: Account["granted"]): void;
}) {
  const { t } = useTranslation(["administration", "shell"]);
  const field = useId();
  const [chosen, setChosen] = useState("");
  const [refused, setRefused] = useState<string | null>(null);
  const project = projects.find(({ id }) => id === chosen) ?? projects[0];
  if (!project) return null;
  const { id: here } = project;

  function turn(account: Account, role: (typeof OF_PROJECTS)[number], on: boolean): void {
    const others = account.granted.filter((each) => each.role !== role || each.project !== here);
    const granted = on ? [...others, { role, project: here }] : others;
    const none = account.roles.length + granted.length === 0;
    setRefused(none ? account.id : null);
    if (!none) onGrant(account, granted);
  }

  return (
    <section className="stack">
      <h2>{t("members")}</h2>
      <p className="soft">{t("membersText")}</p>
      <label htmlFor={field}>{t("membersOf")}</label>
      <select id={field} value={here} onChange={(event) => setChosen(event.target.value)}>
        {projects.map(({ id, name, owner }) => (
          <option key={id} value={id}>
            {owner ? `${name} · ${owner}` : name}
          </option>
        ))}
      </select>
      <ul className="rows members">
        {accounts
          .filter((each) => !each.disabled)
          .map((account) => (
            <li key={account.id}>
              <div>
                <b>{account.shown_name}</b> <span className="soft">{account.name}</span>
                {refused === account.id && <p role="alert">{t("noRole")}</p>}
              </div>
              <div className="row-acts">
                {OF_PROJECTS.map((role) =>
                  account.roles.includes(role) ? (
                    <span key={role} className="tag">
                      {t("everywhere", { role: t(`shell:roles.${role}`) })}
                    </span>
                  ) : (
                    <label key={role} className="check">
                      <input
                        type="checkbox"
                        disabled={busy}
                        checked={account.granted.some((each) => each.role === role && each.project === here)}
                        onChange={(event) => turn(account, role, event.target.checked)}
                      />
                      <span>{t(`shell:roles.${role}`)}</span>
                    </label>
                  ),
                )}
              </div>
            </li>
          ))}
      </ul>
    </section>
  );
}
