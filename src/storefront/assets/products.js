// The list of products, and one product with its variants.

import { addToCart } from "./cart.js";
import { choices } from "./filters.js";
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

/** What the list and its counts are asked for. */
function queryOf(values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** Shows what is for sale, as the address asks: found by `q`, in an order, filtered. */
export async function showProducts(asked) {
  const { q } = asked;
  const { chosen, bar, tell } = choices(asked);
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
  const count = async () => {
    const from = products;
    const { sort: _, ...filters } = chosen();
    const facets = await duka.products.retrieveFacets(queryOf({ q, ...filters }));
    if (from === products) tell(facets);
  };
  const begin = async () => {
    products = duka.products.list(queryOf({ q, ...chosen() }))[Symbol.asyncIterator]();
    list.replaceChildren();
    await Promise.all([add(), count()]);
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
