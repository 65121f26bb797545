import { Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useRoute } from "wouter";
import { ask } from "./api.js";
import { choose, LOCALES, type Locale, locale } from "./language.js";
import type { Section } from "./sections.js";
import { usePrincipal, useSigning } from "./signing.js";
import { THEMES, type Theme, theme } from "./theme.js";

/** What stands above every page: the sections, who is signed in, language and light. */
export function Head({ sections }: { sections: readonly Section[] }) {
  const { t } = useTranslation();
  const { roles } = usePrincipal();
  return (
    <>
      <button type="button" className="skip" onClick={() => document.getElementById("main")?.focus()}>
        {t("skip")}
      </button>
      <header className="head">
        <strong className="product">HeartRule</strong>
        <nav aria-label={t("navigation")}>
          {sections.map(({ name }) => (
            <Place key={name} name={name} />
          ))}
        </nav>
        <Suspense>
          {sections.map(({ name, watch }) => watch && roles.includes(watch.role) && <watch.Watch key={name} />)}
        </Suspense>
        <Menu />
      </header>
    </>
  );
}

/** Language, light, the account: all that is wanted seldom. */
function Menu() {
  const { t } = useTranslation();
  const { signOut } = useSigning();
  const { name } = usePrincipal();
  const [open, setOpen] = useState(false);
  const [path] = useLocation();
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: who has gone elsewhere has chosen
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!open) return;
    const beside = (event: Event) => {
      if (!place.current?.contains(event.target as Node)) setOpen(false);
    };
    const key = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      place.current?.querySelector("button")?.focus();
    };
    document.addEventListener("pointerdown", beside);
    document.addEventListener("focusin", beside);
    document.addEventListener("keydown", key);
    return () => {
      document.removeEventListener("pointerdown", beside);
      document.removeEventListener("focusin", beside);
      document.removeEventListener("keydown", key);
    };
  }, [open]);
  return (
    <div className="own-menu" ref={place}>
      <button type="button" className="quiet" aria-expanded={open} aria-controls="own" onClick={() => setOpen(!open)}>
        {name} <span className="hidden">({t("account")})</span>
        <svg className="chevron" viewBox="0 0 12 8" aria-hidden="true">
          <path d="M1 1l5 5 5-5" />
        </svg>
      </button>
      {open && (
        <div id="own" className="own">
          <Link href="/account">{t("account")}</Link>
          <Language />
          <Light />
          <button type="button" className="second" onClick={() => void signOut()}>
            {t("signOut")}
          </button>
        </div>
      )}
    </div>
  );
}

function Place({ name }: { name: Section["name"] }) {
  const { t } = useTranslation();
  const [here] = useRoute(`/${name}/*?`);
  return (
    <Link href={`/${name}`} className={here ? "place here" : "place"} aria-current={here ? "page" : undefined}>
      {t(`sections.${name}`)}
    </Link>
  );
}

export function Language() {
  const { t } = useTranslation();
  const { principal } = useSigning();
  const change = (next: Locale) => {
    void choose(next);
    // What the server writes to somebody is in their language, too.
    if (principal) ask("/staff/me", { method: "PATCH", body: { locale: next } }).catch(() => {});
  };
  return (
    <label>
      <span className="hidden">{t("language")}</span>
      <select name="locale" value={locale()} onChange={(event) => change(event.target.value as Locale)}>
        {LOCALES.map((each) => (
          <option key={each} value={each} lang={each}>
            {each === "en" ? "English" : "中文"}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Light() {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(theme.chosen);
  return (
    <label>
      <span className="hidden">{t("theme")}</span>
      <select
        name="theme"
        value={chosen}
        onChange={(event) => {
          theme.choose(event.target.value as Theme);
          setChosen(theme.chosen);
        }}
      >
        {THEMES.map((each) => (
          <option key={each} value={each}>
            {t(`themes.${each}`)}
          </option>
        ))}
      </select>
    </label>
  );
}
