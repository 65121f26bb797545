import { useEffect, useId, useMemo, useRef, useState } from "react";
import { nodeAt } from "../flow/flowview.js";
import { nameOf } from "../flow/layout.js";
import { useHere, useTry } from "../project/context.js";
import { useKnown } from "../project/names.js";
import { spanOf } from "../text/places.js";
import type { Path } from "../text/shapes.js";
import { Icon } from "../words/icon.js";
import { moment, useWords } from "../words/speaking.js";
import { isAt, named } from "./company.js";
import { useCompany, useTogether } from "./context.js";
import { people as asked } from "./server.js";
import type { Person, Spot, Thread } from "./shapes.js";

/** What is said beside the script: at the node that is looked at, and everywhere. */
export function ThreadsPane() {
  const { show, at, company } = useTogether();
  const { threads, failed } = useCompany();
  const { say } = useHere();
  const t = useWords();
  const [settled, setSettled] = useState(false);
  const [here, setHere] = useState(false);
  const [people, setPeople] = useState<Person[]>([]);
  const heading = useRef<HTMLHeadingElement>(null);
  /** Whoever sends at once has named somebody all the same. */
  const known = useMemo(
    () =>
      asked.all().then(
        (found) => found.people,
        () => [],
      ),
    [],
  );
  useEffect(() => void known.then(setPeople), [known]);
  useEffect(() => {
    if (!at) heading.current?.focus();
  }, [at]);
  const shown = threads
    .filter((thread) => settled || !thread.resolved)
    .filter((thread) => !here || !at || isAt(thread.spot, at.file, at.path));
  const hidden = threads.filter((thread) => thread.resolved).length;
  return (
    <aside className="panel threads" aria-label={t("threads.name")}>
      <header className="panel-head">
        <h2 ref={heading} tabIndex={-1}>
          {t("threads.name")}
        </h2>
        <button type="button" className="icon" aria-label={t("act.close")} onClick={() => show(false)}>
          <Icon name="close" />
        </button>
      </header>
      <div className="panel-body">
        {failed && (
          <p className="notice" role="alert">
            {t("failed")}
          </p>
        )}
        {at && (
          <Composer
            key={`${at.file}${String(at.path)}`}
            label={t("threads.newAt", { name: "" })}
            about={<Where spot={at} />}
            people={people}
            focused
            send={async (text) => {
              await company.begin(at, text, named(text, await known));
              say(t("threads.begun"));
            }}
          />
        )}
        {!at && <p className="soft">{t("threads.how")}</p>}
        <div className="threads-tools">
          {at && (
            <label>
              <input type="checkbox" checked={here} onChange={() => setHere(!here)} /> {t("threads.onlyHere")}
            </label>
          )}
          {hidden > 0 && (
            <label>
              <input type="checkbox" checked={settled} onChange={() => setSettled(!settled)} />{" "}
              {t("threads.settledToo", { count: hidden })}
            </label>
          )}
        </div>
        {shown.length ? (
          <ol className="thread-list">
            {shown.map((thread) => (
              <ThreadItem key={thread.id} thread={thread} people={people} known={known} />
            ))}
          </ol>
        ) : (
          <p className="soft">{t("threads.none")}</p>
        )}
        <Mail />
      </div>
    </aside>
  );
}

function ThreadItem({ thread, people, known }: { thread: Thread; people: Person[]; known: Promise<Person[]> }) {
  const { company } = useTogether();
  const attempt = useTry();
  const t = useWords();
  const [answering, setAnswering] = useState(false);
  return (
    <li className={thread.resolved ? "thread settled" : "thread"}>
      <Where spot={thread.spot ?? thread.last} gone={!thread.spot} />
      <ol>
        {thread.comments.map((comment) => (
          <li key={comment.number}>
            <small>
              <strong>{comment.name}</strong> <span className="soft">{moment(comment.at)}</span>
            </small>
            <p>{comment.text}</p>
          </li>
        ))}
      </ol>
      {answering ? (
        <Composer
          label={t("threads.answer")}
          people={people}
          focused
          send={async (text) => {
            await company.say(thread.id, text, named(text, await known));
            setAnswering(false);
          }}
        />
      ) : (
        <div className="acts">
          <button type="button" className="quiet small" onClick={() => setAnswering(true)}>
            {t("threads.answer")}
          </button>
          <button
            type="button"
            className="quiet small"
            onClick={() => void attempt(() => company.settle(thread.id, !thread.resolved))}
          >
            {t(thread.resolved ? "threads.reopen" : "threads.resolve")}
          </button>
        </div>
      )}
    </li>
  );
}

