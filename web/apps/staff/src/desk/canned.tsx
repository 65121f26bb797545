import { type SubmitEvent, useEffect, useState } from "react";
import {
  Autocomplete,
  Button,
  Dialog,
  DialogTrigger,
  Input,
  Menu,
  MenuItem,
  Popover,
  SearchField,
  useFilter,
} from "react-aria-components";
import { useTranslation } from "react-i18next";
import { ask } from "../shell/api.js";
import { useAsked, useDeed } from "../shell/asking.js";
import { LOCALES, locale } from "../shell/language.js";
import type { Canned, CannedList } from "./shapes.js";

const HOLES = ["counsellor", "service", "contact", "crisis_lines", "script"] as const;

/** Ready replies in the person's language, to put into what is being written, filled in for this session. Never sent:
 * whoever picks one reads it first. */
export function CannedPicker({
  session,
  language,
  open,
  onOpen,
  onPick,
}: {
  session: string;
  language: string;
  open: boolean;
  onOpen(open: boolean): void;
  onPick(words: string): void;
}) {
  const { t } = useTranslation("desk");
  const { found, again } = useAsked<CannedList>(`/desk/canned?session=${session}`);
  const { contains } = useFilter({ sensitivity: "base" });
  const all = (found?.canned ?? []).filter((each) => sameLanguage(each.locale, language));
  useEffect(() => {
    if (open) void again();
  }, [open, again]);
  return (
    <DialogTrigger isOpen={open} onOpenChange={onOpen}>
      <Button className="second">{t("talk.canned")}</Button>
      <Popover className="menu" placement="top start">
        <Dialog aria-label={t("talk.canned")}>
          {all.length === 0 ? (
            <p className="soft">{t("talk.cannedNone")}</p>
          ) : (
            <Autocomplete filter={contains}>
              <SearchField aria-label={t("talk.cannedSearch")} autoFocus>
                <Input placeholder={t("talk.cannedSearch")} />
              </SearchField>
              <Menu
                aria-label={t("talk.canned")}
                renderEmptyState={() => <p className="soft">{t("talk.cannedNoHit")}</p>}
                onAction={(id) => {
                  const picked = all.find((each) => each.id === id);
                  onOpen(false);
                  if (picked) onPick(picked.filled);
                }}
              >
                {all.map((each) => (
                  <MenuItem key={each.id} id={each.id} textValue={`${each.title} ${each.filled}`} className="menu-item">
                    <b>{each.title}</b>
                    <span className="soft" lang={each.locale}>
                      {each.filled}
                    </span>
                  </MenuItem>
                ))}
              </Menu>
            </Autocomplete>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function sameLanguage(one: string, other: string): boolean {
  return one.split("-")[0] === other.split("-")[0];
}

/** Where ready replies are made and changed. */
export function CannedPage() {
  const { t } = useTranslation("desk");
  const { found, again } = useAsked<CannedList>("/desk/canned");
  const [editing, setEditing] = useState<string | null>(null);
  const [made, setMade] = useState(0); // empties the form once something was made, never because a list came late
  const { busy, trouble, does } = useDeed();
  const holes = HOLES.map((hole) => `{${hole}} (${t(`canned.holes.${hole}`)})`).join(", ");
  const done = () => {
    setEditing(null);
    void again();
  };
  return (
    <div className="page wide stack scrolling">
      <h1>{t("canned.title")}</h1>
      <p className="soft">{t("canned.text", { holes })}</p>
      {found?.canned.length === 0 && <p>{t("canned.none")}</p>}
      <p className="line" role="alert">
        {trouble}
      </p>
      <ul className="rows">
        {(found?.canned ?? []).map((each) => (
          <li key={each.id}>
            {editing === each.id ? (
              <CannedForm canned={each} onDone={done} onCancel={() => setEditing(null)} />
            ) : (
              <>
                <div>
                  <b>{each.title}</b> <span className="tag">{each.shared ? t("canned.shared") : t("canned.own")}</span>
                  <p className="note-text" lang={each.locale}>
                    {each.text}
                  </p>
                </div>
                {each.mine && (
                  <div className="row-acts">
                    <button type="button" className="second" onClick={() => setEditing(each.id)}>
                      {t("canned.edit")}
                    </button>
                    <button
                      type="button"
                      className="second"
                      disabled={busy}
                      onClick={() => void does(() => ask(`/desk/canned/${each.id}`, { method: "DELETE" })).then(again)}
                    >
                      {t("canned.remove")}
                    </button>
                  </div>
                )}
              </>
            )}
          </li>
        ))}
      </ul>
      <section>
        <h2>{t("canned.add")}</h2>
        <CannedForm
          key={made}
          canned={null}
          onDone={() => {
            setMade(made + 1);
            done();
          }}
          onCancel={null}
        />
      </section>
    </div>
  );
}

function CannedForm({
  canned,
  onDone,
  onCancel,
}: {
  canned: Canned | null;
  onDone(): void;
  onCancel: (() => void) | null;
}) {
  const { t } = useTranslation(["desk", "shell"]);
  const { busy, trouble, does } = useDeed();
  const id = canned?.id ?? "new";

  async function save(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string) => String(given.get(name) ?? "").trim();
    const body = { title: text("title"), text: text("text"), locale: text("locale"), shared: given.has("shared") };
    const path = canned ? `/desk/canned/${canned.id}` : "/desk/canned";
    if (await does(() => ask(path, { method: canned ? "PUT" : "POST", body }))) onDone();
  }

  return (
    <form className="fields" onSubmit={(event) => void save(event)}>
      <label htmlFor={`title-${id}`}>{t("canned.name")}</label>
      <input id={`title-${id}`} name="title" maxLength={60} defaultValue={canned?.title} autoComplete="off" required />
      <label htmlFor={`text-${id}`}>{t("canned.words")}</label>
      <textarea id={`text-${id}`} name="text" rows={3} maxLength={2000} defaultValue={canned?.text} required />
      <label htmlFor={`locale-${id}`}>{t("canned.language")}</label>
      <select id={`locale-${id}`} name="locale" defaultValue={canned?.locale ?? locale()}>
        {LOCALES.map((each) => (
          <option key={each} value={each}>
            {each === "en" ? "English" : "中文"}
          </option>
        ))}
      </select>
      <label className="check">
        <input type="checkbox" name="shared" defaultChecked={canned?.shared ?? true} />
        {t("canned.shared")}
      </label>
      <div className="one-line">
        <button type="submit" className="main" disabled={busy}>
          {t("canned.save")}
        </button>
        {onCancel && (
          <button type="button" className="quiet" onClick={onCancel}>
            {t("shell:cancel")}
          </button>
        )}
      </div>
      <p className="line" role="alert">
        {trouble}
      </p>
    </form>
  );
}
