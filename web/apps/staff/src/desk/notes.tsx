import { type SubmitEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../shell/api.js";
import { useAsked, useDeed } from "../shell/asking.js";
import { moment } from "../shell/times.js";
import { board } from "./board.js";
import type { Item, Note, NoteList } from "./shapes.js";

const LONGEST_TAG = 30;

/** What counsellors write for each other, and tags. */
export function Notes({ id, item }: { id: string; item: Item }) {
  const { t } = useTranslation("desk");
  const { found, again } = useAsked<NoteList>(`/desk/sessions/${id}/notes`);
  const { busy, trouble, does } = useDeed();
  const [text, setText] = useState("");

  async function add(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const said = text.trim();
    if (said === "") return;
    if (await does(() => ask(`/desk/sessions/${id}/notes`, { method: "POST", body: { text: said } }))) setText("");
    await again();
  }

  return (
    <div className="stack">
      <Tags item={item} />
      <section>
        <h2>{t("notes.title")}</h2>
        <p className="soft">{t("notes.text")}</p>
        <form className="fields" onSubmit={(event) => void add(event)}>
          <label htmlFor="note">{t("notes.write")}</label>
          <textarea
            id="note"
            rows={3}
            maxLength={4000}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <div>
            <button type="submit" className="second" disabled={busy || text.trim() === ""}>
              {t("notes.add")}
            </button>
          </div>
        </form>
        <p className="line" role="alert">
          {trouble}
        </p>
        {found?.notes.length === 0 && <p className="soft">{t("notes.none")}</p>}
        <ul className="rows">
          {[...(found?.notes ?? [])].reverse().map((note) => (
            <OneNote key={note.id} note={note} onChanged={again} />
          ))}
        </ul>
      </section>
      {found && found.earlier.length > 0 && (
        <section>
          <h2>{t("notes.earlier")}</h2>
          <ul className="rows">
            {found.earlier.map((note) => (
              <OneNote key={note.id} note={note} onChanged={again} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function OneNote({ note, onChanged }: { note: Note; onChanged(): Promise<void> }) {
  const { t } = useTranslation(["desk", "shell"]);
  const { busy, trouble, does } = useDeed();
  const [editing, setEditing] = useState(false);
  const path = `/desk/sessions/${note.session}/notes/${note.id}`;

  async function save(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("text") ?? "").trim();
    if (await does(() => ask(path, { method: "PUT", body: { text } }))) setEditing(false);
    await onChanged();
  }

  return (
    <li>
      <div>
        {editing ? (
          <form className="fields" onSubmit={(event) => void save(event)}>
            <label className="hidden" htmlFor={`note-${note.id}`}>
              {t("notes.edit")}
            </label>
            <textarea id={`note-${note.id}`} name="text" rows={3} maxLength={4000} defaultValue={note.text} required />
            <div className="one-line">
              <button type="submit" className="second" disabled={busy}>
                {t("shell:save")}
              </button>
              <button type="button" className="quiet" onClick={() => setEditing(false)}>
                {t("shell:cancel")}
              </button>
            </div>
          </form>
        ) : (
          <p className="note-text">{note.text}</p>
        )}
        <p className="soft">
          {note.by.name} · {moment(note.at)} {note.edited_at && t("notes.edited")}
        </p>
        <p className="line" role="alert">
          {trouble}
        </p>
      </div>
      {note.by.me && !editing && (
        <div className="row-acts">
          <button type="button" className="link" onClick={() => setEditing(true)}>
            {t("notes.edit")}
          </button>
          <button
            type="button"
            className="link"
            disabled={busy}
            onClick={() => void does(() => ask(path, { method: "DELETE" })).then(onChanged)}
          >
            {t("notes.remove")}
          </button>
        </div>
      )}
    </li>
  );
}

function Tags({ item }: { item: Item }) {
  const { t } = useTranslation("desk");
  const { found } = useAsked<{ tags: string[] }>("/desk/tags");
  const { busy, trouble, does } = useDeed();
  const put = (tags: string[]) =>
    does(async () => board.put(await ask<Item>(`/desk/sessions/${item.id}/tags`, { method: "PUT", body: { tags } })));

  async function add(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const tag = String(new FormData(form).get("tag") ?? "").trim();
    if (tag === "" || item.tags.includes(tag)) return;
    if (await put([...item.tags, tag])) form.reset();
  }

  return (
    <section>
      <h2>{t("notes.tags")}</h2>
      <ul className="tags">
        {item.tags.map((tag) => (
          <li key={tag} className="tag plain">
            {tag}{" "}
            <button
              type="button"
              className="link"
              aria-label={t("notes.removeTag", { tag })}
              disabled={busy}
              onClick={() => void put(item.tags.filter((each) => each !== tag))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <form className="one-line" onSubmit={(event) => void add(event)}>
        <label className="hidden" htmlFor="tag">
          {t("notes.addTag")}
        </label>
        <input
          id="tag"
          name="tag"
          list="tags"
          maxLength={LONGEST_TAG}
          placeholder={t("notes.addTag")}
          autoComplete="off"
        />
        <datalist id="tags">
          {(found?.tags ?? []).map((tag) => (
            <option key={tag} value={tag} />
          ))}
        </datalist>
        <button type="submit" className="second" disabled={busy}>
          {t("notes.add1")}
        </button>
      </form>
      <p className="line" role="alert">
        {trouble}
      </p>
    </section>
  );
}
