import { type ConversationState, newKey } from "@heartrule/sdk";
import {
  type KeyboardEvent,
  type SubmitEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useTranslation } from "react-i18next";
import { useDeed } from "../shell/asking.js";
import { deskClient } from "../shell/client.js";
import { usePrincipal } from "../shell/signing.js";
import { board } from "./board.js";
import { CannedPicker } from "./canned.js";
import { HandBack } from "./hand-back.js";
import type { Item, Opened } from "./shapes.js";

/** Milliseconds between two signs that something is being written. */
const SIGN = 3_000;
/** What was begun to be written in each session, for as long as the page lives. */
const drafts = new Map<string, string>();

interface Parts {
  id: string;
  item: Item;
  state: ConversationState;
  opened: Opened;
  onDone(): void;
}

/** Whose session it is, and what can be done about that: take it over, write, hand it back. */
export function Foot({ id, item, state, opened, onDone }: Parts) {
  const { t } = useTranslation("desk");
  const me = usePrincipal();
  const client = useMemo(() => deskClient(), []);
  const { busy, trouble, does } = useDeed();
  const [asking, setAsking] = useState<"takeover" | "hand-back" | "end" | null>(null);
  const [begins, setBegins] = useState(false);
  const over = state.status === "ended";
  const holder = holderOf(state, opened, me.name);
  const { colleagues } = useSyncExternalStore(board.subscribe, board.snapshot);
  const offDuty = holder?.me === true && colleagues.some((each) => each.me && !each.here);
  const quiet = opened.quiet && opened.last_message === (state.messages.at(-1)?.seq ?? 0);
  const stands = over
    ? t("talk.ended")
    : !holder
      ? t(quiet ? "talk.quiet" : "talk.program")
      : holder.me
        ? t("talk.mine")
        : t("talk.theirs", { name: holder.name });

  async function takeOver(): Promise<void> {
    const instead = holder && !holder.me ? (holder.id ?? undefined) : undefined;
    setBegins(await does(() => client.takeOver(id, "", newKey(), instead)));
    board.dismiss(id);
    setAsking(null);
    onDone();
  }

  return (
    <footer className="foot">
      <p className={`stands ${holder?.me ? "mine" : ""}`} role="status">
        {stands} {offDuty && !over ? t("talk.offDuty") : ""} {state.status === "offline" ? t("talk.offline") : ""}
      </p>
      <p className="line" role="alert">
        {trouble}
      </p>
      {!over &&
        (asking === "takeover" ? (
          <Confirm
            question={
              holder
                ? t("talk.relieveAsk", { name: holder.name, own: me.name })
                : t("talk.takeOverAsk", { name: me.name })
            }
            busy={busy}
            onYes={() => void takeOver()}
            onNo={() => setAsking(null)}
          />
        ) : holder?.me ? (
          <Composer
            id={id}
            locale={opened.locale}
            focused={begins}
            onDone={onDone}
            onHandBack={() => setAsking("hand-back")}
            onEnd={() => setAsking("end")}
          />
        ) : (
          <button
            type="button"
            className={holder ? "second" : "main"}
            disabled={busy}
            onClick={() => setAsking("takeover")}
          >
            {holder ? t("talk.relieve", { name: holder.name }) : t("talk.takeOver")}
          </button>
        ))}
      <HandBack
        key={asking}
        id={id}
        person={item.person}
        given={item.assigned?.to.me === true}
        then={asking === "end" ? "end" : opened.next}
        open={asking === "hand-back" || asking === "end"}
        onClose={(done) => {
          setAsking(null);
          if (done) onDone();
        }}
      />
    </footer>
  );
}

/** Who holds it: the session as it was last read knows whose it is, later turns know by which name. */
export function holderOf(
  { human }: Pick<ConversationState, "human">,
  { holder }: Pick<Opened, "holder">,
  own: string,
): { name: string; me: boolean; id: string | null } | null {
  if (!human) return null;
  if (holder && holder.since === human.since) return holder;
  return { name: human.name, me: human.name === own, id: null };
}

