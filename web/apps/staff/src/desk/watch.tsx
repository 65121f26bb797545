import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { ask } from "../shell/api.js";
import { usePrincipal } from "../shell/signing.js";
import { countInTitle } from "../shell/title.js";
import { board, type Call } from "./board.js";
import "./desk.css";
import { notices } from "./notices.js";
import { OffDuty } from "./off-duty.js";
import { inDanger, inMyHands, wanted } from "./order.js";
import { nameOf } from "./people.js";
import type { OnDuty } from "./shapes.js";
import { sound } from "./sound.js";
import * as waking from "./waking.js";
import "./words.js";

/** Milliseconds between two times that it is said; the server forgets it after 90 seconds. */
const SIGN = 30_000;
/** Milliseconds after which a call that nobody has taken rings again. */
const RING = 30_000;

/** What a counsellor has at hand in every section: whether they are on duty, sound, and what has just come. */
export default function Watch() {
  const { id } = usePrincipal();
  const { items, calls } = useSyncExternalStore(board.subscribe, board.snapshot);
  const [here, setHere] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: somebody else has another list
  useEffect(() => {
    board.start();
    return () => board.stop();
  }, [id]);
  useEffect(() => {
    countInTitle(wanted(items.values()));
    return () => countInTitle(0);
  }, [items]);
  useAlerts(here);
  return (
    <>
      <Duty here={here} onHere={setHere} />
      <SoundSwitch />
      {here && <NoticeSwitch />}
      <Calls calls={calls} />
    </>
  );
}

/** Whether who is signed in is there for people who ask for a human: to be signed in alone says nothing of that. */
function Duty({ here, onHere }: { here: boolean; onHere(here: boolean): void }) {
  const { t } = useTranslation("desk");
  const { items, colleagues } = useSyncExternalStore(board.subscribe, board.snapshot);
  const [failed, setFailed] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [minutes, setMinutes] = useState(0);
  const held = [...items.values()].filter(inMyHands);
  const say = useCallback(
    async (next: boolean) => {
      onHere(next);
      try {
        const said = await ask<{ here: boolean }>("/desk/me/here", { method: "PUT", body: { here: next } });
        onHere(said.here);
        setFailed(false);
      } catch {
        // Nobody may think that they stand by where nobody knows of it.
        setFailed(next);
        onHere(false);
      }
    },
    [onHere],
  );
  useEffect(() => {
    ask<OnDuty>("/desk/me").then(
      (me) => {
        onHere(me.here);
        setMinutes(me.absent_minutes);
      },
      () => {},
    );
  }, [onHere]);
  useEffect(() => {
    if (!here) return;
    const timer = setInterval(() => void say(true), SIGN);
    return () => clearInterval(timer);
  }, [here, say]);
  return (
    <>
      <label className={`switch ${here ? "is-on" : ""}`} title={t("duty.help")}>
        <input
          type="checkbox"
          role="switch"
          checked={here}
          aria-checked={here}
          onChange={({ target: { checked } }) => (checked || held.length === 0 ? void say(checked) : setLeaving(true))}
        />
        {here ? t("duty.on") : t("duty.off")}
      </label>
      {failed && (
        <span role="alert" className="line">
          {t("duty.failed")}
        </span>
      )}
      {leaving && (
        <OffDuty
          held={held}
          colleagues={colleagues}
          minutes={minutes}
          onStay={() => setLeaving(false)}
          onLeave={() => {
            setLeaving(false);
            void say(false);
          }}
        />
      )}
    </>
  );
}

function SoundSwitch() {
  const { t } = useTranslation("desk");
  const [, again] = useState(0);
  useEffect(() => {
    const look = () => again((before) => before + 1);
    const allow = () => sound.allow();
    sound.addEventListener("change", look);
    addEventListener("pointerdown", allow);
    addEventListener("keydown", allow);
    return () => {
      sound.removeEventListener("change", look);
      removeEventListener("pointerdown", allow);
      removeEventListener("keydown", allow);
    };
  }, []);
  const { on, blocked } = sound;
  return (
    <button
      type="button"
      className={`quiet ${blocked ? "warned" : ""}`}
      aria-pressed={on}
      onClick={() => {
        if (blocked) sound.allow();
        else sound.on = !on;
      }}
    >
      {blocked ? t("sound.blocked") : on ? t("sound.on") : t("sound.off")}
    </button>
  );
}

