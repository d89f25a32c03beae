// The checkout: who buys and where it goes, then the delivery and the payment, then what became of it.

import { findMe, knownAddress, showSignIn } from "./account.js";
import { addressChoice, chosenAddress, saveAddress } from "./addresses.js";
import { findCart, showCart, showCount, sums } from "./cart.js";
import { act, addressOf, duka, field, form, link, make, money, server, show } from "./parts.js";
import { customerToken } from "./session.js";

/** Milliseconds between two questions about a payment that is under way. */
const ASK_EVERY_MS = 1500;

const providers = {
  mtn: "MTN",
  vodafone: "Vodafone",
  telecel: "Telecel",
  airteltigo: "AT",
  mpesa: "M-PESA",
  airtel: "Airtel",
  orange: "Orange",
  wave: "Wave",
};

/** Shows the checkout of the cart in the address. */
export async function showCheckout(me) {
  const cart = await findCart();
  if (cart === null || cart.line_items.length === 0) showCart(null);
  else showContact(cart, me, await knownAddress(me));
}

const noContact = { email: null, phone: null, name: null };

/** `me` is the customer who is signed in, null for a guest, and `known` where their orders go. */
function showContact({ id, customer, shipping_address: address, currency }, me, known) {
  const { email, phone, name } = { ...noContact, ...me, ...contactIn(customer) };
  const contact = form(
    { submit: "Continue" },
    async (typed) => {
      const cart = await startCheckout(id, typed, chosenAddress(me, typed));
      // An address that cannot be saved keeps no one from buying: it is said beside the payment.
      const [saved] = await Promise.allSettled(
        typed.save === undefined ? [] : [saveAddress(cart.shipping_address)],
      );
      await showPayment(cart);
      if (saved?.status === "rejected") throw saved.reason;
    },
    field("Email", { name: "email", type: "email", value: email }),
    field("Name", { name: "name", value: name }),
    field("Phone", { name: "phone", type: "tel", value: phone, required: false }),
    addressChoice(me, address ?? known ?? { country: countryOf(currency) }),
  );
  const signIn = make("a", { href: addressOf({ view: "sign-in", next: "checkout" }) }, "Sign in");
  const offer = make("p", { className: "faint" }, "Have you ordered before? ", signIn);
  show(make("h1", {}, "Checkout"), customerToken() === undefined ? offer : "", contact);
}

/** What the cart has of the contact. */
function contactIn(customer) {
  return Object.fromEntries(Object.entries(customer ?? {}).filter(([, value]) => value !== null));
}

function startCheckout(id, { email, phone, name }, shipping_address) {
  return duka.carts.startCheckout(id, {
    customer: { email, name, phone: phone === "" ? null : phone },
    shipping_address,
  });
}

/** Where most customers of a currency are; they may change it. */
function countryOf(currency) {
  return { GHS: "GH", KES: "KE", NGN: "NG", XOF: "CI", UGX: "UG", EUR: "DE" }[currency] ?? "GH";
}

/** Shows what is left to choose, with the total that is charged. */
async function showPayment(cart) {
  const { total, currency } = cart;
  const offered = await duka.payments.retrieveMethods({ currency, amount: total });
  let [charged, bill] = [cart, sums(cart)];
  const charge = (changed) => {
    charged = changed;
    const anew = sums(changed);
    bill.replaceWith(anew);
    bill = anew;
    payment.lastElementChild.textContent = payLabel(changed);
  };
  const payment = form(
    { submit: payLabel(cart) },
    async ({ method, phone, provider }) => {
      const order = await orderOf(charged, method);
      await payFor(order, method === "mobile_money" ? { method, phone, provider } : { method });
    },
    delivery(cart, charge),
    waysToPay(offered.methods),
    bill,
  );
  const back = link("Change the address", async () => showCheckout(await findMe()));
  show(make("h1", {}, "Delivery and payment"), payment, back);
}

function payLabel({ total, currency }) {
  return `Pay ${money(total, currency)}`;
}

/** The ways to deliver; `charge` is told what the cart comes to with the chosen one. */
function delivery(cart, charge) {
  if (cart.problems.includes("shipping_unavailable")) {
    return make("p", { className: "notice" }, "The shop does not deliver to this address.");
  }
  const choices = cart.shipping_options.map((option) => choiceOf(cart, option, charge));
  if (choices.length === 0) return null;
  return make("fieldset", {}, make("legend", {}, "Delivery"), choices);
}

function choiceOf({ id: cart, currency, shipping: chosen }, { id, kind, label, amount }, charge) {
  const checked = chosen?.option_id === id;
  const input = make("input", { type: "radio", name: "shipping", required: true, checked });
  const shipping = kind === "rate" ? { rate_id: id } : { pickup_location_id: id };
  input.addEventListener("change", () => {
    void act(input, async () => charge(await duka.carts.update(cart, { shipping })));
  });
  const price = make("span", { className: "sum" }, money(amount, currency));
  return make("label", { className: "choice" }, input, make("span", {}, label), price);
}

