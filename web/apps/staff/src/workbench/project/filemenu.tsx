import { useId, useState } from "react";
import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { flushed } from "../panel/pausing.js";
import { useWords } from "../words/speaking.js";
import { Window } from "../words/window.js";
import { useHere, useTry } from "./context.js";

type Doing = "new" | "rename" | "delete";

/** Files made, renamed and taken out; each is saved at once as a version of its own. */
export function FileMenu({ file }: { file: string | null }) {
  const t = useWords();
  const [doing, setDoing] = useState<Doing | null>(null);
  return (
    <>
      <MenuTrigger>
        <Button className="icon" aria-label={t("files.menu")}>
          ⋯
        </Button>
        <Popover className="popover" placement="bottom end">
          <Menu className="menu" onAction={(key) => setDoing(key as Doing)}>
            <MenuItem id="new" className="menu-item">
              {t("files.new")}
            </MenuItem>
            {file && (
              <MenuItem id="rename" className="menu-item">
                {t("files.rename", { file })}
              </MenuItem>
            )}
            {file && (
              <MenuItem id="delete" className="menu-item grave">
                {t("files.delete", { file })}
              </MenuItem>
            )}
          </Menu>
        </Popover>
      </MenuTrigger>
      {doing && <FileDialog doing={doing} file={file ?? ""} close={() => setDoing(null)} />}
    </>
  );
}

function FileDialog({ doing, file, close }: { doing: Doing; file: string; close(): void }) {
  const { opened, goTo } = useHere();
  const t = useWords();
  const attempt = useTry();
  const id = useId();
  const [name, setName] = useState(doing === "rename" ? file : "");
  const path = doing === "new" && name && !/\.\w+$/.test(name) ? `${name}.yaml` : name;
  const act = async () => {
    flushed();
    const done = await attempt(async () => {
      if (doing === "new") {
        opened.book.open(path, null, "");
        goTo(path);
      } else if (doing === "rename") {
        await opened.rename(file, path, t("files.renamed", { file, path }));
        goTo(path);
      } else await opened.remove(file, t("files.deleted", { file }));
    });
    if (done) close();
  };
  const taken = doing !== "delete" && opened.book.has(path);
  return (
    <Window title={doing === "new" ? t("files.new") : t(`files.${doing}`, { file })} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void act();
        }}
      >
        {doing === "delete" ? (
          <p>{t("files.deleteAbout")}</p>
        ) : (
          <>
            <label htmlFor={id}>{t("files.name")}</label>
            {/* biome-ignore lint/a11y/noAutofocus: it is the only thing that is asked */}
            <input id={id} required autoFocus value={name} onChange={(event) => setName(event.target.value.trim())} />
            {taken && <small role="alert">{t("files.taken")}</small>}
          </>
        )}
        <div className="acts">
          <button type="submit" className="main" disabled={taken || (doing !== "delete" && !name)}>
            {t(doing === "delete" ? "act.delete" : "act.ok")}
          </button>
          <button type="button" className="second" onClick={close}>
            {t("act.cancel")}
          </button>
        </div>
      </form>
    </Window>
  );
}