function NoticeSwitch() {
  const { t } = useTranslation("desk");
  const [state, setState] = useState(notices.state);
  if (state === "granted") return <WakingSwitch />;
  if (state !== "ask") return null;
  return (
    <button type="button" className="quiet" onClick={() => void notices.ask().then(() => setState(notices.state))}>
      {t("notice.allow")}
    </button>
  );
}

function WakingSwitch() {
  const { t } = useTranslation("desk");
  const [state, setState] = useState<waking.State>("none");
  const [failed, setFailed] = useState(false);
  const set = useCallback((becoming: Promise<waking.State>) => {
    becoming.then(
      (next) => {
        setState(next);
        setFailed(false);
      },
      () => setFailed(true),
    );
  }, []);
  useEffect(() => set(waking.look()), [set]);
  if (state === "none" && !failed) return null;
  return (
    <button
      type="button"
      className={`quiet ${failed ? "warned" : ""}`}
      aria-pressed={state === "on"}
      title={t("waking.help")}
      onClick={() => set(state === "on" ? waking.end() : waking.begin())}
    >
      {failed ? t("waking.failed") : t(`waking.${state === "on" ? "on" : "off"}`)}
    </button>
  );
}

/** Sound and notice for what comes, and again for calls that nobody takes. */
function useAlerts(here: boolean): void {
  const { t } = useTranslation("desk");
  const [, go] = useLocation();
  useEffect(
    () =>
      board.whenCalled((call) => {
        const concerns = here || call.kind === "assigned" || call.kind === "message";
        if (!concerns || (call.kind === "message" && isLookedAt(call.session))) return;
        sound.play(call.kind);
        if (document.visibilityState === "hidden" || !document.hasFocus())
          notices.show(call.session, t("notice.text"), () => go(`/desk/s/${call.session}`));
      }),
    [here, t, go],
  );
  useEffect(() => {
    if (!here) return;
    const timer = setInterval(() => {
      if ([...board.state.items.values()].some((item) => item.urgent && item.escalations > 0)) sound.play("escalated");
    }, RING);
    return () => clearInterval(timer);
  }, [here]);
}

function isLookedAt(session: string): boolean {
  return document.visibilityState === "visible" && location.pathname.endsWith(`/desk/s/${session}`);
}

/** What has just come, wherever in the app somebody is; read out at once. */
function Calls({ calls }: { calls: readonly Call[] }) {
  const { t } = useTranslation("desk");
  const [path, go] = useLocation();
  const open = /^\/desk\/s\/([0-9a-f]+)/.exec(path)?.[1];
  // What comes while it is open is seen where it stands, and is no news when another is opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each call that comes may be of what is open
  useEffect(() => {
    if (open) board.dismiss(open);
  }, [open, calls]);
  const shown = calls.filter(({ session }) => session !== open).slice(-4);
  return (
    <div className="alerts" role="log" aria-live="assertive" aria-label={t("alerts.name")}>
      {shown.map(({ session, kind, at }) => {
        const item = board.state.items.get(session);
        const danger = item !== undefined && inDanger(item);
        return (
          <div key={session + at} className={`alert ${kind} ${danger ? "danger" : ""}`}>
            <span>
              {t(danger && kind === "message" ? "alerts.dangerMessage" : `alerts.${kind}`, {
                who: item ? nameOf(item.person) : session.slice(0, 4),
              })}
            </span>
            <button type="button" className="main" onClick={() => go(`/desk/s/${session}`)}>
              {t("alerts.open")}
            </button>
            <button type="button" className="quiet" onClick={() => board.dismiss(session)}>
              {t("alerts.dismiss")}
            </button>
          </div>
        );
      })}
    </div>
  );
}
