// What pages do by themselves. Each works without it: links lead, forms send, lists are as they were.

const main = document.querySelector("main");
const policy = globalThis.trustedTypes?.createPolicy("duka", {
  createHTML: (text) => text,
  createScriptURL: (address) => address,
});

/** The one list of what is shown anew: each part by itself, so that one in use does not hold up the others. */
const PARTS = ".nav ul, .tabs, main > *";
const FIELDS = "input, textarea, select";
const TICKS = ".pick input";

/** Each part as the server sent it: what a browser changes, such as an open disclosure, is no news. */
const served = new WeakMap();
const touched = new WeakSet();

function partsOf(page) {
  return [...page.querySelectorAll(PARTS)].map((part) => [part, part.outerHTML]);
}
for (const [part, text] of partsOf(document)) served.set(part, text);

document.addEventListener("input", ({ target }) => {
  const part = target.closest("main > *");
  // Ticks are kept when the part is put in anew.
  if (part && !target.matches(TICKS)) touched.add(part);
});

/** Whether a swap would take away what a person types, or has opened. */
function isInUse(part) {
  return (
    touched.has(part) ||
    part.contains(document.activeElement?.closest(FIELDS) ?? null) ||
    part.querySelector("dialog[open], details[open]") !== null
  );
}

/** Where a page says that the network is gone. A page without the shop around it has none. */
const gone = document.querySelector("#gone");
let seenAt = new Date();

function tellGone() {
  const time = seenAt.toTimeString().slice(0, 5);
  if (gone) gone.textContent = gone.dataset.says.replace("{time}", time);
}
if (!navigator.onLine) tellGone();
addEventListener("offline", tellGone);
addEventListener("online", () => {
  gone?.replaceChildren();
  if (main.dataset.live) refresh();
});

/** The page at the address as it is now; null where the network or the session is gone, or it leads elsewhere. */
async function fetchPage(address) {
  try {
    // A fetch while a browser goes back is answered from its cache unless it says otherwise.
    const response = await fetch(address, { headers: { Accept: "text/html" }, cache: "no-cache" });
    if (response.redirected) enterAt(response.url);
    if (!response.ok || response.redirected) return null;
    const text = await response.text();
    seenAt = new Date();
    gone?.replaceChildren();
    return new DOMParser().parseFromString(policy?.createHTML(text) ?? text, "text/html");
  } catch {
    tellGone();
    return null;
  }
}

/** Shows the way in, without which there is no more news. What is typed stays: its form leads there, and keeps it. */
function enterAt(address) {
  const isEnded = new URL(address).pathname === "/dashboard/enter";
  if (isEnded && ![...main.children].some(isInUse)) location.assign(address);
}

/** Puts in the parts that differ. */
function put(next, { marksNew }) {
  const here = partsOf(document);
  const there = partsOf(next);
  if (marksNew) markNew(next);
  const focused = document.activeElement?.closest("li[id]");
  if (here.length === there.length) {
    for (const [index, [part]] of here.entries()) putPart(part, ...there[index]);
  } else if (![...main.children].some(isInUse)) {
    main.replaceChildren(...next.querySelector("main").children);
  }
  for (const [part, text] of there) served.set(part, text);
  document.title = next.title;
  if (focused?.isConnected === false) focusRow(focused.id);
}

function focusRow(id) {
  document.getElementById(id)?.querySelector("a, button")?.focus();
}

function putPart(part, instead, text) {
  // A part within a part that was put in came with it.
  if (!part.isConnected || text === served.get(part) || isInUse(part)) return;
  const ticked = new Set([...part.querySelectorAll(`${TICKS}:checked`)].map(({ value }) => value));
  for (const box of instead.querySelectorAll(TICKS)) box.checked = ticked.has(box.value);
  part.replaceWith(instead);
}

/** Marks the rows that were not there before. */
function markNew(next) {
  const known = new Set([...main.querySelectorAll("li[id]")].map(({ id }) => id));
  for (const row of next.querySelectorAll("main li[id]"))
    row.classList.toggle("new", known.size > 0 && !known.has(row.id));
}

