import { useId, useState } from "react";
import { Refusal } from "../../shell/api.js";
import { SideBySide } from "../code/sidebyside.js";
import { flushed } from "../panel/pausing.js";
import { useWords } from "../words/speaking.js";
import { Window } from "../words/window.js";
import { useHere, type ViewName } from "./context.js";

interface Conflict {
  path: string;
  text: string | null;
  version: number;
  author: string;
}

/** Save what has changed as a version with a note. What others saved meanwhile is shown beside one's own. */
export function SaveDialog({ close }: { close(): void; look(view: ViewName): void }) {
  const { opened, say } = useHere();
  const t = useWords();
  const id = useId();
  const [note, setNote] = useState("");
  const [busy, setBusy] = useState(false);
  const [conflicts, setConflicts] = useState<Conflict[]>([]);
  const changed = opened.book.changed;
  const save = async () => {
    flushed();
    setBusy(true);
    try {
      const version = await opened.save(note.trim());
      say(t("save.done", { number: version.number }));
      close();
    } catch (error) {
      if (error instanceof Refusal && error.code === "version-conflict")
        setConflicts((error.body.findings as Conflict[] | undefined) ?? []);
      else say(error instanceof Error && error.message ? error.message : t("save.failed"), true);
    } finally {
      setBusy(false);
    }
  };
  const [conflict] = conflicts;
  if (conflict)
    return (
      <Window title={t("save.conflict")} close={close} wide>
        <p>{t("save.conflictAbout", { author: conflict.author, file: conflict.path })}</p>
        <SideBySide
          before={conflict.text ?? ""}
          after={opened.book.text(conflict.path)}
          names={[t("save.theirs"), t("save.mine")]}
        />
        <div className="acts">
          <button
            type="button"
            className="main"
            onClick={() => {
              opened.over(conflicts.map(({ path, text, version }) => ({ path, text, version })));
              setConflicts([]);
            }}
          >
            {t("save.keepMine")}
          </button>
          <button
            type="button"
            className="second"
            onClick={() => {
              for (const { path, text } of conflicts) if (text !== null) opened.book.rewrite(path, text);
              opened.over(conflicts.map(({ path, text, version }) => ({ path, text, version })));
              setConflicts([]);
            }}
          >
            {t("save.takeTheirs")}
          </button>
        </div>
      </Window>
    );
  return (
    <Window title={t("save.title")} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <p className="soft">{t("save.files", { files: changed.join("、") })}</p>
        <label htmlFor={id}>{t("save.note")}</label>
        <input
          id={id}
          value={note}
          // biome-ignore lint/a11y/noAutofocus: it is what is asked first
          autoFocus
          maxLength={500}
          placeholder={t("save.noteExample")}
          onChange={(event) => setNote(event.target.value)}
        />
        <div className="acts">
          <button type="submit" className="main" disabled={busy || !changed.length}>
            {t("act.save")}
          </button>
          <button type="button" className="second" onClick={close}>
            {t("act.cancel")}
          </button>
        </div>
      </form>
    </Window>
  );
}
