import type { Same } from "../shell/language.js";
import type { zh } from "./services.texts.zh-CN.js";

export const en: Same<typeof zh> = {
  title: "Tokens for programs",
  text: "For a program that acts for you. It may do what you tick, and never more than you may yourself; it can be called back at any time.",
  none: "There are no tokens.",
  add: "A new token",
  name: "What the program is called",
  may: "What it may do",
  days: "Days until it expires",
  make: "Make it",
  made: "This is the token, shown this once. Hand it to the program now:",
  for: "acts for {{name}}",
  until: "Expires {{at}}",
  used: "last used {{at}}",
  unused: "not used yet",
  revoke: "Call it back",
  scopes: {
    desk: { read: "read sessions", write: "take over, write to visitors, notes, assign" },
    replies: "judge replies",
    figures: "read figures",
    scripts: { read: "read scripts", write: "change scripts" },
    debug: "debug",
    releases: { read: "read releases", write: "make, review and publish releases" },
  },
};