let after = main.dataset.after;
let source = null;
let unseen = 0;
/** After each fetch the page rests: a busy shop does not use up what a person may ask in a minute. */
let isResting = false;
let isDue = false;
const REST_MS = 3_000;

/** A sound for each new order, where this browser is to make one. */
const SOUND = "duka-sound";
let rung = 0;
const isLoud = () => localStorage.getItem(SOUND) !== null;

/** Two short tones, once the person has touched the page: browsers allow none before. */
function ring() {
  if (!navigator.userActivation?.hasBeenActive) return;
  const audio = new AudioContext();
  for (const [at, pitch] of [660, 880].entries()) {
    const tone = new OscillatorNode(audio, { frequency: pitch });
    const volume = new GainNode(audio, { gain: 0.2 });
    tone.connect(volume).connect(audio.destination);
    const start = audio.currentTime + at * 0.18;
    volume.gain.setTargetAtTime(0, start + 0.1, 0.06);
    tone.start(start);
    tone.stop(start + 0.6);
    if (at) tone.addEventListener("ended", () => void audio.close());
  }
}

/** Follows the news while the page is looked at: a phone in a pocket holds no connection, unless it is to ring. */
function follow() {
  source?.close();
  const isFollowed = main.dataset.live && !document.hidden;
  if (!main.dataset.root || !(isFollowed || isLoud())) return;
  source = new EventSource(`${main.dataset.root}/live?after=${after}`);
  source.addEventListener("message", ({ data }) => hear(JSON.parse(data)));
  // A stream that breaks off, is refused or is back asks for the page: that tells whether the network and the session
  // are there. One that is refused, as the seventh of a person, is not opened again, and asks once.
  source.addEventListener("error", refresh);
  source.addEventListener("open", () => gone?.textContent && refresh());
}

function hear({ sequence, event, subject }) {
  if (event === "order.placed" && sequence > rung && isLoud()) {
    rung = sequence;
    ring();
  }
  // A page that is not looked at shows the news when it is: the stream tells them again.
  if (document.hidden) return;
  after = sequence;
  const { live } = main.dataset;
  if (!live || (live !== subject && !event.startsWith(live))) return;
  const fresh = document.querySelector("#fresh");
  if (fresh) offer(fresh);
  else refresh();
}

function refresh() {
  isDue = isResting;
  if (isResting) return;
  isResting = true;
  // What happens at once is fetched at once.
  setTimeout(show, 200);
  setTimeout(() => {
    isResting = false;
    if (isDue) refresh();
  }, REST_MS);
}

/** Work that is shown while it goes on announces no news. */
setInterval(() => main.querySelector("progress") && refresh(), 2_000);

/** Shows the page as it is now. */
async function show() {
  const next = await fetchPage(location.href);
  if (!next) return;
  unseen = 0;
  document.querySelector("#fresh")?.replaceChildren();
  put(next, { marksNew: true });
}

/** A list does not jump under a finger: it says that there is more. */
function offer(fresh) {
  unseen += 1;
  const button = document.createElement("button");
  button.className = "fresh";
  button.textContent = unseen === 1 ? fresh.dataset.one : `${unseen} ${fresh.dataset.many}`;
  button.addEventListener("click", () => {
    void show().then(() => scrollTo({ top: 0 }));
  });
  fresh.replaceChildren(button);
}

// The stream begins after the last news: what happened meanwhile is told then.
document.addEventListener("visibilitychange", follow);
addEventListener("pageshow", ({ persisted }) => {
  for (const one of document.querySelectorAll("[aria-busy]")) one.removeAttribute("aria-busy");
  // Browsers go back to the page as it was.
  if (persisted || performance.getEntriesByType("navigation")[0]?.type === "back_forward")
    void show();
  follow();
});
addEventListener("pagehide", () => source?.close());

/** A button pressed twice sends once; without a network it sends nothing, and what was typed stays. */
document.addEventListener("submit", (event) => {
  const { target, submitter } = event;
  if (target.method !== "post") return;
  if (!navigator.onLine) tellGone();
  if (!navigator.onLine || target.hasAttribute("aria-busy")) {
    event.preventDefault();
    return;
  }
  // The page stays where a file comes.
  if ("file" in target.dataset) return;
  target.setAttribute("aria-busy", "true");
  submitter?.setAttribute("aria-busy", "true");
});

