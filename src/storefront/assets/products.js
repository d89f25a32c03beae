// The list of products, and one product with its variants.

import { addToCart } from "./cart.js";
import { choices, queryOf } from "./filters.js";
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

/** Collections that the menu has room for. */
const IN_MENU = 12;

/** The collections at the top of the menu, and those below the one that is shown. */
async function findMenu(shown) {
  const menu = [];
  for await (const one of duka.collections.list()) {
    if (one.parent_id === null || one.parent_id === shown?.id) menu.push(one);
    if (menu.length === IN_MENU) break;
  }
  return menu;
}

/** The collection of this slug, also of one that it had before; null if there is none. */
async function findCollection(slug) {
  if (slug === null) return null;
  for await (const one of duka.collections.list({ slug })) return one;
  return null;
}

/** Links to all products and to each collection; nothing in a shop without collections. */
function menuOf(collections, shown) {
  if (collections.length === 0) return null;
  const entry = (title, slug) => {
    const isHere = shown !== undefined && slug === (shown?.slug ?? null);
    const made = make("a", { href: addressOf({ collection: slug }) }, title);
    if (isHere) made.setAttribute("aria-current", "page");
    return made;
  };
  const entries = collections.map(({ title, slug }) => entry(title, slug));
  return make("nav", { className: "menu", ariaLabel: "Collections" }, entry("All", null), entries);
}

function showGone(menu) {
  const about = make("p", {}, "It was deleted, or its address is misspelt.");
  const back = make("a", { href: addressOf({}) }, "See all products");
  show(menu ?? "", make("h1", {}, "There is no such collection."), about, back);
}

/** Shows what is for sale, as the address asks: of a collection, found by `q`, in an order, filtered. */
export async function showProducts(asked) {
  const collection = await findCollection(asked.collection);
  const isGone = asked.collection !== null && collection === null;
  const menu = menuOf(await findMenu(collection), isGone ? undefined : collection);
  if (isGone) showGone(menu);
  else await showList(asked, collection, menu);
}

/** The field of the search, which keeps what is chosen. */
function searchFor(q, chosen) {
  return form(
    { submit: "Search", className: "together" },
    ({ q: typed }) => (location.href = addressOf({ ...chosen(), q: typed || null })),
    make("input", { type: "search", name: "q", value: q ?? "", ariaLabel: "Search products" }),
  );
}

/** Says which words were searched for where those that were typed find nothing. */
function correction(q) {
  const note = make("p", { className: "notice", hidden: true });
  const tell = ({ corrected_q: words }) => {
    const asTyped = addressOf({ q, exact: "true" });
    note.hidden = words === null;
    note.replaceChildren(
      `Nothing was found for “${q}”. These are for “${words}”. `,
      make("a", { href: asTyped }, `Search for “${q}” all the same`),
    );
  };
  return { note, tell };
}

async function showList(asked, collection, menu) {
  const { q, exact } = asked;
  const { chosen, bar, tell } = choices(asked, collection);
  const search = searchFor(q, chosen);
  const list = make("ul", { className: "products" });
  const none = make("p", { hidden: true }, "Nothing was found.");
  const corrected = correction(q);
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
    const query = queryOf({ q, exact, ...filters });
    const facets =
      collection === null
        ? await duka.products.retrieveFacets(query)
        : await duka.collections.retrieveFacets(collection.id, query);
    if (from !== products) return;
    tell(facets);
    corrected.tell(facets);
  };
  const begin = async () => {
    const query = queryOf({ q, exact, ...chosen() });
    const listed =
      collection === null
        ? duka.products.list(query)
        : duka.collections.listProducts(collection.id, query);
    products = listed[Symbol.asyncIterator]();
    list.replaceChildren();
    await Promise.all([add(), count()]);
  };
  bar.addEventListener("change", () => {
    const slug = collection?.slug ?? null;
    history.replaceState(null, "", addressOf({ collection: slug, q, exact, ...chosen() }));
    // No control is held meanwhile: a later choice takes the place of this one.
    void act({}, begin);
  });
  const title = q === null ? (collection?.title ?? "Products") : `Products for “${q}”`;
  const about =
    collection === null ? null : make("p", { className: "lines-kept" }, collection.description);
  show(
    ...[menu, make("h1", {}, title), about, search, corrected.note, bar, list, none, more].filter(
      Boolean,
    ),
  );
  await act(more, begin);
}

