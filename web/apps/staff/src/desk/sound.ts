import { keep, kept } from "../shell/keeping.js";
import type { AlertKind } from "./shapes.js";

/** Hertz, and seconds from the beginning. */
type Tone = readonly [pitch: number, at: number, length: number];

const URGENT: readonly Tone[] = [0, 0.6, 1.2].flatMap((at) => [
  [880, at, 0.18] as const,
  [659, at + 0.22, 0.24] as const,
]);
const TONES: Record<AlertKind, readonly Tone[]> = {
  crisis: URGENT,
  escalated: URGENT,
  assigned: [
    [587, 0, 0.2],
    [784, 0.22, 0.3],
  ],
  message: [[659, 0, 0.22]],
};
const LOUD = 0.22;

/** Sounds that are made and not loaded, so that no alert waits for a file. */
class Sound extends EventTarget {
  private context: AudioContext | null = null;
  /** When something was last heard, for whoever wants to know that it was. */
  played = 0;

  get on(): boolean {
    return kept("sound") !== "off";
  }

  set on(next: boolean) {
    keep("sound", next ? "on" : "off");
    this.dispatchEvent(new Event("change"));
    if (next) this.allow();
  }

  /** Browsers play nothing before somebody has clicked or typed. */
  get blocked(): boolean {
    return this.on && this.context?.state !== "running";
  }

  /** To be called while somebody clicks or types. */
  allow(): void {
    if (typeof AudioContext === "undefined") return;
    this.context ??= new AudioContext();
    this.context.onstatechange = () => this.dispatchEvent(new Event("change"));
    void this.context.resume().catch(() => {});
  }

  /** Of several tabs one plays. */
  play(kind: AlertKind): void {
    const { context } = this;
    if (!this.on || context?.state !== "running") return;
    const tones = TONES[kind];
    const ends = Math.max(...tones.map(([, at, length]) => at + length));
    const alone = async (lock: Lock | null) => {
      if (!lock) return;
      this.played = Date.now();
      this.dispatchEvent(new Event("played"));
      for (const tone of tones) this.tone(context, tone);
      await new Promise((resolve) => setTimeout(resolve, ends * 1000));
    };
    void navigator.locks.request("heartrule.desk.sound", { ifAvailable: true }, alone);
  }

  private tone(context: AudioContext, [pitch, at, length]: Tone): void {
    const begin = context.currentTime + at;
    const gain = context.createGain();
    const oscillator = context.createOscillator();
    oscillator.frequency.value = pitch;
    gain.gain.setValueAtTime(0, begin);
    gain.gain.linearRampToValueAtTime(LOUD, begin + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.001, begin + length);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(begin);
    oscillator.stop(begin + length);
  }
}

export const sound = new Sound();
