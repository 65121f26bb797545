// Visitors who hold sessions with our own client while their server keeps dying.
//
//   node visitors.mjs BASE COUNT SEED SCRIPT…      prints, as JSON, what each said and what stood on their page at the end
//
// A visitor answers what is asked with words of a seeded choice, now and then in two parts, hands forms in or puts them
// away, and leaves the page and comes back (a new client on the same storage) at random moments.
import { Client, MemoryStorage } from "@heartrule/sdk";

const [base, count, seed, ...scripts] = process.argv.slice(2);
const WORDS = [
  "最近总是睡不好", "没有", "6", "大概两个月前开始的", "跟朋友聊聊会好一点", "有一点", "3", "下班以后一个人的时候",
  "我觉得自己什么都做不好", "可以", "7",
];
/** What a visitor says in a session that comes to its end; with more it goes round and round. */
const MOST = 600;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Mulberry32: the same seed, the same words. */
function dice(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

async function patiently(what) {
  for (;;) {
    try {
      return await what();
    } catch {
      await sleep(100);
    }
  }
}

/** An answer to each question of a form that is asked for: the first of its options, which is of no danger. */
function filled(form) {
  const answers = form.fields.map(({ id, type, options, least }) => {
    const first = options[0]?.value;
    return [id, type === "multiple" ? [first] : first ?? least];
  });
  return Object.fromEntries(answers.filter(([, value]) => value !== undefined && value !== null));
}

async function visit(number) {
  const random = dice(Number(seed) * 1000 + number);
  const storage = new MemoryStorage();
  const client = new Client({ base, storage, locale: "zh-CN" });
  const script = scripts[number % scripts.length];
  const created = await patiently(() => client.create({ script }));
  const { token, session } = created;
  const said = [];
  let conversation = new Client({ base, storage }).conversation(session.id, token);
  conversation.open();
  conversation.start();
  let answered = -1;
  while (conversation.state.status !== "ended") {
    await sleep(10 + random() * 60);
    const state = conversation.state;
    if (said.length > MOST) throw new Error(`visitor ${number}: no end of ${script}, at ${state.request.type}`);
    if (state.status === "failed") throw new Error(`visitor ${number}: ${state.problem?.code}`);
    if (random() < 0.02) {
      conversation.leave();
      await sleep(random() * 100);
      conversation = new Client({ base, storage }).conversation(session.id, token);
      conversation.open();
      continue;
    }
    const last = state.messages.at(-1);
    if (state.status !== "ready" || state.outbox.length > 0 || !last || last.seq === answered) continue;
    if (state.request.type === "none") continue;
    answered = last.seq;
    if (state.request.form) {
      const key = random() < 0.8 ? conversation.submit(filled(state.request.form)) : conversation.cancel();
      if (key) said.push({ key, form: state.request.form.id, after: last.seq });
      continue;
    }
    const safe = state.request.choices.find((choice) => choice.value === "safe");
    if (state.request.type === "choice" && (safe || random() < 0.9)) {
      const choice = safe ?? state.request.choices[Math.floor(random() * state.request.choices.length)];
      const key = conversation.choose(choice.value);
      if (key) said.push({ key, choice: choice.value, after: last.seq });
      continue;
    }
    const grave = state.inCrisis || /伤害自己|结束生命|不想活|自杀|消失/.test(last.content);
    const words = grave ? "没有" : WORDS[Math.floor(random() * WORDS.length)];
    if (!grave && random() < 0.2) {
      const first = "嗯……";
      said.push({ key: conversation.send(first, { after: last.seq }), text: first, after: last.seq });
    }
    said.push({ key: conversation.send(words, { after: last.seq }), text: words, after: last.seq });
  }
  // What came after the end is refused: the person is told, keeps the words, and nothing of it is in the transcript.
  while (conversation.state.outbox.some((entry) => entry.state !== "refused")) await sleep(50);
  const refused = new Set(conversation.state.outbox.map((entry) => entry.key));
  while (conversation.state.more) await patiently(() => conversation.earlier());
  const shown = conversation.state.messages.map(({ seq, sender, content }) => ({ seq, sender, content }));
  conversation.leave();
  return { session: session.id, token, script, said: said.filter(({ key }) => !refused.has(key)), shown };
}

console.log(JSON.stringify(await Promise.all(Array.from({ length: Number(count) }, (_, number) => visit(number)))));