function Confirm({ question, busy, onYes, onNo }: { question: string; busy: boolean; onYes(): void; onNo(): void }) {
  const { t } = useTranslation("desk");
  const yes = useRef<HTMLButtonElement>(null);
  useEffect(() => yes.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has no question of its own
    <div
      className="confirm"
      role="group"
      aria-labelledby="question"
      onKeyDown={(event) => {
        if (event.key === "Escape") onNo();
      }}
    >
      <p id="question">{question}</p>
      <div className="acts">
        <button ref={yes} type="button" className="main" disabled={busy} onClick={onYes}>
          {t("talk.yes")}
        </button>
        <button type="button" className="second" onClick={onNo}>
          {t("talk.no")}
        </button>
      </div>
    </div>
  );
}

/** Whether nothing stands before the cursor in its line. */
function beginsLine({ value, selectionStart }: HTMLTextAreaElement): boolean {
  return selectionStart === 0 || value[selectionStart - 1] === "\n";
}

function Composer({
  id,
  locale,
  focused,
  onDone,
  onHandBack,
  onEnd,
}: {
  id: string;
  locale: string;
  focused: boolean;
  onDone(): void;
  onHandBack(): void;
  onEnd(): void;
}) {
  const { t } = useTranslation("desk");
  const client = useMemo(() => deskClient(), []);
  const { busy, trouble, does } = useDeed();
  const [text, setText] = useState(() => drafts.get(id) ?? "");
  const [picking, setPicking] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const signed = useRef(0);
  /** Of what is being sent, so that sending it again is no second time. */
  const key = useRef({ text: "", key: "" });

  useEffect(() => {
    if (focused) field.current?.focus();
  }, [focused]);

  function write(next: string): void {
    setText(next);
    drafts.set(id, next);
    if (next === "" || Date.now() - signed.current < SIGN) return;
    signed.current = Date.now();
    void client.typing(id, "");
  }

  async function send(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const said = text.trim();
    if (said === "" || busy) return;
    if (key.current.text !== said) key.current = { text: said, key: newKey() };
    if (await does(() => client.say(id, "", key.current.key, said))) {
      setText("");
      drafts.delete(id);
      signed.current = 0;
      key.current = { text: "", key: "" };
    }
    onDone();
    field.current?.focus();
  }

  function onKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === "/" && !event.nativeEvent.isComposing && beginsLine(event.currentTarget)) {
      event.preventDefault();
      setPicking(true);
      return;
    }
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }

  return (
    <form className="write" onSubmit={(event) => void send(event)}>
      <label className="hidden" htmlFor="words">
        {t("talk.write")}
      </label>
      <textarea
        id="words"
        ref={field}
        rows={3}
        maxLength={20000}
        placeholder={t("talk.write")}
        aria-describedby="keys"
        lang={locale}
        value={text}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKey}
      />
      {trouble && (
        <p className="line" role="alert">
          {trouble} {t("talk.unsent")}
        </p>
      )}
      <div className="acts">
        <button className="main" type="submit" disabled={busy || text.trim() === ""}>
          {busy ? t("talk.sending") : t("talk.send")}
        </button>
        <CannedPicker
          session={id}
          language={locale}
          open={picking}
          onOpen={setPicking}
          onPick={(words) => {
            write(text.trim() === "" ? words : `${text.trimEnd()}\n${words}`);
            setTimeout(() => field.current?.focus());
          }}
        />
        <button className="second leaving" type="button" onClick={onHandBack}>
          {t("talk.handBack")}
        </button>
        <button className="second ending" type="button" onClick={onEnd}>
          {t("talk.end")}
        </button>
        <span className="soft small" id="keys">
          {t("talk.keys")}
        </span>
      </div>
    </form>
  );
}
