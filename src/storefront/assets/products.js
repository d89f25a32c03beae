// The list of products, and one product with its variants.

import { addToCart } from "./cart.js";
import { act, addressOf, button, duka, form, make, money, picture, show } from "./parts.js";

/** Products that are shown at once. */
const AT_ONCE = 24;

/** The first price: the store's currency, unless the product has none in it. */
function priceOf({ prices: [price] }) {
  return price === undefined ? "" : money(price.amount, price.currency);
}

function tile(product) {
  const { id, name, variants } = product;
  const cheapest = variants.toSorted((a, b) => a.prices[0]?.amount - b.prices[0]?.amount)[0];
  const isOneOfMany = new Set(variants.map(priceOf)).size > 1;
  const price = cheapest === undefined ? "" : `${isOneOfMany ? "from " : ""}${priceOf(cheapest)}`;
  const isSold = variants.some(({ in_stock }) => in_stock);
  return make(
    "li",
    {},
    make(
      "a",
      { href: addressOf({ product: id }) },
      // The name beside it says what it shows.
      Object.assign(picture(product), { alt: "" }),
      make("strong", {}, name),
      make("span", { className: "price" }, isSold ? price : "Sold out"),
    ),
  );
}

const ORDERS = [
  ["newest", "Newest first"],
  ["price", "Lowest price first"],
  ["-price", "Highest price first"],
  ["name", "By name"],
];

/** What chooses the order of the products and whether those are left out that are sold out. */
function choices({ sort, available }) {
  const options = ORDERS.map(([value, label]) => make("option", { value }, label));
  const order = make("select", { ariaLabel: "Order" }, options);
  order.value = ORDERS.some(([value]) => value === sort) ? sort : "newest";
  const box = make("input", { type: "checkbox", checked: available === "true" });
  const chosen = () => ({
    sort: order.value === "newest" ? null : order.value,
    available: box.checked ? "true" : null,
  });
  const stocked = make("label", { className: "choice" }, box, "In stock only");
  return { chosen, bar: make("div", { className: "choices" }, order, stocked) };
}

/** Shows what is for sale, as the address asks: found by `q`, in an order, only what is in stock. */
export async function showProducts(asked) {
  const { q } = asked;
  const { chosen, bar } = choices(asked);
  const search = form(
    { submit: "Search", className: "together" },
    ({ q: typed }) => (location.href = addressOf({ ...chosen(), q: typed || null })),
    make("input", { type: "search", name: "q", value: q ?? "", ariaLabel: "Search products" }),
  );
  const list = make("ul", { className: "products" });
  const none = make("p", { hidden: true }, "Nothing was found.");
  let products;
  const add = async () => {
    const from = products;
    for (let count = 0; count < AT_ONCE; count += 1) {
      const { value, done } = await from.next();
      // Another choice was made meanwhile.
      if (from !== products) return;
      more.hidden = done === true;
      if (done === true) break;
      list.append(tile(value));
    }
    none.hidden = list.childElementCount > 0;
  };
  const more = button("Show more", add);
  const begin = () => {
    const given = Object.entries({ q, ...chosen() }).filter(([, value]) => value !== null);
    products = duka.products.list(Object.fromEntries(given))[Symbol.asyncIterator]();
    list.replaceChildren();
    return add();
  };
  bar.addEventListener("change", () => {
    history.replaceState(null, "", addressOf({ q, ...chosen() }));
    // No control is held meanwhile: a later choice takes the place of this one.
    void act({}, begin);
  });
  const title = q === null ? "Products" : `Products for “${q}”`;
  show(make("h1", {}, title), search, bar, list, none, more);
  await act(more, begin);
}

function stockOf({ in_stock, available }) {
  if (!in_stock) return "Sold out";
  return available !== null && available > 0 && available <= 5 ? `${available} left` : "In stock";
}

/** Shows one product; its variants are chosen by their titles. */
export async function showProduct(id) {
  const product = await duka.products.retrieve(id);
  const { name, description, variants } = product;
  const options = variants.map(({ id: variant, title }) =>
    make("option", { value: variant }, title),
  );
  const choice = make("select", { name: "variant" }, options);
  const price = make("p", { className: "price" });
  const stock = make("p", { className: "faint" });
  const chosenOne = () => variants.find(({ id: variant }) => variant === choice.value);
  const showVariant = () => {
    const chosen = chosenOne();
    price.textContent = priceOf(chosen);
    stock.textContent = stockOf(chosen);
  };
  choice.addEventListener("change", showVariant);
  choice.value = (variants.find(({ in_stock }) => in_stock) ?? variants[0]).id;
  showVariant();
  const buy = form(
    { submit: "Add to cart" },
    () => addToCart(chosenOne()),
    variants.length > 1 ? make("label", {}, "Which one", choice) : null,
    stock,
  );
  document.title = `${name} · ${document.title}`;
  const text = make(
    "div",
    {},
    make("h1", {}, name),
    price,
    make("p", { className: "lines-kept" }, description),
    buy,
  );
  show(make("article", { className: "product" }, picture(product), text));
}
