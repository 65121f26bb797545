import { useId, useState } from "react";
import { Refusal } from "../../shell/api.js";
import { flushed } from "../panel/pausing.js";
import { Conflicts } from "../together/conflicts.js";
import { useTogether } from "../together/context.js";
import type { Merged } from "../together/shapes.js";
import { useWords } from "../words/speaking.js";
import { Window } from "../words/window.js";
import { useHere, useTry, type ViewName } from "./context.js";

/** Save what has changed as a version with a note. What others saved meanwhile is shown beside one's own. */
export function SaveDialog({ close }: { close(): void; look(view: ViewName): void }) {
  const { opened, say } = useHere();
  const { company } = useTogether();
  const t = useWords();
  const attempt = useTry();
  const id = useId();
  const [note, setNote] = useState("");
  const [busy, setBusy] = useState(false);
  const [merged, setMerged] = useState<Merged | null>(null);
  const changed = opened.book.changed;
  const save = async () => {
    flushed();
    setBusy(true);
    try {
      const version = await saved();
      if (!version) return;
      company.meet([]);
      say(t("save.done", { number: version.number }));
      close();
    } catch (error) {
      say(error instanceof Error && error.message ? error.message : t("save.failed"), true);
    } finally {
      setBusy(false);
    }
  };
  /** Null where there is something to decide first. */
  const saved = async () => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await opened.save(note.trim());
      } catch (error) {
        if (tries === 3 || !(error instanceof Refusal) || error.code !== "version-conflict") throw error;
        const found = await opened.catchUp(opened.unsaved());
        if (found.conflicts.length) {
          setMerged(found);
          company.meet(found.conflicts);
          return null;
        }
        say(t("save.merged", { author: found.author }));
      }
    }
  };
  if (merged)
    return (
      <Conflicts
        merged={merged}
        close={close}
        choose={(take) =>
          attempt(async () => {
            await opened.catchUp(opened.unsaved(), take, true);
            setMerged(null);
            company.meet([]);
          })
        }
      />
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
