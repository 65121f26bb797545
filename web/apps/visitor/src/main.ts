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
import "./shell/app.js";

forgetAlong();