/** A list is shown as it is searched, and an amount beside its field as it is read. */
let typing;
document.addEventListener("input", ({ target }) => {
  const form = target.closest("form[role=search]");
  const { currency } = target.dataset;
  if (!(form ?? currency)) return;
  const query = new URLSearchParams(form ? new FormData(form) : { currency, q: target.value });
  const address = `${form?.action ?? `${main.dataset.root}/typed`}?${query}`;
  clearTimeout(typing);
  const asked = setTimeout(async () => {
    const next = await fetchPage(address);
    // An answer that comes after a later letter is not shown.
    if (!next || typing !== asked) return;
    if (currency) target.nextElementSibling.replaceChildren(next.querySelector("output"));
    if (!form) return;
    history.replaceState(null, "", address);
    put(next, { marksNew: false });
  }, 200);
  typing = asked;
});

document.addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (target.closest(FIELDS) || ctrlKey || metaKey || altKey) return;
  const search = document.querySelector("input[type=search]");
  if (key === "/") {
    event.preventDefault();
    if (search) search.focus();
    else if (main.dataset.root) location.assign(`${main.dataset.root}/search`);
  }
  const step = { j: 1, k: -1 }[key];
  if (!step) return;
  const rows = [...document.querySelectorAll("a.row")];
  rows[Math.max(0, rows.indexOf(document.activeElement) + step)]?.focus();
});

/** A long password is typed more surely where it can be read. */
for (const field of document.querySelectorAll("input[data-show]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "show";
  button.textContent = field.dataset.show;
  button.addEventListener("click", () => {
    const isHidden = field.type === "password";
    field.type = isHidden ? "text" : "password";
    button.textContent = isHidden ? field.dataset.hide : field.dataset.show;
  });
  field.after(button);
}

const sound = document.querySelector("#sound");
if (sound) {
  sound.closest("[hidden]").hidden = false;
  sound.checked = isLoud();
  sound.addEventListener("change", () => {
    if (sound.checked) localStorage.setItem(SOUND, "on");
    else localStorage.removeItem(SOUND);
    if (sound.checked) ring();
    follow();
  });
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-copy]");
  if (!button) return;
  const copied = document.getElementById(button.dataset.copy);
  // Selected as well: a page of plain http has no clipboard, and the text is copied by hand.
  getSelection().selectAllChildren(copied);
  void navigator.clipboard?.writeText(copied.textContent).then(() => {
    button.textContent = button.dataset.done;
  });
});

// Messages of the shop in this browser, also while no page of it is open. A browser that has none shows no button.

const WORKER = "/dashboard/sw.js";
const bell = document.querySelector("button[data-push]");
if (bell && navigator.serviceWorker && globalThis.PushManager) {
  bell.parentElement.hidden = false;
  document.querySelector("[data-no-push]").hidden = true;
  bell.addEventListener("click", (event) => {
    event.preventDefault();
    void turnOn(bell);
  });
}

async function turnOn(button) {
  const { denied, failed } = button.dataset;
  const fault = button.parentElement.querySelector("[role=alert]");
  fault.textContent = "";
  button.setAttribute("aria-busy", "true");
  try {
    if ((await Notification.requestPermission()) !== "granted") {
      fault.textContent = denied;
      return;
    }
    const response = await fetch("/dashboard/push/key", { method: "POST" });
    const { key } = await response.json();
    const address = policy?.createScriptURL(WORKER) ?? WORKER;
    await navigator.serviceWorker.register(address, { scope: "/dashboard" });
    const { pushManager } = await navigator.serviceWorker.ready;
    // One of another key, such as of before a restore, would be refused.
    await (await pushManager.getSubscription())?.unsubscribe();
    const given = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    button.form.elements.subscription.value = JSON.stringify(given);
    button.form.submit();
  } catch {
    fault.textContent = failed;
  } finally {
    button.removeAttribute("aria-busy");
  }
}
