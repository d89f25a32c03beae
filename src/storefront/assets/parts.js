// What every view of the store uses: the client, elements, amounts, and the address of the page, which holds the cart.

import { customerToken, sessionHash } from "./session.js";

const { server, key, locale } = document.body.dataset;
const { Duka } = await import(`${server}/client.js`);

const duka = new Duka({ baseUrl: server, key, customerToken });
/** Whether no money moves, and codes can be read. */
const isTest = key.startsWith("test_");
const view = document.querySelector("main");

/** An element with properties and children. Texts are never read as HTML. */
function make(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.flat().filter((child) => child !== null && child !== false));
  return made;
}

function money(amount, currency) {
  const text = formatOf(amount, currency).format(amount);
  // An amount that is written from the right is set apart, so that its currency keeps its side.
  return /[\u0590-\u08ff\u200f]/.test(text) ? `\u2068${text}\u2069` : text;
}

/** Browsers round some currencies, such as PKR, to whole units, in which the service charges smaller ones, too. */
function formatOf(amount, currency) {
  const style = { style: "currency", currency };
  const format = new Intl.NumberFormat(locale, style);
  const isWhole = format.resolvedOptions().maximumFractionDigits === 0;
  if (!isWhole || Number.isInteger(amount)) return format;
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 3 };
  return new Intl.NumberFormat(locale, { ...style, ...digits });
}

/** The address of a view. The cart stays in it, since a page of no origin has no storage; there the session does, too. */
function addressOf(changes) {
  const address = new URL(location.href);
  const { searchParams: parameters } = address;
  const cart = parameters.get("cart");
  address.search = "";
  address.hash = sessionHash();
  if (cart !== null) parameters.set("cart", cart);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) parameters.delete(name);
    else parameters.set(name, value);
  }
  return address.href;
}

/** What the keyboard can be at in the view. */
const controls = () => [...view.querySelectorAll("a, button, input, select")];
const titleOf = () => view.querySelector("h1")?.textContent;

/** The control that acts, where it had the keyboard: it loses it as it is disabled. */
let acting = null;

/** Whether both do the same; a button with other words does not. */
function isAlike(one, other) {
  return one?.nodeName !== "BUTTON" || one.textContent === other?.textContent;
}

/** Shows the view in place of the one before. The keyboard stays at its control, or comes to the title of a next step. */
function show(...children) {
  const { activeElement, body } = document;
  const held = activeElement === body ? acting : activeElement;
  const [at, title] = [controls().indexOf(held), titleOf()];
  view.replaceChildren(...children);
  if (title === titleOf() && isAlike(held, controls()[at])) controls()[at]?.focus();
  else if (title !== undefined && document.activeElement === document.body) {
    const heading = view.querySelector("h1") ?? view;
    heading.tabIndex = -1;
    heading.focus();
  }
}

/** Says what went wrong, beside what the customer did. */
function say(text) {
  const message = document.querySelector("#message");
  message.textContent = text;
  message.hidden = text === "";
  if (text !== "") message.scrollIntoView({ block: "nearest" });
}

/** What the service says of a request that it refused: each fault, or the refusal as a whole. */
function reasonOf(error) {
  const details = (error.errors ?? []).map(({ detail }) => detail);
  return details.length > 0 ? details.join(" ") : error.message;
}

/** Runs what a control does. It cannot be used again until that has ended. */
async function act(control, work) {
  if (control.disabled) return;
  acting = document.activeElement === control ? control : null;
  const held = acting;
  control.disabled = true;
  say("");
  try {
    await work();
  } catch (error) {
    say(reasonOf(error));
  }
  control.disabled = false;
  if (document.activeElement === document.body) held?.focus();
}

function button(label, work) {
  const made = make("button", { type: "button" }, label);
  made.addEventListener("click", () => void act(made, work));
  return made;
}

/** A button that looks like a part of the text. */
function link(label, work) {
  return Object.assign(button(label, work), { className: "quiet" });
}

/** A form that gives what was typed, by name, to `work`. Its button is the last of it. */
function form({ submit, className = "" }, work, ...children) {
  const send = make("button", { className: className === "" ? "main" : "" }, submit);
  const made = make("form", { className }, ...children, send);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    void act(send, () => work(Object.fromEntries(new FormData(made))));
  });
  return made;
}

/** A text that is typed, with its label. */
function field(label, properties) {
  return make(
    "label",
    {},
    label,
    make("input", { type: "text", dir: "auto", required: true, ...properties }),
  );
}

/** The first picture of a product, as wide as a tile unless told otherwise. */
function picture({ images: [image], name }, sizes = "(max-width: 40rem) 50vw, 320px") {
  if (image === undefined) return make("span", { className: "picture", ariaHidden: "true" });
  return make("img", {
    className: "picture",
    src: image.url,
    srcset: image.sizes.map(({ url, width }) => `${url} ${width}w`).join(", "),
    sizes,
    alt: image.alt || name,
    width: 320,
    height: 320,
    loading: "lazy",
  });
}

export { act, addressOf, button, duka, field, form, isTest, link, make, money, picture, say };
export { server, show };
