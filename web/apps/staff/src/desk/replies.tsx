import type { Judged, OpenedReply, ReviewQueue, Verdict, WaitingReply } from "@heartrule/sdk";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { ask, send } from "../shell/api.js";
import { useAsked, useDeed } from "../shell/asking.js";
import { usePrincipal } from "../shell/signing.js";
import { clock, since, useNow } from "../shell/times.js";

const VERDICTS: readonly Verdict[] = ["fitting", "unsuitable", "harmful"];
const CATEGORIES = ["not_heard", "hurtful", "wrong", "unsafe", "other"] as const;
/** Characters that the server takes. */
const LONGEST = 2_000;
const LOOK = 20_000;

/** Replies that are to be judged: those that were reported first. */
export function Replies({ session, message }: { session: string | undefined; message: string | undefined }) {
  const { t } = useTranslation("desk");
  const { found, failed, again } = useAsked<ReviewQueue>("/desk/reviews");
  const now = useNow();
  const open = session && message ? { session, message: Number(message) } : null;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && void again(), LOOK);
    return () => clearInterval(timer);
  }, [again]);
  const isOpen = (each: WaitingReply) => each.session === open?.session && each.message === open.message;
  const next = found?.replies.find((each) => !isOpen(each)) ?? null;
  return (
    <div className={`split ${open ? "one" : "all"}`}>
      <section className="list" aria-label={t("replies.title")}>
        <h2>{t("replies.title")}</h2>
        <p className="line" role="status">
          {failed ? t("list.failed") : found?.replies.length === 0 ? t("replies.none") : ""}
        </p>
        <ul className="items">
          {(found?.replies ?? []).map((each) => (
            <li key={each.session + each.message}>
              <Link
                href={`/replies/${each.session}/${each.message}`}
                className={`item ${each.cause === "reported" ? "urgent" : ""}`}
                aria-current={isOpen(each) ? "true" : undefined}
              >
                <span className="item-head" lang={each.locale}>
                  <b>{each.name}</b>
                </span>
                <span className="tags">
                  <span className={`tag ${each.cause === "reported" ? "urgent" : ""}`}>
                    {t(each.cause === "reported" ? "replies.reported" : "replies.sampled")}
                  </span>
                  {each.reason && <span className="tag">{t(`replies.categories.${each.reason}`)}</span>}
                </span>
                <span className="soft">{t("replies.ago", { age: since(each.reported_at ?? each.at, now) })}</span>
              </Link>
            </li>
          ))}
        </ul>
        <p className="soft small">
          {found && found.share > 0
            ? t("replies.sample", { share: Math.round(found.share * 1000) / 10 })
            : t("replies.noSample")}
        </p>
        <p className="soft small">{t("replies.recorded")}</p>
      </section>
      {open ? (
        <Reply key={`${open.session}.${open.message}`} {...open} next={next} onJudged={again} />
      ) : (
        <section className="empty">
          <h1 className="hidden">{t("replies.title")}</h1>
          <p className="soft">{t("replies.choose")}</p>
        </section>
      )}
    </div>
  );
}

function Reply({
  session,
  message,
  next,
  onJudged,
}: {
  session: string;
  message: number;
  next: WaitingReply | null;
  onJudged(): Promise<void>;
}) {
  const { t } = useTranslation("desk");
  const { roles } = usePrincipal();
  const { found, failed } = useAsked<OpenedReply>(`/desk/sessions/${session}/reviews/${message}`);
  const log = useRef<HTMLElement>(null);
  useEffect(() => {
    if (found) log.current?.querySelector(".current")?.scrollIntoView({ block: "center" });
  }, [found]);
  const back = (
    <Link href="/replies" className="quiet back">
      <span aria-hidden="true">‹</span>
      <span className="hidden">{t("talk.back")}</span>
    </Link>
  );
  if (!found)
    return (
      <section className="session">
        <header className="session-head">{back}</header>
        <p className="page" role="status">
          {failed ? t("replies.failed") : t("talk.opening")}
        </p>
      </section>
    );
  return (
    <section className="session alone" aria-label={t("replies.judgeOne")}>
      <header className="session-head">
        {back}
        <h1 lang={found.locale}>{found.name}</h1>
        {roles.includes("counsellor") && (
          <Link href={`/s/${found.session}?m=${found.message}`}>{t("replies.whole")}</Link>
        )}
      </header>
      <div className="talk">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
        <section ref={log} className="log" tabIndex={0} aria-label={t("talk.transcript")}>
          {found.context.map((each) => (
            <article key={each.seq} className={`spoken ${each.sender} ${each.seq === found.message ? "current" : ""}`}>
              {each.seq === found.message && <p className="tag own">{t("replies.this")}</p>}
              <p className="who">
                {each.name ? `${each.name} · ` : ""}
                {t(`talk.${each.sender}`)} <time dateTime={each.at}>{clock(each.at)}</time>
              </p>
              <p className="words" dir="auto" lang={found.locale}>
                {each.recalled ? t("talk.takenBack") : each.content}
              </p>
            </article>
          ))}
          <p className="soft">{t("replies.covered")}</p>
        </section>
        <footer className="foot">
          {found.report && (
            <div className="passed">
              <p>
                <b>{t("replies.reason", { reason: t(`replies.categories.${found.report.reason}`) })}</b>
              </p>
              {found.report.text && (
                <p dir="auto" lang={found.locale}>
                  {found.report.text}
                </p>
              )}
            </div>
          )}
          <Judge opened={found} next={next} onJudged={onJudged} />
        </footer>
      </div>
    </section>
  );
}

