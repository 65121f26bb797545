/** Where somebody is taken who leaves at once, where nobody has said so: a page of no meaning, by language. */
const USUAL = { "zh-CN": "https://www.baidu.com/", en: "https://www.wikipedia.org/" };

/** Takes everything off the screen first: the next page may be slow. */
export function leaveAtOnce(to: string, locale: keyof typeof USUAL): void {
  document.body.replaceChildren();
  document.title = "";
  location.replace(to.startsWith("https://") ? to : USUAL[locale]);
}
