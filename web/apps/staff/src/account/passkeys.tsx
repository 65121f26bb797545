import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../shell/api.js";
import { useAsked, useDeed } from "../shell/asking.js";
import { hasPasskeys, made, wasClosed } from "../shell/passkeys.js";
import { moment } from "../shell/times.js";
import { device } from "./device.js";

interface Passkey {
  id: string;
  title: string;
  made_at: string;
  used_at: string | null;
  synced: boolean;
}

/** Making passkeys and taking them away; with the password first, where there is one. */
export function Passkeys({ password }: { password: boolean }) {
  const { t } = useTranslation(["account", "shell"]);
  const { found, again } = useAsked<{ passkeys: Passkey[] }>("/staff/passkeys");
  const { busy, trouble, does } = useDeed();
  const [wanted, setWanted] = useState<{ drop: Passkey | null } | null>(null);
  const [closed, setClosed] = useState(false);

  async function act(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const proof = password ? { password: String(given.get("passkey-password") ?? "") } : {};
    const title = String(given.get("passkey-title") ?? "").trim();
    setClosed(false);
    await does(async () => {
      if (wanted?.drop) await ask(`/staff/passkeys/${wanted.drop.id}`, { method: "DELETE", body: proof });
      else if (!(await make(proof, title))) return setClosed(true);
      setWanted(null);
      await again();
    });
  }

  return (
    <section>
      <h2>{t("passkeys")}</h2>
      <p className="soft">{t("passkeysText")}</p>
      <ul className="rows" aria-label={t("passkeys")}>
        {(found?.passkeys ?? []).map((each) => (
          <li key={each.id}>
            <div>
              <b>{each.title}</b> {each.synced && <span className="tag">{t("passkeySynced")}</span>}
              <p className="soft">
                {t("passkeyMade", { at: moment(each.made_at) })}
                {each.used_at && ` · ${t("passkeyUsed", { at: moment(each.used_at) })}`}
              </p>
            </div>
            <button type="button" className="second" onClick={() => setWanted({ drop: each })}>
              {t("passkeyDrop")}
            </button>
          </li>
        ))}
      </ul>
      {wanted ? (
        <form className="fields" onSubmit={(event) => void act(event)}>
          {wanted.drop ? (
            <p>{t("passkeyDropText", { title: wanted.drop.title })}</p>
          ) : (
            <>
              <label htmlFor="passkey-title">{t("passkeyTitle")}</label>
              <input
                id="passkey-title"
                name="passkey-title"
                defaultValue={device(navigator.userAgent).slice(0, 40)}
                maxLength={40}
                required
              />
            </>
          )}
          {password && (
            <>
              <label htmlFor="passkey-password">{t("totpPassword")}</label>
              <input
                id="passkey-password"
                name="passkey-password"
                type="password"
                autoComplete="current-password"
                required
              />
            </>
          )}
          <div className="acts">
            <button className="main" type="submit" disabled={busy}>
              {wanted.drop ? t("passkeyDrop") : t("passkeyMake")}
            </button>
            <button className="quiet" type="button" onClick={() => setWanted(null)}>
              {t("shell:cancel")}
            </button>
          </div>
        </form>
      ) : (
        hasPasskeys() && (
          <button type="button" className="second" onClick={() => setWanted({ drop: null })}>
            {t("passkeyAdd")}
          </button>
        )
      )}
      <p className="line" role="alert">
        {closed ? t("shell:signIn.closed") : trouble}
      </p>
    </section>
  );
}

/** Whether the device made one. */
async function make(proof: object, title: string): Promise<boolean> {
  try {
    const credential = await made("/staff/passkeys/begin", proof);
    await ask("/staff/passkeys", { method: "POST", body: { credential, title } });
    return true;
  } catch (error) {
    if (!wasClosed(error)) throw error;
    return false;
  }
}
