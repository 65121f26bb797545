import "./shell/base.css";
import "./shell/shell.css";
import "./arrive/arrive.css";
import "./notice/notice.css";
import "./session/session.css";
import "./session/read.css";
import "./help/help.css";
import "./leaving/leaving.css";
import "./space/space.css";
import "./shell/print.css";
import { forgetAlong } from "./leaving/kept.js";
import { keepPage } from "./offline/keep-page.js";
import "./shell/app.js";

forgetAlong();
// Not while somebody waits for the page; and a page without its worker is only one that needs its server.
if (import.meta.env.PROD) addEventListener("load", () => void keepPage().catch(() => {}));
