// Where somebody is taken who leaves at once. Only after the page has loaded: until then a browser would put the next page
// in place of this one, and what comes after this one in the tab's history would stay.
const usual = navigator.language.toLowerCase().startsWith("zh")
  ? "https://www.baidu.com/"
  : "https://www.wikipedia.org/";
const chosen = () => {
  try {
    const to = sessionStorage.getItem("heartrule.away") ?? "";
    return to.startsWith("https://") ? to : usual;
  } catch {
    return usual;
  }
};
const leave = () => setTimeout(() => location.assign(chosen()));
addEventListener("load", leave);
addEventListener("pageshow", ({ persisted }) => persisted && leave());
