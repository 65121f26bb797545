import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Link, Redirect, Route, Switch } from "wouter";
import { usePrincipal } from "../shell/signing.js";
import { useTitle } from "../shell/title.js";
import { board } from "./board.js";
import { CannedPage } from "./canned.js";
import "./desk.css";
import "./session.css";
import { FiguresPage } from "./figures.js";
import { DeskList } from "./list.js";
import { Replies } from "./replies.js";
import { SearchPage } from "./search.js";
import { Session } from "./session.js";
import { ShiftPage } from "./shift.js";
import "./words.js";

const PLACES = [
  ["sessions", "/"],
  ["shift", "/shift"],
  ["replies", "/replies"],
  ["search", "/search"],
  ["canned", "/canned"],
  ["figures", "/figures"],
] as const;
const OF_REVIEWERS: readonly string[] = ["replies", "figures"];

/** The desk: a place to work a shift at. */
export default function Desk() {
  const { t } = useTranslation("desk");
  const { roles } = usePrincipal();
  const onDuty = roles.includes("counsellor");
  const { connected } = useSyncExternalStore(board.subscribe, board.snapshot);
  useTitle(t("title"));
  const places = PLACES.filter(([name]) => onDuty || OF_REVIEWERS.includes(name));
  return (
    <div className="desk">
      <nav className="parts" aria-label={t("parts")}>
        {places.map(([name, path]) => (
          <Place key={name} path={path} name={t(`places.${name}`)} />
        ))}
      </nav>
      {onDuty && !connected && (
        <p className="offline" role="status">
          {t("offline")}
        </p>
      )}
      <Switch>
        <Route path="/replies/:session?/:message?">
          {({ session, message }) => <Replies session={session} message={message} />}
        </Route>
        <Route path="/figures">
          <FiguresPage />
        </Route>
        {onDuty ? (
          <Switch>
            <Route path="/shift">
              <ShiftPage />
            </Route>
            <Route path="/search">
              <SearchPage />
            </Route>
            <Route path="/canned">
              <CannedPage />
            </Route>
            <Route path="/s/:id">{({ id }) => <Sessions open={id} />}</Route>
            <Route>
              <Sessions open={null} />
            </Route>
          </Switch>
        ) : (
          <Route>
            <Redirect to="/replies" replace />
          </Route>
        )}
      </Switch>
    </div>
  );
}

function Place({ path, name }: { path: string; name: string }) {
  const ours = (here: string) => (path === "/" ? here === "/" || here.startsWith("/s/") : here.startsWith(path));
  return (
    <Switch>
      <Route path="*">
        {({ "*": rest }) => {
          const here = ours(`/${rest ?? ""}`);
          return (
            <Link href={path} className={here ? "place here" : "place"} aria-current={here ? "page" : undefined}>
              {name}
            </Link>
          );
        }}
      </Route>
    </Switch>
  );
}

function Sessions({ open }: { open: string | null }) {
  const { t } = useTranslation("desk");
  return (
    <div className={`split ${open ? "one" : "all"}`}>
      <DeskList open={open} />
      {open ? (
        <Session key={open} id={open} />
      ) : (
        <section className="empty">
          <h1 className="hidden">{t("places.sessions")}</h1>
          <p className="soft">{t("list.choose")}</p>
        </section>
      )}
    </div>
  );
}
