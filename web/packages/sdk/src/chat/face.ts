import { nothing as blank, html } from "lit";
import type { Session } from "../shapes.js";
import type { Line } from "./lines.js";
import { addressOf } from "./media.js";

/** The picture of the AI, by the name that it has. */
export interface Face {
  readonly picture: string;
  readonly name: string;
}

/** The AI has its picture where it begins to speak, and not again until somebody else has. */
export function faceAt(lines: readonly Line[], at: number, session: Session | null): Face | null {
  const picture = session?.picture;
  return picture && isSpokenByTheAI(lines[at]) && !isSpokenByTheAI(lines[at - 1])
    ? { picture, name: session.speaker ?? "" }
    : null;
}

function isSpokenByTheAI(line: Line | undefined): boolean {
  return line !== undefined && "spoken" in line && line.spoken.sender === "ai";
}

/** As large before it is there as after, and when it never comes. */
export function faceOf({ picture, name }: Face, base: string) {
  const src = addressOf(picture, base);
  return src
    ? html`<img class="face" part="face" src=${src} alt=${name} width="36" height="36" decoding="async" referrerpolicy="no-referrer" />`
    : blank;
}
