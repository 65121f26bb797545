import { memo, useMemo, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useAsked } from "../shell/asking.js";
import { keep, kept } from "../shell/keeping.js";
import { moment, since, useNow, useNowFor } from "../shell/times.js";
import { board } from "./board.js";
import { asksMe, FILTERS, type Filter, inDanger, isOver, shown, waitingSince, waits } from "./order.js";
import { PersonName } from "./people.js";
import type { Item, ItemList } from "./shapes.js";

/** Sessions as they stand, without a word of what was said: who needs somebody comes first. */
export function DeskList({ open }: { open: string | null }) {
  const { t } = useTranslation("desk");
  const { items, loaded, failed } = useSyncExternalStore(board.subscribe, board.snapshot);
  const [filter, setFilter] = useState<Filter>(() => FILTERS.find((each) => each === kept("filter")) ?? "waiting");
  const [tag, setTag] = useState("");
  const now = useNow();
  const all = useMemo(() => new Map(FILTERS.map((each) => [each, shown(items.values(), each)])), [items]);
  const tags = useMemo(() => [...new Set([...items.values()].flatMap((item) => item.tags))].sort(), [items]);
  const listed = (all.get(filter) ?? []).filter((item) => tag === "" || item.tags.includes(tag));
  // What is open stays in sight, wherever it belongs by now.
  const opened = open !== null && !listed.some(({ id }) => id === open) ? items.get(open) : undefined;

  return (
    <section className="list" aria-label={t("list.name")}>
      <fieldset className="filters">
        <legend className="hidden">{t("list.filters")}</legend>
        {FILTERS.map((each) => (
          <button
            key={each}
            type="button"
            className="filter"
            aria-pressed={each === filter}
            onClick={() => {
              setFilter(each);
              keep("filter", each);
            }}
          >
            {t(`list.${each}`)}
            <Count of={each} items={all.get(each) ?? []} />
          </button>
        ))}
      </fieldset>
      {tags.length > 0 && filter !== "ended" && (
        <label className="one-line">
          <span className="hidden">{t("list.tags")}</span>
          <select value={tag} onChange={(event) => setTag(event.target.value)}>
            <option value="">{t("list.anyTag")}</option>
            {tags.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      )}
      {filter === "ended" ? (
        <Ended open={open} now={now} />
      ) : (
        <>
          <p className="line" role="status">
            {failed ? t("list.failed") : !loaded ? "" : listed.length === 0 ? t(`list.none.${filter}`) : ""}
          </p>
          <Items items={opened ? [opened, ...listed] : listed} open={open} now={now} />
        </>
      )}
      <p className="soft small">{t("list.recorded")}</p>
    </section>
  );
}

/** How many there are; of one's own, how many of them wait. */
function Count({ of, items }: { of: Filter; items: readonly Item[] }) {
  const { t } = useTranslation("desk");
  const waiting = items.filter(asksMe).length;
  if (of === "ended" || of === "all" || items.length === 0) return null;
  if (of !== "mine") return <span className="count">{items.length}</span>;
  return waiting === 0 ? null : (
    <span className="count asks">
      {waiting} <span className="hidden">{t("list.waitForMe")}</span>
    </span>
  );
}

/** Those that are over are read when they are looked for, a page at a time. */
function Ended({ open, now }: { open: string | null; now: number }) {
  const { t } = useTranslation("desk");
  const [pages, setPages] = useState<readonly string[]>([""]);
  return (
    <>
      {pages.map((before, at) => (
        <EndedPage
          key={before}
          before={before}
          open={open}
          now={now}
          onMore={at === pages.length - 1 ? (next) => setPages([...pages, next]) : null}
          none={at === 0 ? t("list.none.ended") : ""}
        />
      ))}
    </>
  );
}

function EndedPage({
  before,
  open,
  now,
  onMore,
  none,
}: {
  before: string;
  open: string | null;
  now: number;
  onMore: ((before: string) => void) | null;
  none: string;
}) {
  const { t } = useTranslation("desk");
  const { found, failed } = useAsked<ItemList>(
    `/desk/sessions?show=ended&limit=50${before ? `&before=${encodeURIComponent(before)}` : ""}`,
  );
  const last = found?.sessions.at(-1);
  const next = last?.ended_at ?? last?.last_active_at;
  return (
    <>
      <p className="line" role="status">
        {failed ? t("list.failed") : found?.sessions.length === 0 ? none : ""}
      </p>
      <Items items={found?.sessions ?? []} open={open} now={now} />
      {onMore && found?.more && next && (
        <button type="button" className="second" onClick={() => onMore(next)}>
          {t("list.more")}
        </button>
      )}
    </>
  );
}

export function Items({ items, open = null, now }: { items: readonly Item[]; open?: string | null; now: number }) {
  return (
    <ul className="items">
      {items.map((item) => (
        <li key={item.id}>
          <ItemLink item={item} current={item.id === open} now={now} />
        </li>
      ))}
    </ul>
  );
}

const ItemLink = memo(({ item, current, now }: { item: Item; current: boolean; now: number }) => {
  const { t } = useTranslation("desk");
  const wait = waitingSince(item);
  const ageing = useNowFor(wait ?? item.last_active_at);
  const others = item.seen.filter(({ me }) => !me).map(({ name }) => name);
  const standing = isOver(item)
    ? t("item.endedAt", { at: moment(item.ended_at ?? item.last_active_at, now) })
    : wait
      ? t(waits(item) ? "item.waiting" : "item.waitsForAnswer", { age: since(wait, ageing) })
      : t("item.quiet", { age: since(item.last_active_at, ageing) });
  return (
    <Link
      href={`/s/${item.id}`}
      className={`item ${item.urgent ? "urgent" : ""} ${inDanger(item) ? "danger" : ""}`}
      aria-current={current ? "true" : undefined}
    >
      <span className="item-head">
        <PersonName person={item.person} />
        {item.unread > 0 && <span className="unread">{t("item.unread", { n: item.unread })}</span>}
      </span>
      <Standing item={item} />
      <span className="item-foot">
        <span className={wait ? "waits" : ""}>{standing}</span>
        <span className="soft" lang={item.locale}>
          {item.name}
        </span>
      </span>
      {(others.length > 0 || item.notes > 0) && (
        <span className="item-foot">
          {others.length > 0 && <span className="soft">{t("item.seenBy", { names: others.join(", ") })}</span>}
          {item.notes > 0 && <span className="soft">{t("item.notes", { n: item.notes })}</span>}
        </span>
      )}
    </Link>
  );
});

/** Why somebody may be needed, whose it is, and what it was tagged with. */
export function Standing({ item }: { item: Item }) {
  const { t } = useTranslation("desk");
  const reasons = item.reasons.filter((reason) => reason !== "taken_over");
  const { holder, assigned, handover } = item;
  if (reasons.length + item.tags.length === 0 && !holder && !assigned && !handover) return null;
  return (
    <span className="tags">
      {reasons.map((reason) => (
        <span key={reason} className={`tag ${item.holder && reason !== "crisis" ? "" : "urgent"}`}>
          {t(`item.${reason}`)}
        </span>
      ))}
      {holder && (
        <span className={`tag ${holder.me ? "own" : ""}`}>
          {holder.me ? t("item.heldByMe") : t("item.heldBy", { name: holder.name })}
        </span>
      )}
      {assigned && (
        <span className={`tag ${assigned.to.me ? "own" : ""}`}>
          {assigned.to.me
            ? t("item.assignedToMe", { by: assigned.by })
            : t("item.assignedTo", { name: assigned.to.name })}
        </span>
      )}
      {handover && <span className="tag">{t("item.handover")}</span>}
      {item.tags.map((tag) => (
        <span key={tag} className="tag plain">
          {tag}
        </span>
      ))}
    </span>
  );
}
