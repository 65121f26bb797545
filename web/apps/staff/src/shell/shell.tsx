import { Component, lazy, type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Redirect, Route, Router, Switch } from "wouter";
import { Gate } from "./gate.js";
import { Head } from "./head.js";
import { sectionsOf } from "./sections.js";
import { rolesOf, SigningIn, usePrincipal } from "./signing.js";

const Account = lazy(() => import("../account/index.js"));

export function Shell() {
  return (
    <Router base="/staff">
      <SigningIn>
        <Gate>
          <Sections />
        </Gate>
      </SigningIn>
    </Router>
  );
}

function Sections() {
  const { t } = useTranslation();
  const sections = sectionsOf(rolesOf(usePrincipal()));
  return (
    <>
      <Head sections={sections} />
      <main id="main" tabIndex={-1}>
        <Mended>
          <Suspense fallback={<p className="page soft">{t("loading")}</p>}>
            <Switch>
              <Route path="/">
                {sections[0] ? (
                  <Redirect to={`/${sections[0].name}`} replace />
                ) : (
                  <p className="page">{t("noSection")}</p>
                )}
              </Route>
              {sections.map(({ name, Page }) => (
                <Route key={name} path={`/${name}`} nest>
                  <Page />
                </Route>
              ))}
              <Route path="/account">
                <Account />
              </Route>
              <Route>
                <p className="page">{t("notFound")}</p>
              </Route>
            </Switch>
          </Suspense>
        </Mended>
      </main>
    </>
  );
}

/** A section that fails takes nothing else with it. */
class Mended extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <Broken /> : this.props.children;
  }
}

function Broken() {
  const { t } = useTranslation();
  return (
    <div className="page" role="alert">
      <p>{t("broken")}</p>
      <button type="button" className="main" onClick={() => location.reload()}>
        {t("reload")}
      </button>
    </div>
  );
}
