import { afterEach, describe, expect, test, vi } from "vitest";
import { whereabouts } from "../src/whereabouts.js";

function browser(languages: readonly string[], zone: string | undefined): void {
  vi.stubGlobal("navigator", { languages });
  vi.spyOn(Intl, "DateTimeFormat").mockReturnValue({
    resolvedOptions: () => ({ timeZone: zone }),
  } as unknown as Intl.DateTimeFormat);
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("where somebody is", () => {
  test.each([
    [["en-GB", "en"], "Europe/London", "en-GB"],
    [["de", "en-AU"], "Europe/Berlin", "en-AU"],
    [["en-US", "en"], "Europe/London", "en"],
    [["zh-CN"], "Asia/Shanghai", "en"],
    [[], "UTC", "en"],
  ])("is told by %j and %s", (languages, zone, locale) => {
    browser(languages, zone);
    expect(whereabouts("en")).toEqual({ locale, zone });
  });

  test("is not known to every browser", () => {
    browser([], undefined);
    expect(whereabouts("zh-CN")).toEqual({ locale: "zh-CN", zone: undefined });
    vi.mocked(Intl.DateTimeFormat).mockImplementation(() => {
      throw new RangeError("no");
    });
    expect(whereabouts(undefined)).toEqual({ locale: undefined, zone: undefined });
  });
});
