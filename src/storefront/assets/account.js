// The customer's account: signing in by a code, their orders and addresses, and what a checkout knows of them.

import { savedAddresses } from "./addresses.js";
import { findCart } from "./cart.js";
import { addressOf, duka, field, form, isTest, link, make, money, show } from "./parts.js";
import { customerToken, keepToken } from "./session.js";

/** Orders that are shown at once. */
const ORDERS_AT_ONCE = 20;

/** The customer who is signed in; null for a guest, and where the session has ended. */
async function findMe() {
  if (customerToken() === undefined) return null;
  try {
    return await duka.me.retrieve();
  } catch (error) {
    if (error.code !== "customer_session_invalid") throw error;
    keepToken("");
    return null;
  }
}

/** Says in the head of the page who is signed in, and leads to their account. */
function showWho(me) {
  const name = me === null ? "Sign in" : (me.first_name ?? me.name ?? me.email ?? me.phone);
  const href = addressOf({ view: me === null ? "sign-in" : "account" });
  document.querySelector("#account").replaceChildren(make("a", { href }, name));
}

/** Where the customer's next order goes: to their default address, else to where the last one went; null if unknown. */
async function knownAddress(me) {
  if (me === null || me.addresses.length > 0) return me?.addresses[0] ?? null;
  const { data } = await duka.me.listOrders({ limit: 1 }).page();
  return data[0]?.shipping_address ?? null;
}

/** Asks for the email, then for the code that is sent to it. `next` is the view that it leads to. */
/** Asks for the email of the customer, and for the code that is sent there; then shows the view. */
function showSignIn(next) {
  const ask = form(
    { submit: "Send me a code" },
    async ({ email }) => {
      const { challenge } = await duka.customerSessions.sendCode({ email });
      showCode({ email, challenge }, next);
    },
    field("Email", { name: "email", type: "email", autocomplete: "email" }),
  );
  const about = "We send a code to your email. There is no password.";
  show(make("h1", {}, "Sign in"), make("p", { className: "faint" }, about), testHint(), ask);
}

function testHint() {
  if (!isTest) return "";
  const text = "Test mode: the code of an address at example.com is 000000. Other codes are in the";
  return make("p", { className: "notice" }, `${text} inbox: GET /v2/test/inbox?name=mail.`);
}

/** The challenge stays with this page: the code is tried against it, whatever others ask and try. */
function showCode({ email, challenge }, next) {
  const give = form(
    { submit: "Sign in" },
    async ({ code }) => {
      const { token } = await duka.customerSessions.create({ email, code, challenge });
      keepToken(token);
      // A cart that was filled before is theirs from now on, at the prices that they have.
      const cart = await findCart();
      if (cart !== null) await duka.carts.update(cart.id, {});
      location.href = addressOf({ view: next });
    },
    field("Code", {
      name: "code",
      inputMode: "numeric",
      // Twelve digits, with spaces between them, after many wrong codes.
      pattern: "[0-9 ]{6,20}",
      maxLength: 20,
      autocomplete: "one-time-code",
    }),
  );
  const other = link("Use another email", () => showSignIn(next));
  const about = make("p", { className: "faint" }, "The code was sent to ", make("bdi", {}, email));
  show(make("h1", {}, "Type the code"), about, testHint(), give, other);
  give.querySelector("input").focus();
}

/** Shows the orders and the addresses of the customer, and the way out. */
async function showAccount(me) {
  if (me === null) {
    showSignIn("account");
    return;
  }
  const { data, has_more: hasMore } = await duka.me.listOrders({ limit: ORDERS_AT_ONCE }).page();
  const list = make("ul", { className: "lines orders" }, data.map(orderRow));
  const none = make("p", { className: "faint" }, "You have not ordered yet.");
  const end = hasMore ? make("p", { className: "faint" }, "Older orders are not shown here.") : "";
  const who = make(
    "p",
    { className: "faint" },
    "Signed in as ",
    make("bdi", {}, me.email ?? me.phone),
  );
  const shop = make("a", { href: addressOf({}) }, "See all products");
  show(
    make("h1", {}, "Your account"),
    who,
    make("h2", {}, "Your orders"),
    data.length === 0 ? none : list,
    end,
    make("h2", {}, "Your addresses"),
    ...savedAddresses(me, showAccount),
    shop,
    link("Sign out", signOut),
  );
}

/** The cart has the customer's contact, so it stays behind, too. */
async function signOut() {
  await duka.customerSessions.end();
  keepToken("");
  location.href = addressOf({ cart: null });
}

function orderRow(order) {
  const { number, created_at: at, status_url: href, total, currency, line_items: lines } = order;
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const day = new Date(at).toLocaleDateString(document.body.dataset.locale, {
    dateStyle: "medium",
  });
  const name = lines.length === 1 ? lines[0].name : `${units} articles`;
  return make(
    "li",
    {},
    make("a", { href }, `Order ${number}`),
    make("span", { className: "sum" }, money(total, currency)),
    make("span", { className: "faint" }, `${day} · `, make("bdi", {}, name)),
    make("span", { className: "state" }, stateOf(order)),
  );
}

/** Where the order stands, in a word. */
function stateOf({ status, payment_status: payment, fulfillment_status: fulfillment }) {
  if (status === "cancelled") return "Cancelled";
  if (payment === "refunded") return "Refunded";
  if (fulfillment === "fulfilled") return "Sent";
  if (fulfillment === "partially_fulfilled") return "Sent in part";
  return ["paid", "overpaid", "partially_refunded"].includes(payment) ? "Paid" : "Not paid yet";
}

export { findMe, knownAddress, showAccount, showSignIn, showWho };
