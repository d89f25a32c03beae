// The cart: lines, codes of discounts, delivery, and what it all comes to.

import { act, addressOf, duka, field, form, link, make, money, show } from "./parts.js";

const refusals = {
  unknown: "There is no such code.",
  not_started: "This code is not valid yet.",
  ended: "This code has ended.",
  exhausted: "This code was used up.",
  currency: "This code is for another currency.",
  customer_required: "This code needs your email address, or is for customers whom the shop knows.",
  customer_not_eligible: "This code is not for you.",
  used_by_customer: "You have used this code already.",
  not_combinable: "This code cannot be combined with another discount.",
  minimum_not_met: "The cart is below the minimum of this code.",
  no_matching_items: "Nothing in the cart is discounted by this code.",
  no_effect: "This code takes nothing off.",
};

const problems = {
  unknown_variant: "is not sold any more",
  variant_not_for_sale: "is not sold any more",
  price_missing: "has no price in this currency",
  insufficient_stock: "is short of stock",
  amount_too_large: "is too many",
};

function cartId() {
  return new URL(location.href).searchParams.get("cart");
}

/** The cart of the address; null without one, and for one that is gone or was ordered. */
export async function findCart() {
  const id = cartId();
  if (id === null) return null;
  try {
    const cart = await duka.carts.retrieve(id);
    return cart.status === "completed" || cart.status === "expired" ? null : cart;
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

/** Says in the head of the page how much is in the cart, and leads there. */
export function showCount(cart) {
  const count = (cart?.line_items ?? []).reduce((sum, { quantity }) => sum + quantity, 0);
  const toCart = make("a", { href: addressOf({ view: "cart" }) }, `Cart (${count})`);
  document.querySelector("#cart").replaceChildren(toCart);
}

/** Puts one more of the variant into the cart, and leads there. A new cart is in the currency of its first price. */
export async function addToCart({ id: variant_id, prices: [price] }) {
  const { id } = (await findCart()) ?? (await duka.carts.create({ currency: price?.currency }));
  await duka.carts.addLine(id, { variant_id });
  location.href = addressOf({ cart: id, view: "cart" });
}

/** Changes the cart that is shown, and shows what became of it. One that another tab changed is shown as it is now. */
async function update({ id, version }, changes) {
  try {
    showCart(await duka.carts.update(id, changes, { ifMatch: version }));
  } catch (error) {
    if (error.code !== "stale_version") throw error;
    showCart(await duka.carts.retrieve(id));
    throw new Error("The cart was changed elsewhere. This is what it is now.", { cause: error });
  }
}

/** Sets how many units a line has; none takes it out. */
function setQuantity(cart, line, to) {
  const lines = cart.line_items.map(({ id, variant_id, quantity }) => ({
    id,
    variant_id,
    quantity: id === line ? to : quantity,
  }));
  return update(cart, { line_items: lines.filter(({ quantity }) => quantity > 0) });
}

function row(cart, { name, quantity, subtotal, problem, id }) {
  const amount = make("input", {
    type: "number",
    min: 1,
    max: 999,
    required: true,
    value: quantity,
    ariaLabel: `Quantity of ${name}`,
  });
  amount.addEventListener("change", () => {
    if (!amount.reportValidity()) return;
    void act(amount, () => setQuantity(cart, id, Number(amount.value)));
  });
  const title = make("strong", {}, name ?? "A product");
  if (problem !== null) title.append(make("em", {}, ` ${problems[problem]}`));
  const sum = subtotal === null ? "" : money(subtotal, cart.currency);
  const remove = link("Remove", () => setQuantity(cart, id, 0));
  const controls = make("span", { className: "together" }, amount, remove);
  return make("li", {}, title, make("span", { className: "sum" }, sum), controls);
}

function codes(cart) {
  const { discount_codes: used, rejected_codes: rejected } = cart;
  const entered = used.map((code) => {
    const refusal = rejected.find((one) => one.code === code);
    const said = refusal === undefined ? "is used." : refusals[refusal.reason];
    const left = used.filter((one) => one !== code);
    const remove = link(`Remove ${code}`, () => update(cart, { discount_codes: left }));
    return make("li", {}, make("strong", {}, code), make("span", {}, said), remove);
  });
  const add = form(
    { submit: "Use code", className: "together" },
    ({ code }) => update(cart, { discount_codes: [...used, code.trim()] }),
    field("Discount code", { name: "code", autocomplete: "off" }),
  );
  return [add, make("ul", { className: "codes", hidden: used.length === 0 }, entered)];
}

/** What the cart comes to: goods, discounts, delivery, taxes and the total, as the service says. */
export function sums(cart) {
  const { currency, subtotal, discounts, shipping, shipping_total, tax_lines, total } = cart;
  const rows = [
    ["Goods", subtotal],
    ...discounts.map(({ title, amount }) => [make("bdi", {}, title), -amount]),
    ...(shipping === null ? [] : [[shipping.label ?? "Delivery", shipping_total]]),
    ...tax_lines.map(({ name, rate, included, amount }) => [
      [included ? "Includes " : "", make("bdi", {}, name), ` ${rate} %`],
      amount,
    ]),
    ["Total", total],
  ];
  return make(
    "dl",
    { className: "sums" },
    rows.map(([label, amount]) =>
      make("div", {}, make("dt", {}, label), make("dd", {}, money(amount, currency))),
    ),
  );
}

/** Shows the cart; null is an empty one. */
export function showCart(cart) {
  showCount(cart);
  if (cart === null || cart.line_items.length === 0) {
    const back = make("a", { href: addressOf({}) }, "See all products");
    show(make("h1", {}, "Cart"), make("p", {}, "Your cart is empty."), back);
    return;
  }
  const lines = cart.line_items.map((line) => row(cart, line));
  const checkout = make("a", { className: "button main", href: addressOf({ view: "checkout" }) });
  checkout.append("Check out");
  show(
    make("h1", {}, "Cart"),
    make("ul", { className: "lines" }, lines),
    ...codes(cart),
    sums(cart),
    checkout,
  );
}
