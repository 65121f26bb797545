import { useTranslation } from "react-i18next";
import { Link, Route, Switch } from "wouter";
import { AllServices } from "../account/services.js";
import { FiguresPage } from "../desk/figures.js";
import { teach } from "../shell/language.js";
import { useTitle } from "../shell/title.js";
import { Accounts } from "./accounts.js";
import { Audit } from "./audit.js";
import { en } from "./texts.en.js";
import { zh } from "./texts.zh-CN.js";

teach("administration", { "zh-CN": zh, en });

export default function Administration() {
  const { t } = useTranslation("administration");
  useTitle(t("title"));
  return (
    <div className="page wide stack">
      <h1>{t("title")}</h1>
      <nav className="parts" aria-label={t("parts")}>
        <Link href="/" className={(active) => (active ? "place here" : "place")}>
          {t("accounts")}
        </Link>
        <Link href="/services" className={(active) => (active ? "place here" : "place")}>
          {t("services")}
        </Link>
        <Link href="/audit" className={(active) => (active ? "place here" : "place")}>
          {t("audit")}
        </Link>
        <Link href="/figures" className={(active) => (active ? "place here" : "place")}>
          {t("figures")}
        </Link>
      </nav>
      <Switch>
        <Route path="/services">
          <AllServices />
        </Route>
        <Route path="/audit">
          <Audit />
        </Route>
        <Route path="/figures">
          <FiguresPage />
        </Route>
        <Route>
          <Accounts />
        </Route>
      </Switch>
    </div>
  );
}
