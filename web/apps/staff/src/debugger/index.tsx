import { useTranslation } from "react-i18next";
import { Route, Switch } from "wouter";
import { teach } from "../shell/language.js";
import { useTitle } from "../shell/title.js";
import { Begin } from "./begin.js";
import { Session } from "./session.js";
import { en } from "./texts.en.js";
import { zh } from "./texts.zh-CN.js";
import "./debugger.css";

teach("debugger", { "zh-CN": zh, en });

/** Debug sessions: begun, and worked in. */
export default function Debugger() {
  const { t } = useTranslation("debugger");
  useTitle(t("title"));
  return (
    <Switch>
      <Route path="/:id">{({ id }) => <Session key={id} id={id} />}</Route>
      <Route>
        <Begin />
      </Route>
    </Switch>
  );
}
