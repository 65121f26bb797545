// Woken by a push, with no page open. It carries no content and says nothing but that somebody is needed: what it shows
// may stand on a locked screen.
const TEXTS = {
  zh: "有人需要你看一下。",
  en: "Somebody needs you to have a look.",
};
const DESK = new URL("desk", registration.scope).href;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(clients.claim()));

self.addEventListener("push", (event) => {
  const language = new URL(location.href).searchParams.get("lang") === "en" ? "en" : "zh";
  event.waitUntil(
    registration.showNotification("HeartRule", {
      body: TEXTS[language],
      tag: "heartrule.waking",
      requireInteraction: true,
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(
    clients.matchAll({ type: "window", includeUncontrolled: true }).then((open) => {
      const page =
        open.find(({ url }) => url.startsWith(DESK)) ?? open.find(({ url }) => url.startsWith(registration.scope));
      return page ? page.focus() : clients.openWindow(DESK);
    }),
  );
});
