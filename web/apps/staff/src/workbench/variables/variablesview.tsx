import { useMemo, useState } from "react";
import { short } from "../flow/edges.js";
import { nameOf } from "../flow/layout.js";
import { useHere } from "../project/context.js";
import { useKnown } from "../project/names.js";
import { spanOf } from "../text/places.js";
import type { At, MapNode, Variable } from "../text/shapes.js";
import { useLabel, useWords } from "../words/speaking.js";

/** All variables: what they are, and where each is declared, set and read. */
export function VariablesView() {
  const { variables, map } = useKnown();
  const { lit, light } = useHere();
  const t = useWords();
  const label = useLabel();
  const [search, setSearch] = useState("");
  const found = useMemo(() => {
    const wanted = search.toLowerCase();
    return variables.filter((each) => `${each.name} ${each.define}`.toLowerCase().includes(wanted));
  }, [variables, search]);
  return (
    <div className="variables">
      <div className="text-tools">
        <input
          type="search"
          aria-label={t("variables.search")}
          placeholder={t("variables.search")}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        {lit && (
          <button type="button" className="quiet small" onClick={() => light(null)}>
            {t("variables.dark", { name: lit })}
          </button>
        )}
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("variables.name")}</th>
            <th scope="col">{t("variables.kind")}</th>
            <th scope="col">{t("variables.scope")}</th>
            <th scope="col">{t("variables.declared")}</th>
            <th scope="col">{t("variables.written")}</th>
            <th scope="col">{t("variables.read")}</th>
          </tr>
        </thead>
        <tbody>
          {found.map((each) => (
            <tr key={`${each.name}:${each.key}`} className={lit === each.name ? "lit" : ""}>
              <th scope="row">
                <button
                  type="button"
                  className="variable"
                  aria-pressed={lit === each.name}
                  title={t("variables.light")}
                  onClick={() => light(lit === each.name ? null : each.name)}
                >
                  {each.name}
                </button>
                {each.define && <small className="soft">{each.define}</small>}
              </th>
              <td>{label("choices", each.type || "text")}</td>
              <td>{label("choices", each.scope || scopeOf(each, map?.nodes))}</td>
              <Places variable={each} places={each.declared} none={t("variables.undeclared")} />
              <Places variable={each} places={each.written} none={t("variables.never")} />
              <Places variable={each} places={each.read} none={t("variables.never")} />
            </tr>
          ))}
        </tbody>
      </table>
      {!found.length && <p className="soft inset">{t("variables.none")}</p>}
    </div>
  );
}

/** Where it is declared says where it counts. */
function scopeOf(variable: Variable, nodes: readonly MapNode[] | undefined): string {
  const node = nodes?.find((each) => each.id === variable.declared[0]?.node);
  return node && ["session", "phase", "topic"].includes(node.kind) ? node.kind : "topic";
}

function Places({ variable, places, none }: { variable: Variable; places: At[]; none: string }) {
  const { opened, goTo, light } = useHere();
  const { map } = useKnown();
  const name = (place: At) => {
    const node = place.node && map?.nodes.find((each) => each.id === place.node);
    return node ? short(nameOf(node), 18) : `${place.file}:${place.range.start.line + 1}`;
  };
  return (
    <td>
      {places.length ? (
        <ul className="places">
          {places.map((place) => (
            <li key={`${place.file}${place.range.start.line}:${place.range.start.character}`}>
              <button
                type="button"
                onClick={() => {
                  light(variable.name);
                  goTo(place.file, spanOf(opened.book.sheet(place.file).state.doc, place.range));
                }}
              >
                {name(place)}
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <span className="soft">{none}</span>
      )}
    </td>
  );
}
