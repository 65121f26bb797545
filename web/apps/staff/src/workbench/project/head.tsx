import { useSyncExternalStore } from "react";
import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { Link } from "wouter";
import type { Finding } from "../text/shapes.js";
import { useCompany, useTogether } from "../together/context.js";
import { Others } from "../together/others.js";
import { Icon } from "../words/icon.js";
import { moment, useWords } from "../words/speaking.js";
import { useBook, useHere, type ViewName } from "./context.js";

interface HeadProps {
  findings: Finding[];
  undo(back: boolean): void;
  save(): void;
  trying: boolean;
  attempt(): void;
  listing: boolean;
  list(): void;
  contents: boolean;
  showContents(): void;
  runTests(): void;
  weigh(): void;
  packages(): void;
}

const FIRST: readonly ViewName[] = ["flow", "text"];
const MORE: readonly ViewName[] = ["variables", "relations", "versions"];

/** Above a project: its views, what can be undone, whether it is kept, what is wrong, and trying it. */
export function RoomHead(props: HeadProps) {
  const { opened, view, look } = useHere();
  const t = useWords();
  useBook();
  const { company, shown, show } = useTogether();
  const open = useCompany().threads.filter((thread) => !thread.resolved).length;
  const { book, project } = opened;
  const errors = props.findings.filter((finding) => finding.severity === "error").length;
  const wrong = props.findings.length;
  const standing = useSyncExternalStore(opened.language.subscribe, () => opened.language.standing);
  const clean = standing === "ready" ? t("findings.none") : t("findings.notYet");
  return (
    <header className="room-head">
      <div className="room-name">
        <Link href="/" className="back" aria-label={t("projects.title")}>
          ‹
        </Link>
        <h1>{project.name}</h1>
        <Kept />
      </div>
      <fieldset className="views" aria-label={t("views.name")}>
        {[...FIRST, ...MORE].map((name) => (
          <button
            key={name}
            type="button"
            className={view === name ? "place here" : "place"}
            aria-pressed={view === name}
            onClick={() => look(name)}
          >
            {t(`views.${name}`)}
          </button>
        ))}
      </fieldset>
      <div className="room-acts">
        <button type="button" className="quiet" aria-pressed={props.contents} onClick={props.showContents}>
          {t("contents.name")}
        </button>
        {project.writable && (
          <>
            <button
              type="button"
              className="icon"
              aria-label={t("act.undo")}
              title={`${t("act.undo")} (Ctrl Z)`}
              disabled={!book.canUndo}
              onClick={() => props.undo(true)}
            >
              <Icon name="undo" />
            </button>
            <button
              type="button"
              className="icon"
              aria-label={t("act.redo")}
              title={`${t("act.redo")} (Ctrl Y)`}
              disabled={!book.canRedo}
              onClick={() => props.undo(false)}
            >
              <Icon name="redo" />
            </button>
          </>
        )}
        <Others />
        {company.shared && (
          <button type="button" className="quiet" aria-pressed={shown} onClick={() => show(!shown)}>
            {open ? t("threads.open", { count: open }) : t("threads.name")}
          </button>
        )}
        <button
          type="button"
          className={`quiet findings-button${errors ? " error" : wrong ? " warning" : ""}`}
          aria-pressed={props.listing}
          onClick={props.list}
        >
          {wrong ? t("findings.some", { errors, warnings: wrong - errors }) : clean}
        </button>
        <MenuTrigger>
          <Button className="quiet">{t("act.more")} ▾</Button>
          <Popover className="popover" placement="bottom end">
            <Menu
              className="menu"
              onAction={(key) => {
                if (key === "tests") props.runTests();
                if (key === "score") props.weigh();
                if (key === "packages") props.packages();
                if (key === "tour") dispatchEvent(new CustomEvent("workbench-tour"));
              }}
            >
              <MenuItem id="tests" className="menu-item">
                {t("tests.run")}
              </MenuItem>
              <MenuItem id="score" className="menu-item">
                {t("score.name")}
              </MenuItem>
              <MenuItem id="packages" className="menu-item">
                {t("required.name")}
              </MenuItem>
              <MenuItem id="tour" className="menu-item">
                {t("tour.begin")}
              </MenuItem>
            </Menu>
          </Popover>
        </MenuTrigger>
        <button type="button" className="second" data-tour="try" aria-pressed={props.trying} onClick={props.attempt}>
          {t("try.name")}
        </button>
        {project.writable && (
          <button type="button" className="main" disabled={!book.changed.length} onClick={props.save}>
            {t("act.save")}
          </button>
        )}
      </div>
    </header>
  );
}

/** Where what was typed is kept. */
function Kept() {
  const { opened } = useHere();
  const t = useWords();
  const { drafts, book, language } = opened;
  const kept = useSyncExternalStore(drafts.subscribe, () => `${drafts.kept}${drafts.at?.getTime() ?? ""}`);
  const standing = useSyncExternalStore(language.subscribe, () => language.standing);
  if (!opened.project.writable) return <span className="kept">{t("kept.readOnly")}</span>;
  if (standing === "away") return <span className="kept away">{t("kept.away")}</span>;
  if (!book.changed.length) return <span className="kept">{t("kept.saved")}</span>;
  const at = drafts.at ? moment(drafts.at) : "";
  if (kept.startsWith("server")) return <span className="kept">{t("kept.server", { at })}</span>;
  return <span className="kept">{kept.startsWith("here") ? t("kept.here", { at }) : t("kept.typing")}</span>;
}
