import "./shell/base.css";
import "./shell/shell.css";
import "./arrive/arrive.css";
import "./notice/notice.css";
import "./session/session.css";
import "./session/read.css";
import "./help/help.css";
import "./leaving/leaving.css";
import "./space/space.css";
import "./summary/summary.css";
import "./shell/print.css";
import { watchEscape } from "./leaving/exit.js";
import { forgetAlong } from "./leaving/kept.js";
import { veilWhenAway } from "./leaving/veil.js";
import { dropPage, keepPage } from "./offline/keep-page.js";
import "./shell/app.js";
import { store } from "./shell/storage.js";

forgetAlong();
watchEscape();
veilWhenAway();
// A page without its worker is only one that needs its server.
const keepOrDrop = () => void (store.now === "none" ? dropPage() : keepPage()).catch(() => {});
if (import.meta.env.PROD) {
  // Not while somebody waits for the page.
  addEventListener("load", keepOrDrop);
  store.addEventListener("change", keepOrDrop);
}
