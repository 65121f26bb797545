import type { ConversationState } from "@heartrule/sdk";
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "wouter";
import { ask } from "../shell/api.js";
import { useAsked } from "../shell/asking.js";
import { moment } from "../shell/times.js";
import { board } from "./board.js";
import { Calls } from "./calls.js";
import { useConversation, useSettled } from "./following.js";
import { Foot } from "./foot.js";
import { Handling } from "./handling.js";
import { Standing } from "./list.js";
import { Log } from "./log.js";
import { inDanger } from "./order.js";
import { PersonName } from "./people.js";
import type { Item, Opened, Picture } from "./shapes.js";
import { Side } from "./side.js";

/** Milliseconds after which the picture is read again when something has happened. */
const SETTLE = 700;

/** One session: what was said, live, what is known of the person, and what a counsellor can do. */
export function Session({ id }: { id: string }) {
  const { t } = useTranslation("desk");
  const { state, conversation } = useConversation(id);
  const [view, setView] = useState<"talk" | "side">("talk");
  const [jump, setJump] = useJump();
  const { items } = useSyncExternalStore(board.subscribe, board.snapshot);
  const opened = (state?.session as Opened | null | undefined) ?? null;
  const picture = useAsked<Picture>(`/desk/sessions/${id}/picture`);
  const item = items.get(id) ?? opened?.item ?? null;
  const refresh = useCallback(() => conversation?.retry(), [conversation]);
  const settled = useSettled(() => void picture.again(), SETTLE);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what has happened is why it is read again
  useEffect(settled, [state?.messages.length, state?.position, state?.human?.since, state?.status === "ended"]);
  useSeen(id, state);
  useWhose(state, opened, refresh);
  const show = useCallback(
    (message: number) => {
      setView("talk");
      setJump(message);
    },
    [setJump],
  );

  const back = (
    <Link href="/" className="quiet back">
      <span aria-hidden="true">‹</span>
      <span className="hidden">{t("talk.back")}</span>
    </Link>
  );
  if (!state || !opened || !item)
    return (
      <section className="session">
        <header className="session-head">{back}</header>
        <p className="page soft" role="status">
          {state?.status === "failed" ? t("talk.failed") : t("talk.opening")}
        </p>
      </section>
    );
  return (
    <section className="session" data-view={view} aria-label={`${item.person.key} ${opened.name}`}>
      <header className="session-head">
        {back}
        <h1>
          <PersonName person={item.person} />{" "}
          <span className="script" lang={opened.locale}>
            {opened.name}
          </span>
        </h1>
        <Standing item={item} />
        <Handling item={item} onChanged={refresh} />
        <fieldset className="views">
          <legend className="hidden">{t("talk.views")}</legend>
          {(["talk", "side"] as const).map((each) => (
            <button
              key={each}
              type="button"
              className="filter"
              aria-pressed={each === view}
              onClick={() => setView(each)}
            >
              {t(`talk.${each}`)}
            </button>
          ))}
        </fieldset>
      </header>
      <div className="talk">
        <Calls calls={opened.escalations} picture={picture.found} danger={inDanger(item)} onDone={refresh} />
        <Passed item={item} />
        <Log
          state={state}
          locale={opened.locale}
          unread={opened.item.unread}
          triggers={picture.found?.triggers ?? []}
          jump={jump}
          mine={item.holder?.me === true}
          onJumped={() => setJump(null)}
          onEarlier={() => conversation?.earlier() ?? Promise.resolve()}
        />
        <Foot id={id} item={item} state={state} opened={opened} onDone={refresh} />
      </div>
      <Side id={id} item={item} picture={picture} step={stepOf(state)} onShow={show} />
    </section>
  );
}

/** The message to be shown, which the address may name. */
function useJump(): [number | null, (message: number | null) => void] {
  const [query] = useSearchParams();
  const named = Number(query.get("m")) || null;
  const [jump, setJump] = useState(named);
  useEffect(() => setJump(named), [named]);
  return [jump, setJump];
}

/** Tells how far it was read, while the page is being looked at. */
function useSeen(id: string, state: ConversationState | null): void {
  const last = state?.messages.at(-1)?.seq ?? 0;
  useEffect(() => {
    if (last === 0) return;
    const tell = () => {
      if (document.visibilityState !== "visible") return;
      document.removeEventListener("visibilitychange", tell);
      ask(`/desk/sessions/${id}/seen`, { method: "POST", body: { message: last } }).catch(() => {});
    };
    document.addEventListener("visibilitychange", tell);
    tell();
    return () => document.removeEventListener("visibilitychange", tell);
  }, [id, last]);
}

/** Turns know by which name it is held; whose it is, only the session itself tells. */
function useWhose(state: ConversationState | null, opened: Opened | null, refresh: () => void): void {
  const human = state?.human?.since ?? null;
  const known = opened?.holder?.since ?? null;
  useEffect(() => {
    if (human !== known) refresh();
  }, [human, known, refresh]);
}

/** Where the session stands, as far as forms may have come since. */
function stepOf({ position, status }: ConversationState): string {
  return [position?.topic?.id, position?.action?.id, position?.action?.index, status === "ended"].join(" ");
}

/** What colleagues have to say with it. */
function Passed({ item }: { item: Item }) {
  const { t } = useTranslation("desk");
  const { assigned, handover } = item;
  if (!assigned?.note && !handover) return null;
  return (
    <div className="passed">
      {assigned?.note && (
        <p>
          <b>
            {assigned.to.me
              ? t("item.assignedToMe", { by: assigned.by })
              : t("item.assignedTo", { name: assigned.to.name })}
          </b>{" "}
          <span className="soft">{moment(assigned.at)}</span>
          <br />
          {assigned.note}
        </p>
      )}
      {handover && (
        <p>
          <b>{t("item.handover")}</b>{" "}
          <span className="soft">{t("assigning.by", { by: handover.by, at: moment(handover.at) })}</span>
          <br />
          {handover.note}
        </p>
      )}
    </div>
  );
}