/** The node that something is about, which leads there. */
function Where({ spot, gone = false }: { spot: Spot; gone?: boolean }) {
  const { look, view, goTo, setFocus, opened } = useHere();
  const { map } = useKnown();
  const t = useWords();
  const node = useMemo(() => (map && spot.path.length ? nodeAt(map, spot.file, spot.path) : null), [map, spot]);
  const name = node ? nameOf(node) : spot.file;
  if (gone)
    return (
      <p className="soft">
        {t("threads.gone")} {spot.file}
      </p>
    );
  return (
    <button
      type="button"
      className="quiet small where"
      onClick={() => {
        if (view === "text" || !node) {
          const range = node?.range;
          goTo(spot.file, range && spanOf(opened.book.sheet(spot.file).state.doc, range));
        } else {
          look("flow");
          setFocus({ file: spot.file, path: spot.path as Path, quiet: true });
        }
      }}
    >
      {name}
    </button>
  );
}

function Composer(props: {
  label: string;
  about?: React.ReactNode;
  people: Person[];
  focused?: boolean;
  send(text: string): Promise<void>;
}) {
  const { people, send } = props;
  const attempt = useTry();
  const t = useWords();
  const id = useId();
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (props.focused) box.current?.focus();
  }, [props.focused]);
  const done = async () => {
    if (!text.trim() || busy) return;
    setBusy(true);
    if (await attempt(() => send(text.trim()))) setText("");
    setBusy(false);
  };
  const others = people.filter((person) => !person.me);
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void done();
      }}
    >
      <label htmlFor={id}>
        {props.label} {props.about}
      </label>
      <textarea
        id={id}
        ref={box}
        rows={3}
        maxLength={4000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          event.stopPropagation();
          void done();
        }}
      />
      <div className="acts">
        <button type="submit" className="main small" disabled={busy || !text.trim()}>
          {t("threads.send")}
        </button>
        {others.length > 0 && (
          <select
            aria-label={t("threads.mention")}
            value=""
            onChange={(event) => {
              setText(`${text}${text && !text.endsWith(" ") ? " " : ""}@${event.target.value} `);
              box.current?.focus();
            }}
          >
            <option value="">{t("threads.mention")}</option>
            {others.map((person) => (
              <option key={person.id} value={person.name}>
                {person.name}
              </option>
            ))}
          </select>
        )}
      </div>
    </form>
  );
}

/** Where somebody is told of what is said to them. */
function Mail() {
  const t = useWords();
  const id = useId();
  const attempt = useTry();
  const { say } = useHere();
  const [mail, setMail] = useState<{ address: string | null; possible: boolean } | null>(null);
  const [address, setAddress] = useState("");
  useEffect(() => {
    asked.mail().then(
      (found) => {
        setMail(found);
        setAddress(found.address ?? "");
      },
      () => {},
    );
  }, []);
  if (!mail?.possible) return null;
  return (
    <details className="mail">
      <summary>{t("threads.mail")}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(async () => {
            setMail(await asked.setMail(address.trim() || null));
            say(t("threads.mailKept"));
          });
        }}
      >
        <label htmlFor={id}>{t("threads.mailAddress")}</label>
        <input id={id} type="email" value={address} onChange={(event) => setAddress(event.target.value)} />
        <p className="soft">{t("threads.mailAbout")}</p>
        <button type="submit" className="second small">
          {t("act.ok")}
        </button>
      </form>
    </details>
  );
}