function Judge({
  opened,
  next,
  onJudged,
}: {
  opened: OpenedReply;
  next: WaitingReply | null;
  onJudged(): Promise<void>;
}) {
  const { t } = useTranslation("desk");
  const { busy, trouble, does } = useDeed();
  const [verdict, setVerdict] = useState<Verdict | null>(opened.review?.verdict ?? null);
  const [saved, setSaved] = useState(false);
  const { review, session, message } = opened;
  const wrong = verdict !== null && verdict !== "fitting";

  async function judge(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const body: Judged = {
      verdict: verdict as Verdict,
      category: (String(given.get("category") ?? "") || null) as Judged["category"],
      note: String(given.get("note") ?? "").trim() || null,
    };
    const done = await does(() => ask(`/desk/sessions/${session}/reviews/${message}`, { method: "PUT", body }));
    setSaved(done);
    if (done) await onJudged();
  }

  return (
    <>
      <form className="judge" onSubmit={(event) => void judge(event)}>
        <fieldset>
          <legend>{t("replies.verdict")}</legend>
          <div className="one-line">
            {VERDICTS.map((each) => (
              <label key={each} className="check">
                <input
                  type="radio"
                  name="verdict"
                  value={each}
                  required
                  checked={each === verdict}
                  onChange={() => {
                    setVerdict(each);
                    setSaved(false);
                  }}
                />
                {t(`replies.verdicts.${each}`)}
              </label>
            ))}
          </div>
        </fieldset>
        {wrong && (
          <label className="one-line">
            {t("replies.category")}
            <select name="category" defaultValue={review?.category ?? ""}>
              <option value="">{t("replies.noCategory")}</option>
              {CATEGORIES.map((each) => (
                <option key={each} value={each}>
                  {t(`replies.categories.${each}`)}
                </option>
              ))}
            </select>
          </label>
        )}
        <label htmlFor="judge-note">{t("replies.note")}</label>
        <textarea id="judge-note" name="note" rows={2} maxLength={LONGEST} defaultValue={review?.note ?? ""} />
        <div className="acts">
          <button type="submit" className={saved ? "second" : "main"} disabled={busy}>
            {t("replies.save")}
          </button>
          {saved && next && (
            <Link className="main" href={`/replies/${next.session}/${next.message}`}>
              {t("replies.next")}
            </Link>
          )}
          {wrong && <TestDownload session={session} message={message} />}
        </div>
      </form>
      <p role="status">{saved ? t("replies.saved") : review ? t("replies.judgedBy", { name: review.by }) : ""}</p>
      <p className="line" role="alert">
        {trouble}
      </p>
    </>
  );
}

/** A reply that was wrong, as a test that an author can take into the project. */
function TestDownload({ session, message }: { session: string; message: number }) {
  const { t } = useTranslation("desk");
  const { busy, trouble, does } = useDeed();
  const load = () =>
    does(async () => {
      const answer = await send(`/desk/sessions/${session}/reviews/${message}/test`, {
        headers: { Accept: "application/yaml" },
      });
      const named = /filename="?([^";]+)"?/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1];
      const address = URL.createObjectURL(await answer.blob());
      const link = document.createElement("a");
      link.href = address;
      link.download = named ?? `reply-${message}.yaml`;
      link.click();
      URL.revokeObjectURL(address);
    });
  return (
    <>
      <button
        type="button"
        className="second"
        title={t("replies.testText")}
        disabled={busy}
        onClick={() => void load()}
      >
        {t("replies.test")}
      </button>
      {trouble && (
        <span className="line" role="alert">
          {t("replies.testFailed")} {trouble}
        </span>
      )}
    </>
  );
}
