// A session in one page, with nothing but fetch. ?server= says where HeartRule is, ?script= what to hold. The token stays
// in this tab, so that a reload goes on with the same session.

const query = new URLSearchParams(location.search);
const api = `${query.get("server") ?? location.origin}/api/v1`;
const script = query.get("script") ?? "cbt/abc_intro";
const $ = (id) => document.getElementById(id);
let held = JSON.parse(sessionStorage.getItem("held") ?? "null");
let last = 0;
let seen = 0;

async function ask(method, path, body, headers = {}) {
  const answer = await fetch(api + path, {
    method,
    headers: { "Content-Type": "application/json", ...(held && { Authorization: `Bearer ${held.token}` }), ...headers },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error((await answer.json()).title);
  return answer;
}

function told(event, data) {
  if (event === "message.delta" && data.number > seen) {
    const known = [...line(data.number).textContent]; // by code points, as offsets are counted
    if (data.offset > known.length || data.offset + [...data.text].length <= known.length) return;
    write(data.number, "ai", known.slice(0, data.offset).join("") + data.text);
  } else if (event === "message.completed" && data.seq > seen) {
    write(data.seq, data.sender, data.content);
    seen = data.seq;
  } else if (event === "turn.completed") {
    $("choices").replaceChildren(...data.request.choices.map(button));
    $("form").hidden = data.request.type === "none";
  } else if (event === "error") {
    $("problem").textContent = data.title;
  }
}

function write(number, sender, text) {
  const here = line(number);
  here.className = sender;
  here.textContent = text;
  here.scrollIntoView({ block: "nearest" });
}

/** Of message `number`, in its place: a reply may begin before the words that it answers have come back. */
function line(number) {
  const lines = [...$("said").children];
  const found = lines.find((each) => Number(each.dataset.number) === number);
  if (found) return found;
  const made = document.createElement("li");
  made.dataset.number = number;
  $("said").insertBefore(made, lines.find((each) => Number(each.dataset.number) > number) ?? null);
  return made;
}

function button({ value, label }) {
  const made = document.createElement("button");
  made.textContent = label;
  made.onclick = () => say({ type: "choice", choice: value });
  return made;
}

/** Everything after the last event that was seen, then whatever comes. */
async function follow() {
  const answer = await ask("GET", `/sessions/${held.id}/events`, undefined, { "Last-Event-ID": String(last) });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (text + part.value).split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: ?(.*)/s)));
      if (!fields.data) continue;
      if (fields.id) last = Number(fields.id);
      told(fields.event, JSON.parse(fields.data));
    }
  }
}

/** Sent until it has arrived, under one key, so that it counts once; what comes of it comes as events. */
async function say(input) {
  $("choices").replaceChildren();
  const body = { key: crypto.randomUUID(), after: seen, input };
  for (let wait = 1; wait < 60; wait *= 2) {
    try {
      await ask("POST", `/sessions/${held.id}/turns`, body);
      $("problem").textContent = "";
      return;
    } catch (error) {
      $("problem").textContent = error.message;
      await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    }
  }
}

$("form").onsubmit = (event) => {
  event.preventDefault();
  const text = $("words").value.trim();
  if (text) say({ type: "message", text });
  $("words").value = "";
};

if (!held) {
  const made = await (await ask("POST", "/sessions", { script })).json();
  held = { id: made.session.id, token: made.token };
  sessionStorage.setItem("held", JSON.stringify(held));
  say({ type: "start" });
}
for (;;) {
  await follow().catch((error) => { $("problem").textContent = error.message; });
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
