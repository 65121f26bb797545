import { useEffect, useId, useState } from "react";
import { useWords } from "../words/speaking.js";
import { Window } from "../words/window.js";
import { people as asked, TeamServer } from "./server.js";
import type { Group, Level, Person, Share } from "./shapes.js";

/** With whom a project is shared, and the groups that one has made. */
export function SharingDialog({ project, close }: { project: { id: string; name: string }; close(): void }) {
  const t = useWords();
  const [people, setPeople] = useState<Person[]>([]);
  const [groups, setGroups] = useState<Group[]>([]);
  const [shares, setShares] = useState<Share[] | null>(null);
  const [failed, setFailed] = useState("");
  const server = new TeamServer(project.id);
  const attempt = async (act: () => Promise<unknown>) => {
    setFailed("");
    try {
      await act();
    } catch (error) {
      setFailed((error as Error).message || t("failed"));
    }
  };
  const load = async () => {
    const [all, with_] = await Promise.all([asked.all(), server.shares()]);
    setPeople(all.people.filter((person) => !person.me && person.id !== with_.owner));
    setGroups(all.groups);
    setShares(with_.shares);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, then as it is changed here
  useEffect(() => void attempt(load), [project.id]);
  const row = (who: string, name: string, about = "") => (
    <Row
      key={who}
      name={name}
      about={about}
      level={shares?.find((share) => share.who === who)?.level ?? null}
      choose={(level) => attempt(async () => setShares((await server.share(who, level)).shares))}
    />
  );
  return (
    <Window title={t("sharing.title", { name: project.name })} close={close} wide>
      {failed && (
        <p className="notice" role="alert">
          {failed}
        </p>
      )}
      {!shares && !failed && <p className="soft">{t("wait")}</p>}
      {shares && (
        <>
          <h3>{t("sharing.people")}</h3>
          {people.length ? (
            <ul className="share-list">{people.map((person) => row(person.id, person.name))}</ul>
          ) : (
            <p className="soft">{t("sharing.nobody")}</p>
          )}
          <h3>{t("sharing.groups")}</h3>
          {groups.length > 0 && (
            <ul className="share-list">
              {groups.map((group) =>
                row(`group:${group.id}`, group.name, t("sharing.members", { count: group.members.length })),
              )}
            </ul>
          )}
          <GroupForm people={people} groups={groups.filter((group) => group.mine)} attempt={attempt} done={load} />
        </>
      )}
    </Window>
  );
}

function Row(props: { name: string; about: string; level: Level | null; choose(level: Level | null): unknown }) {
  const t = useWords();
  const id = useId();
  return (
    <li>
      <label htmlFor={id}>
        {props.name} {props.about && <small className="soft">{props.about}</small>}
      </label>
      <select
        id={id}
        value={props.level ?? ""}
        onChange={(event) => void props.choose((event.target.value || null) as Level | null)}
      >
        <option value="">{t("sharing.no")}</option>
        <option value="read">{t("sharing.read")}</option>
        <option value="write">{t("sharing.write")}</option>
      </select>
    </li>
  );
}

function GroupForm(props: {
  people: Person[];
  groups: Group[];
  attempt(act: () => Promise<unknown>): Promise<void>;
  done(): Promise<void>;
}) {
  const { people, groups, attempt, done } = props;
  const t = useWords();
  const id = useId();
  const [chosen, setChosen] = useState<Group | null>(null);
  const [name, setName] = useState("");
  const [members, setMembers] = useState<string[]>([]);
  const choose = (group: Group | null) => {
    setChosen(group);
    setName(group?.name ?? "");
    setMembers(group?.members ?? []);
  };
  return (
    <details>
      <summary>{t("sharing.makeGroup")}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(async () => {
            if (chosen) await asked.changeGroup(chosen.id, name.trim(), members);
            else await asked.makeGroup(name.trim(), members);
            choose(null);
            await done();
          });
        }}
      >
        {groups.length > 0 && (
          <select
            aria-label={t("sharing.whichGroup")}
            value={chosen?.id ?? ""}
            onChange={(event) => choose(groups.find((group) => group.id === event.target.value) ?? null)}
          >
            <option value="">{t("sharing.newGroup")}</option>
            {groups.map((group) => (
              <option key={group.id} value={group.id}>
                {group.name}
              </option>
            ))}
          </select>
        )}
        <label htmlFor={id}>{t("sharing.groupName")}</label>
        <input id={id} required maxLength={120} value={name} onChange={(event) => setName(event.target.value)} />
        <fieldset>
          <legend>{t("sharing.who")}</legend>
          {people.map((person) => (
            <label key={person.id}>
              <input
                type="checkbox"
                checked={members.includes(person.id)}
                onChange={() =>
                  setMembers(
                    members.includes(person.id)
                      ? members.filter((each) => each !== person.id)
                      : [...members, person.id],
                  )
                }
              />{" "}
              {person.name}
            </label>
          ))}
        </fieldset>
        <div className="acts">
          <button type="submit" className="second small" disabled={!name.trim()}>
            {t("act.ok")}
          </button>
          {chosen && (
            <button
              type="button"
              className="quiet small"
              onClick={() =>
                void attempt(async () => {
                  await asked.removeGroup(chosen.id);
                  choose(null);
                  await done();
                })
              }
            >
              {t("act.delete")}
            </button>
          )}
        </div>
      </form>
    </details>
  );
}
