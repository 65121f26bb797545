import { keep, kept } from "../shell/keeping.js";

/** Notices of the system. They may stand on a locked screen, so that they say nothing but that somebody is needed. */
export const notices = {
  get state(): "granted" | "denied" | "ask" | "none" {
    if (typeof Notification === "undefined") return "none";
    return Notification.permission === "default" ? "ask" : Notification.permission;
  },
  async ask(): Promise<void> {
    if (this.state === "ask") await Notification.requestPermission();
    keep("notices", "asked");
  },
  get asked(): boolean {
    return kept("notices") === "asked";
  },
  /** One for each session: a later one takes the place of the one before, in whichever tab. */
  show(session: string, text: string, open: () => void): void {
    if (this.state !== "granted") return;
    const notice = new Notification("HeartRule", { body: text, tag: `heartrule.${session.slice(0, 8)}` });
    notice.onclick = () => {
      window.focus();
      open();
      notice.close();
    };
  },
};