function stockOf({ in_stock, available }) {
  if (!in_stock) return "Sold out";
  return available !== null && available > 0 && available <= 5 ? `${available} left` : "In stock";
}

/** A picture as wide as the product's view. */
function largePicture(images, name) {
  return picture({ images, name }, "(max-width: 48rem) 100vw, 500px");
}

/** The picture of the chosen variant large, or else the first one, and the others of the product below it. */
function pictures(product) {
  const { images, name } = product;
  const large = make("div", {}, largePicture(images, name));
  const showPicture = ({ image }) => {
    const shown = image === null ? images : [image];
    // The same picture is not loaded anew.
    if (large.firstChild.src !== shown[0]?.url) large.replaceChildren(largePicture(shown, name));
  };
  const others = images
    .slice(1)
    .map((image, index) =>
      make("li", {}, picture({ images: [image], name: `${name}, picture ${index + 2}` })),
    );
  const list = others.length === 0 ? null : make("ul", { className: "pictures" }, others);
  return { gallery: make("div", {}, large, list), showPicture };
}

/** What goes with the product; nothing where the merchant chose nothing. */
async function findRelated(id) {
  const related = [];
  for await (const one of duka.products.listRelatedProducts(id)) related.push(one);
  if (related.length === 0) return [];
  const list = make("ul", { className: "products" }, related.map(tile));
  return [make("section", { className: "related" }, make("h2", {}, "You may also like"), list)];
}

/** Whether the variant has what is chosen of an option. */
function hasChosen(variant, [name, { value }]) {
  return variant.options[name] === value;
}

/** A control for each option. Of values that are not made together, the one that was chosen last holds. */
function variantChoices({ options, variants }, onChange) {
  let chosen = variants.find(({ in_stock }) => in_stock) ?? variants[0];
  const lists = options.map(({ name, values }) => {
    const made = values.map((value) => make("option", { value }, value));
    return [name, make("select", {}, made)];
  });
  const alike = (variant) => lists.filter((list) => hasChosen(variant, list)).length;
  const choose = (variant) => {
    chosen = variant;
    for (const [name, list] of lists) list.value = chosen.options[name];
    onChange(chosen);
  };
  for (const changed of lists) {
    changed[1].addEventListener("change", () => {
      const having = variants.filter((variant) => hasChosen(variant, changed));
      choose(having.toSorted((one, other) => alike(other) - alike(one))[0] ?? chosen);
    });
  }
  choose(chosen);
  const labels = lists.map(([name, list]) => make("label", {}, name, list));
  return { labels: variants.length > 1 ? labels : [], chosenOne: () => chosen };
}

/** Shows one product; its variants are chosen by their options. */
export async function showProduct(id) {
  const [product, related] = await Promise.all([duka.products.retrieve(id), findRelated(id)]);
  const { name, description } = product;
  const price = make("p", { className: "price" });
  const stock = make("p", { className: "faint" });
  const { gallery, showPicture } = pictures(product);
  const { labels, chosenOne } = variantChoices(product, (chosen) => {
    price.textContent = priceOf(chosen);
    stock.textContent = stockOf(chosen);
    showPicture(chosen);
  });
  const buy = form({ submit: "Add to cart" }, () => addToCart(chosenOne()), labels, stock);
  document.title = `${name} · ${document.title}`;
  const text = make(
    "div",
    {},
    make("h1", {}, name),
    price,
    make("p", { className: "lines-kept" }, description),
    buy,
  );
  show(make("article", { className: "product" }, gallery, text), ...related);
}
