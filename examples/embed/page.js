// What a page does with the element: opens it, and is told what happens. Never pass what is said on to statistics.

const chat = document.querySelector("heart-chat");
document.getElementById("open").onclick = () => chat.open();
chat.addEventListener("heartrule-unread", ({ detail }) => {
  document.getElementById("news").textContent = detail.count > 0 ? `${detail.count} 条未读` : "";
});
