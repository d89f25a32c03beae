// The whole shop: products, a cart that survives a reload, a delivery, and the payment on the gateway's page.

import { type Cart, Duka, type DukaError, type Product, type UpdateCart } from "./duka.ts";

const { server = "", key = "" } = document.body.dataset;
const duka = new Duka({ baseUrl: server, key });
let cart: Cart | null = null;

type Tags = HTMLElementTagNameMap;

function make<T extends keyof Tags>(tag: T, set: Partial<Tags[T]>, ...parts: (Node | string)[]) {
  const made: Tags[T] = document.createElement(tag);
  Object.assign(made, set).append(...parts);
  return made;
}

function find<T extends keyof Tags>(tag: T, id: string): Tags[T] {
  return document.querySelector<Tags[T]>(`${tag}#${id}`) ?? make(tag, {});
}

/** Some currencies, such as PKR, are sold in smaller units than browsers show. */
const money = (amount: number, currency: string) =>
  amount.toLocaleString("en", { style: "currency", currency, maximumFractionDigits: 4 });
const say = (text: string) => find("p", "message").replaceChildren(text);

/** Does one thing at a time, and says what went wrong. */
async function act(work: () => Promise<void>) {
  find("main", "shop").inert = true;
  say("");
  await work().catch((error: Error) => say(error.message));
  find("main", "shop").inert = false;
}

function on(element: HTMLElement, event: string, work: () => Promise<void>) {
  element.addEventListener(event, (happened) => {
    happened.preventDefault();
    void act(work);
  });
}

/** Reads the cart again: another tab may have changed or ordered it. */
async function openCart() {
  const id = localStorage.getItem("cart");
  cart = id === null ? null : await duka.carts.retrieve(id).catch(ifGone);
  showCart();
}

function ifGone(error: DukaError) {
  if (error.status !== 404) throw error;
  return null;
}

async function changeCart(changes: UpdateCart) {
  keep(cart ? await duka.carts.update(cart.id, changes) : await duka.carts.create(changes));
}

function keep(changed: Cart) {
  cart = changed;
  localStorage.setItem("cart", changed.id);
  showCart();
}

/** Adds to the cart as it is then: another tab may have filled it meanwhile. */
async function add(variant_id: string) {
  await openCart();
  if (cart?.status === "completed" || cart?.status === "expired") cart = null;
  if (cart === null) await changeCart({ line_items: [{ variant_id, quantity: 1 }] });
  else keep(await duka.carts.addLine(cart.id, { variant_id }));
}

async function setQuantity(line: string, quantity: number) {
  if (cart === null) return;
  const { id } = cart;
  if (quantity === 0) keep(await duka.carts.removeLine(id, line));
  else keep(await duka.carts.updateLine(id, line, { quantity }));
}

function productItem({ name, images: [image], variants }: Product) {
  const choices = variants.map(({ id, title, prices: [price], in_stock }) => {
    const text = price ? money(price.amount, price.currency) : "";
    const label = variants.length > 1 ? `${text}, ${title}` : text;
    return make("option", { value: id, disabled: !price || !in_stock }, label);
  });
  const choice = make("select", { ariaLabel: `${name}: which` }, ...choices);
  const disabled = choices.every((option) => option.disabled);
  const button = make("button", { disabled }, disabled ? "Sold out" : "Add to cart");
  on(button, "click", () => add(choice.value));
  const picture = make("img", { src: image?.url ?? "", alt: image?.alt ?? "", loading: "lazy" });
  const price = variants.length > 1 ? choice : make("p", {}, choices[0]?.text ?? "");
  return make("li", {}, picture, make("h2", {}, name), price, button);
}

function showCart() {
  const { line_items = [], shipping_options = [], total = 0, currency = "USD" } = cart ?? {};
  const lines = line_items.map(({ id: line, name, quantity, subtotal }) => {
    const input = make("input", { type: "number", min: "0", max: "20", value: String(quantity) });
    input.ariaLabel = `Quantity of ${name}`;
    on(input, "change", () => setQuantity(line, Number(input.value)));
    return make("li", {}, input, make("span", {}, name ?? ""), money(subtotal ?? 0, currency));
  });
  const options = shipping_options.map(({ id, kind, label, amount }) => {
    const checked = cart?.shipping?.option_id === id;
    const input = make("input", { type: "radio", name: "delivery", required: true, checked });
    const shipping = kind === "rate" ? { rate_id: id } : { pickup_location_id: id };
    on(input, "change", () => changeCart({ shipping }));
    return make("label", {}, input, make("span", {}, label), money(amount, currency));
  });
  const units = line_items.reduce((sum, { quantity }) => sum + quantity, 0);
  find("a", "count").textContent = `Cart (${units})`;
  find("form", "cart").className = units === 0 ? "empty" : "";
  find("ul", "lines").replaceChildren(...lines);
  find("div", "delivery").replaceChildren(...options);
  find("p", "total").textContent = `Total with taxes: ${money(total, currency)}`;
}

const typed = (name: string) =>
  document.querySelector<HTMLInputElement>(`#customer [name=${name}]`)?.value ?? "";

/** Who buys, and where it goes: the shop asks for it before an order. */
function customer(): UpdateCart {
  const address = { line1: typed("line1"), city: typed("city"), country: typed("country") };
  const contact = { name: typed("name"), email: typed("email") };
  return { customer: contact, shipping_address: address };
}

/** What is delivered, and its taxes, depend on the country. */
async function locate() {
  const fields = [...document.querySelectorAll<HTMLInputElement>("#customer input")];
  if (cart !== null && fields.every((field) => field.checkValidity())) await changeCart(customer());
}

/** Orders exactly what is shown. A cart that was ordered before, when the answer was lost, has its order. */
async function placeOrder({ id, total }: Cart) {
  try {
    await duka.carts.startCheckout(id, customer());
    return (await duka.carts.complete(id, { expected_total: total })).id;
  } catch (error) {
    await openCart();
    if (cart?.order_id) return cart.order_id;
    throw error;
  }
}

async function pay() {
  if (cart === null) return;
  const order_id = await placeOrder(cart);
  const return_url = location.origin + location.pathname;
  const { next_action, status } = await duka.payments.initialize({ order_id, return_url });
  localStorage.removeItem("cart");
  if (next_action?.url) location.href = next_action.url;
  else say(next_action?.display_text ?? `The payment is ${status}.`);
}

/** Asks what became of the payment: the address of the page proves nothing. */
async function thank(reference: string) {
  const { status, amount, currency } = await duka.payments.retrieve(reference);
  const isPaid = status === "succeeded";
  say(isPaid ? `Thank you: ${money(amount, currency)} is paid.` : `Not paid yet: ${status}.`);
}

on(find("form", "cart"), "submit", pay);
find("fieldset", "customer").addEventListener("change", () => {
  // Beside a press of the button, which it must not stop.
  locate().catch((error: Error) => say(error.message));
});

await act(async () => {
  await openCart();
  for await (const product of duka.products.list()) {
    find("ul", "products").append(productItem(product));
  }
  const payment = new URLSearchParams(location.search).get("payment");
  if (payment !== null) await thank(payment);
});
