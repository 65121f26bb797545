import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useAsked } from "../shell/asking.js";
import { moment, since, useNow } from "../shell/times.js";
import { standingOf } from "./handling.js";
import { Items } from "./list.js";
import { waitingSince } from "./order.js";
import { nameOf, PersonName } from "./people.js";
import { RotaPart } from "./rota.js";
import type { Item, Shift } from "./shapes.js";

/** The shift: who is here, what is open, what is left for those who come, and what was done. */
export function ShiftPage() {
  const { t, i18n } = useTranslation(["desk", "shell"]);
  const { found, failed } = useAsked<Shift>("/desk/shift");
  const [copied, setCopied] = useState(false);
  const now = useNow();
  if (!found)
    return (
      <p className="page soft" role="status">
        {failed ? failed.message || t("shell:unreachable") : t("shell:loading")}
      </p>
    );
  const present = found.colleagues.filter(({ me, here, online, holds }) => !me && (here || online || holds > 0));
  const parts = ["waiting", "mine", "assigned", "handover"] as const;
  const deed = (what: string) => (i18n.exists(`shell:deeds.${what}`) ? t(`shell:deeds.${what}`) : what);

  function line(item: Item): string {
    const wait = waitingSince(item);
    const said = [
      `${nameOf(item.person)} ${item.person.key}`,
      item.name,
      wait && t("item.waiting", { age: since(wait, now) }),
      item.handover?.note,
    ];
    return `- ${said.filter((each) => each).join(" · ")}`;
  }

  /** Without a word of what was said, save what counsellors wrote for each other. */
  function sheet(shift: Shift): string {
    const blocks = parts.map(
      (part) => `${t(`shift.${part}`)}\n${shift[part].map(line).join("\n") || `- ${t("shift.none")}`}`,
    );
    return [t("shift.sheet", { at: moment(shift.now, 0) }), ...blocks].join("\n\n");
  }

  return (
    <div className="page wide stack scrolling">
      <div className="one-line">
        <h1>{t("shift.title")}</h1>
        <button
          type="button"
          className="second"
          onClick={() => void navigator.clipboard.writeText(sheet(found)).then(() => setCopied(true))}
        >
          {copied ? t("shift.copied") : t("shift.copy")}
        </button>
      </div>
      <section>
        <h2>{t("shift.colleagues")}</h2>
        {present.length === 0 && <p className="soft">{t("shift.nobody")}</p>}
        <ul className="tags">
          {present.map((each) => (
            <li key={each.id} className={`tag ${each.here ? "own" : ""}`}>
              {each.name} · {t(standingOf(each))} · {t("assigning.holds", { n: each.holds })}
            </li>
          ))}
        </ul>
      </section>
      <RotaPart />
      <div className="columns">
        {parts.map((part) => (
          <section key={part}>
            <h2>
              {t(`shift.${part}`)} <span className="count">{found[part].length}</span>
            </h2>
            {found[part].length === 0 && <p className="soft">{t("shift.none")}</p>}
            <Items items={found[part]} now={now} />
            {part === "handover" &&
              found.handover.map(({ id, handover, person }) => (
                <p key={id} className="soft">
                  <PersonName person={person} />: {handover?.note}
                </p>
              ))}
          </section>
        ))}
      </div>
      <section>
        <h2>{t("shift.done")}</h2>
        {found.done.length === 0 && <p className="soft">{t("shift.none")}</p>}
        <ul className="rows">
          {found.done.map(({ at, what, session, item }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: deeds have no other name
            <li key={index}>
              <div>
                {deed(what)} <span className="soft">{moment(at, now)}</span>
              </div>
              {item ? (
                <Link href={`/s/${item.id}`}>
                  <PersonName person={item.person} />
                </Link>
              ) : (
                session && <code className="soft">{session.slice(0, 8)}</code>
              )}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
