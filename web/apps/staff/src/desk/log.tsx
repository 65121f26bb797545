import type { ConversationState, Message } from "@heartrule/sdk";
import { Fragment, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { clock, day } from "../shell/times.js";
import { marked } from "./marking.js";
import { useTitleOf } from "./people.js";
import type { Trigger } from "./shapes.js";

/** Pixels from the end at which a reader is still there. */
const NEAR = 80;

/** What was said, by days, with the words that were found dangerous. */
export function Log({
  state,
  locale,
  unread,
  triggers,
  jump,
  mine,
  onJumped,
  onEarlier,
}: {
  state: ConversationState;
  /** Who looks is who writes. */
  mine: boolean;
  locale: string;
  /** How many of the person's messages were new when it was opened. */
  unread: number;
  triggers: readonly Trigger[];
  jump: number | null;
  onJumped(): void;
  onEarlier(): Promise<void>;
}) {
  const { t } = useTranslation("desk");
  const log = useRef<HTMLElement>(null);
  const atEnd = useRef(true);
  const top = useRef(0);
  const { messages, growing } = state;
  const firstNew = useFirstNew(messages, unread);
  const by = useMemo(() => {
    const found = new Map<number, Trigger[]>();
    for (const each of triggers)
      if (each.message !== null) found.set(each.message, [...(found.get(each.message) ?? []), each]);
    return found;
  }, [triggers]);
  const shownJump = useJumped(log, atEnd, state, jump, onJumped, onEarlier);
  const toEnd = useCallback(() => {
    if (!log.current || !atEnd.current) return;
    log.current.scrollTop = log.current.scrollHeight;
    top.current = log.current.scrollTop;
  }, []);

  // Whatever is drawn in it, or grows above it and below, who reads at the end stays there.
  useLayoutEffect(toEnd);
  useEffect(() => {
    const watched = new ResizeObserver(toEnd);
    if (log.current) watched.observe(log.current);
    return () => watched.disconnect();
  }, [toEnd]);

  return (
    <section
      ref={log}
      className="log"
      role="log"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
      tabIndex={0}
      aria-label={t("talk.transcript")}
      onScroll={({ currentTarget }) => {
        // Only who scrolls up leaves the end. The browser may tell of an earlier scroll when the box beneath has grown since.
        if (isAtEnd(currentTarget)) atEnd.current = true;
        else if (currentTarget.scrollTop < top.current - 1) atEnd.current = false;
        top.current = currentTarget.scrollTop;
      }}
    >
      {state.more && (
        <p>
          <button type="button" className="second" onClick={() => void onEarlier()}>
            {t("talk.earlier")}
          </button>
        </p>
      )}
      {messages.map((message, at) => {
        const date = day(message.at);
        const before = messages[at - 1];
        return (
          <Fragment key={message.seq}>
            {(!before || day(before.at) !== date) && <p className="date">{date}</p>}
            {message.seq === firstNew && <p className="new-from">{t("talk.unread")}</p>}
            <Spoken
              message={message}
              locale={locale}
              triggers={by.get(message.seq) ?? []}
              current={message.seq === shownJump}
            />
          </Fragment>
        );
      })}
      {growing.map(({ seq, content }) => (
        <article key={seq} className="spoken ai">
          <p className="who">{t("talk.ai")}</p>
          <p className="words" lang={locale}>
            {content}
          </p>
        </article>
      ))}
      {state.typing && state.human && !mine ? (
        <p className="soft">{t("talk.typing", { name: state.human.name })}…</p>
      ) : (
        state.reply === "coming" && growing.length === 0 && !state.human && <p className="soft">{t("talk.coming")}…</p>
      )}
    </section>
  );
}

function isAtEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight < NEAR;
}

/** The number of the first message that was new when the session was opened. */
function useFirstNew(messages: readonly Message[], unread: number): number | null {
  const [first, setFirst] = useState<number | null>(null);
  const done = useRef(false);
  useEffect(() => {
    if (done.current || messages.length === 0) return;
    done.current = true;
    const theirs = messages.filter(({ sender }) => sender === "person");
    const before = theirs.length - unread;
    // Where all of it is new, a line above everything tells nothing.
    if (unread > 0 && before > 0) setFirst(theirs[before]?.seq ?? null);
  }, [messages, unread]);
  return first;
}

/** Scrolls to a message, reading earlier ones until it is there. */
function useJumped(
  log: { current: HTMLElement | null },
  atEnd: { current: boolean },
  state: ConversationState,
  jump: number | null,
  onJumped: () => void,
  onEarlier: () => Promise<void>,
): number | null {
  const [shown, setShown] = useState<number | null>(null);
  const { messages, more } = state;
  useEffect(() => {
    if (jump === null || messages.length === 0) return;
    if (messages.some(({ seq }) => seq === jump)) {
      setShown(jump);
      onJumped();
    } else if (more && jump < (messages[0]?.seq ?? 0)) void onEarlier();
    else onJumped();
  }, [jump, messages, more, onJumped, onEarlier]);
  useEffect(() => {
    if (shown === null) return;
    const found = log.current?.querySelector<HTMLElement>(`[data-seq="${shown}"]`);
    found?.scrollIntoView({ block: "center" });
    if (log.current) atEnd.current = isAtEnd(log.current);
    found?.focus({ preventScroll: true });
  }, [shown, log, atEnd]);
  return shown;
}

function Spoken({
  message,
  locale,
  triggers,
  current,
}: {
  message: Message;
  locale: string;
  triggers: readonly Trigger[];
  current: boolean;
}) {
  const { t } = useTranslation("desk");
  const titleOf = useTitleOf();
  const { sender, name, content, at, recalled, media = [] } = message;
  const who = sender === "human" && name ? `${name} · ${t("talk.human")}` : t(`talk.${sender}`);
  return (
    <article
      className={`spoken ${sender} ${current ? "current" : ""} ${triggers.length > 0 ? "found" : ""}`}
      data-seq={message.seq}
      tabIndex={-1}
    >
      <p className="who">
        {who} <time dateTime={at}>{clock(at)}</time>
      </p>
      {recalled ? (
        <p className="words soft">{t("talk.takenBack")}</p>
      ) : (
        <p className="words" dir="auto" lang={locale}>
          {marked(content, triggers).map(({ text, of }, part) =>
            of[0] ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces stand where they stand
              <mark key={part} className={of[0].level}>
                {text}
              </mark>
            ) : (
              text
            ),
          )}
        </p>
      )}
      {triggers.length > 0 && (
        <p className="trigger">
          {t("talk.trigger", {
            what: [...new Set(triggers.map((each) => `${titleOf(each)} (${t(`picture.levels.${each.level}`)})`))].join(
              "; ",
            ),
          })}
        </p>
      )}
      {media.map(({ kind, alt, caption, transcript }) => (
        <p key={`${kind}${alt}${caption}`} className="soft">
          [{t(`talk.media.${kind}`)}] {alt || caption || transcript}
        </p>
      ))}
    </article>
  );
}