/** The ways to pay that the shop offers, as it names them. A card is paid on the payment page, too. */
function waysToPay(methods) {
  const names = methods.map(({ method }) => method);
  const first = names.includes("gateway") ? "gateway" : names[0];
  const choices = methods.map(({ method, label }) => {
    const checked = method === first;
    const input = make("input", { type: "radio", name: "method", value: method, checked });
    return make("label", { className: "choice" }, input, label);
  });
  const taken = methods.find(({ method }) => method === "mobile_money")?.providers ?? [];
  const options = taken.map((one) => make("option", { value: one }, providers[one] ?? one));
  const provider = make("label", {}, "Provider", make("select", { name: "provider" }, options));
  const phone = field("Phone that pays", { name: "phone", type: "tel", required: false });
  const mobile = make("div", { className: "together" }, phone, provider);
  const askForPhone = (method) => {
    mobile.hidden = method !== "mobile_money";
    phone.lastElementChild.required = !mobile.hidden;
  };
  askForPhone(first);
  const all = make("fieldset", {}, make("legend", {}, "Payment"), choices, mobile);
  all.addEventListener("change", ({ target }) => {
    if (target.name === "method") askForPhone(target.value);
  });
  return all;
}

/** Makes an order of the cart at the total that was shown. A cart that changed meanwhile is shown as it is now. */
async function orderOf({ id, total: expected_total, currency }, payment_method) {
  try {
    return await duka.carts.complete(id, { payment_method, expected_total });
  } catch (error) {
    // The answer of the try before was lost.
    if (error.code === "cart_completed") {
      const { order_id, status_url } = error.problem;
      return { id: order_id, status_url };
    }
    if (error.code === "total_changed") {
      const cart = await duka.carts.retrieve(id);
      await showPayment(cart);
      const text = `The total has changed: it is ${money(cart.total, currency)} now.`;
      throw new Error(text, { cause: error });
    }
    if (error.code === "contact_proof_required") {
      history.replaceState(null, "", addressOf({ view: "sign-in", next: "checkout" }));
      showSignIn("checkout");
      throw new Error("Sign in with a code to order this. Your cart is kept.", { cause: error });
    }
    if (["insufficient_stock", "variant_not_for_sale"].includes(error.code)) {
      showCart(await duka.carts.retrieve(id));
    }
    throw error;
  }
}

/** Begins the payment of the order, and leads on. */
async function payFor({ id: order_id, status_url, due }, payer) {
  const thanks = { cart: null, order: new URL(status_url).pathname };
  if (due === 0) {
    location.replace(addressOf(thanks));
    return;
  }
  // The service keeps it, which needs no session.
  const [return_url] = addressOf(thanks).split("#");
  const sale = { order_id, ...payer, return_url };
  try {
    const { id, authorization_url: page } = await duka.payments.initialize(sale);
    const followed = addressOf({ ...thanks, payment: id });
    // Who goes back from the payment page comes to the order: the cart is gone.
    history.replaceState(null, "", followed);
    if (page === null) location.reload();
    else location.href = page;
  } catch (error) {
    // The cart became an order, which is paid on its own page.
    const pay = make("a", { className: "button main", href: status_url });
    pay.append("Pay for your order");
    show(make("h1", {}, "Your order is placed, and not paid yet."), pay);
    showCount(null);
    throw error;
  }
}

const states = {
  succeeded: "Thank you. Your order is paid.",
  processing: "Your payment is under way.",
  requires_action: "Your payment waits for you.",
  pending: "Your payment waits for you.",
  failed: "The payment did not go through. Nothing was charged.",
  cancelled: "The payment was cancelled. Nothing was charged.",
  expired: "The payment took too long. Nothing was charged.",
  review: "Your payment is being looked at by the shop.",
};

/** Shows what became of the order, and follows its payment until that is decided. */
export async function showThanks(orderPath, id) {
  const links = [make("a", { href: addressOf({ cart: null }) }, "Go on shopping")];
  if (/^\/o\/[\w.-]+$/.test(orderPath)) {
    links.unshift(
      make("a", { className: "button main", href: server + orderPath }, "See your order"),
    );
  }
  if (id === null) {
    show(make("h1", {}, "Thank you for your order."), ...links);
    return;
  }
  for (;;) {
    const payment = await duka.payments.retrieve(id);
    show(...describe(payment), ...links);
    const isDecided = !["pending", "requires_action", "processing"].includes(payment.status);
    if (isDecided || ["otp", "pay_by_hand"].includes(payment.next_action?.type)) return;
    await new Promise((done) => setTimeout(done, ASK_EVERY_MS));
  }
}

function describe({ id, status, amount, currency, next_action: next }) {
  const text = next?.display_text ?? null;
  const isByHand = next?.type === "pay_by_hand";
  const said = isByHand ? "Thank you for your order." : states[status];
  return [
    make("h1", { ariaLive: "polite" }, said ?? `The payment is ${status}.`),
    make("p", { className: "price" }, money(amount, currency)),
    ...(text === null ? [] : [make("p", { className: "notice" }, text)]),
    ...(next?.type === "otp" ? [codeForm(id)] : []),
  ];
}

/** Asks for the code that the provider sent to the phone. */
function codeForm(id) {
  return form(
    { submit: "Send code" },
    async ({ otp }) => {
      await duka.payments.submitOtp(id, { otp });
      location.reload();
    },
    field("Code", { name: "otp", inputMode: "numeric", autocomplete: "one-time-code" }),
  );
}
