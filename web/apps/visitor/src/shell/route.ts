/** Where somebody is. Everything stands behind the `#`, so that no server, proxy or log ever reads it. */
export type Route =
  | { at: "arrive" }
  | { at: "begin"; script: string }
  | { at: "session"; id: string }
  | { at: "read"; id: string }
  | { at: "summary"; id: string }
  | { at: "record" }
  | { at: "back"; token: string }
  | { at: "what" }
  | { at: "space" }
  | { at: "nowhere" };

export function parse(hash: string): Route {
  const path = hash.replace(/^#?\/?/, "");
  if (path === "") return { at: "arrive" };
  const cut = path.indexOf("/");
  const head = cut < 0 ? path : path.slice(0, cut);
  const rest = cut < 0 ? "" : decoded(path.slice(cut + 1));
  if ((head === "what" || head === "space" || head === "record") && rest === "") return { at: head };
  if (rest === "") return { at: "nowhere" };
  switch (head) {
    case "begin":
      return { at: "begin", script: rest };
    case "session":
      return { at: "session", id: rest };
    case "read":
    case "summary":
      return { at: head, id: rest };
    case "back":
      return { at: "back", token: rest };
    default:
      return { at: "nowhere" };
  }
}

/** Ids of scripts have a slash in them, which may stay: it reads better, and everything after the first one is the id. */
export function format(route: Exclude<Route, { at: "nowhere" }>): string {
  switch (route.at) {
    case "arrive":
      return "#/";
    case "what":
    case "space":
    case "record":
      return `#/${route.at}`;
    case "begin":
      return `#/begin/${encoded(route.script)}`;
    case "session":
      return `#/session/${encoded(route.id)}`;
    case "summary":
      return `#/summary/${encoded(route.id)}`;
    case "read":
      return `#/read/${encoded(route.id)}`;
    case "back":
      return `#/back/${encoded(route.token)}`;
  }
}

/** Takes the address's last part away, so that it is not read over somebody's shoulder, and neither going back nor a bookmark
 * leads to it. The browser has recorded the visit by then: its history keeps the whole address. */
export function hide(): void {
  history.replaceState(null, "", format({ at: "arrive" }));
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll("%2F", "/");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
