import qrcode from "qrcode-generator";
import { type FormEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../shell/api.js";
import { useDeed } from "../shell/asking.js";

/** What signs somebody in. */
export interface Security {
  totp: boolean;
  recovery_codes_left: number;
  password: boolean;
  provider: boolean;
}

/** Two-step sign-in: turned on with an authenticator, turned off with the password. */
export function TwoSteps({ found, again }: { found: Security; again(): Promise<void> }) {
  const { t } = useTranslation(["account", "shell"]);
  const { busy, trouble, does } = useDeed();
  const [step, setStep] = useState<"rest" | "password">("rest");
  const [secret, setSecret] = useState<{ secret: string; uri: string } | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);

  async function withPassword(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const body = { password: String(new FormData(event.currentTarget).get("totp-password") ?? "") };
    await does(async () => {
      if (found.totp) await ask("/staff/totp", { method: "DELETE", body });
      else setSecret(await ask("/staff/totp", { method: "POST", body }));
      setStep("rest");
      await again();
    });
  }

  async function confirm(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("totp-code") ?? "").replaceAll(/\s/g, "");
    await does(async () => {
      const made = await ask<{ recovery_codes: string[] }>("/staff/totp", { method: "PUT", body: { code } });
      setCodes(made.recovery_codes);
      setSecret(null);
      await again();
    });
  }

  return (
    <section>
      <h2>{t("totp")}</h2>
      {codes ? (
        <div className="stack">
          <p>{t("totpCodes")}</p>
          <ul className="codes">
            {codes.map((each) => (
              <li key={each}>
                <code>{each}</code>
              </li>
            ))}
          </ul>
          <div>
            <button type="button" className="main" onClick={() => setCodes(null)}>
              {t("totpKept")}
            </button>
          </div>
        </div>
      ) : secret ? (
        <form className="fields" onSubmit={(event) => void confirm(event)}>
          <p>{t("totpScan")}</p>
          <Qr uri={secret.uri} name={t("totpQr")} />
          <p>
            {t("totpSecret")}: <code>{secret.secret}</code>
          </p>
          <label htmlFor="totp-code">{t("totpCode")}</label>
          <div className="one-line">
            <input id="totp-code" name="totp-code" inputMode="numeric" autoComplete="one-time-code" required />
            <button className="main" type="submit" disabled={busy}>
              {t("totpConfirm")}
            </button>
            <button className="quiet" type="button" onClick={() => setSecret(null)}>
              {t("shell:cancel")}
            </button>
          </div>
        </form>
      ) : (
        <>
          <p className="soft">{found.totp ? t("totpOn", { left: found.recovery_codes_left }) : t("totpOff")}</p>
          {step === "password" ? (
            <form className="fields" onSubmit={(event) => void withPassword(event)}>
              <label htmlFor="totp-password">{t("totpPassword")}</label>
              <div className="one-line">
                <input
                  id="totp-password"
                  name="totp-password"
                  type="password"
                  autoComplete="current-password"
                  required
                />
                <button className="main" type="submit" disabled={busy}>
                  {found.totp ? t("totpEnd") : t("totpBegin")}
                </button>
                <button className="quiet" type="button" onClick={() => setStep("rest")}>
                  {t("shell:cancel")}
                </button>
              </div>
            </form>
          ) : (
            <button type="button" className="second" onClick={() => setStep("password")}>
              {found.totp ? t("totpEnd") : t("totpBegin")}
            </button>
          )}
        </>
      )}
      <p className="line" role="alert">
        {trouble}
      </p>
    </section>
  );
}

/** Drawn as shapes: pictures from elsewhere are not needed for it. */
function Qr({ uri, name }: { uri: string; name: string }) {
  const { size, path } = useMemo(() => {
    const code = qrcode(0, "M");
    code.addData(uri);
    code.make();
    const size = code.getModuleCount();
    const all = Array.from({ length: size * size }, (_, at) => [Math.floor(at / size), at % size] as const);
    const path = all
      .filter(([row, column]) => code.isDark(row, column))
      .map(([row, column]) => `M${column} ${row}h1v1h-1z`);
    return { size, path: path.join("") };
  }, [uri]);
  return (
    <svg
      className="qr"
      role="img"
      aria-label={name}
      viewBox={`-4 -4 ${size + 8} ${size + 8}`}
      shapeRendering="crispEdges"
    >
      <rect x="-4" y="-4" width={size + 8} height={size + 8} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
