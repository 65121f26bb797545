const BROWSERS: readonly [RegExp, string][] = [
  [/MicroMessenger/, "WeChat"],
  [/Edg(?:e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/HarmonyOS|OpenHarmony/, "HarmonyOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/** What a browser calls itself, in two words; as it is where it says nothing known. */
export function device(agent: string): string {
  const named = (known: readonly [RegExp, string][]) => known.find(([sign]) => sign.test(agent))?.[1];
  const words = [named(BROWSERS), named(SYSTEMS)].filter((each) => each !== undefined);
  return words.length > 0 ? words.join(" · ") : agent.slice(0, 60);
}
