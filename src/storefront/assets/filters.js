// What the list of products is ordered and filtered by, and how many products each choice leads to.

import { make, money } from "./parts.js";

/** The parameters of the address, which are those of the list. */
const CHOICES = ["sort", "category", "brand", "currency", "price[gte]", "price[lte]", "available"];

const ORDERS = [
  ["newest", "Newest first"],
  ["price", "Lowest price first"],
  ["-price", "Highest price first"],
  ["name", "By name"],
];

function picked(label, options, value) {
  const made = options.map(([one, text]) => make("option", { value: one }, text));
  const select = make("select", { ariaLabel: label }, made);
  select.value = options.some(([one]) => one === value) ? value : options[0][0];
  return select;
}

function typed(label, value) {
  const properties = { type: "number", min: 0, step: "any", value: value ?? "", ariaLabel: label };
  return make("input", { ...properties, placeholder: label });
}

/** The values of a group; what is chosen stays, also where no product has it. */
function offer(select, { all, group, told }) {
  const { values, left_out: leftOut } = group;
  const chosen = select.value;
  const known = values.some(({ value }) => value === chosen);
  const others = chosen === "" || known ? [] : [{ value: chosen, count: 0 }];
  const options = [...values, ...others].map(({ value, count }) =>
    make("option", { value }, `${value}${told(count)}`),
  );
  const rest = make("option", { disabled: true }, `${leftOut} more`);
  const end = leftOut === 0 ? [] : [rest];
  select.replaceChildren(make("option", { value: "" }, all), ...options, ...end);
  select.value = chosen;
  select.hidden = select.childElementCount === 1;
}

/** The controls of a list or of a collection, which has an order of its own; what is chosen with them, and what tells the counts in them. */
function choices(asked, collection) {
  const orders = collection === null ? ORDERS : [["", "As arranged"], ...ORDERS];
  const [usual] = orders[0];
  const order = picked("Order", orders, asked.sort);
  const [category, brand] = ["category", "brand"].map((name) => {
    const value = asked[name] ?? "";
    return Object.assign(picked(name, [[value, value]], value), { hidden: value === "" });
  });
  category.ariaLabel = "Category";
  brand.ariaLabel = "Brand";
  const least = typed("Price from", asked["price[gte]"]);
  const most = typed("Price to", asked["price[lte]"]);
  const box = make("input", { type: "checkbox", checked: asked.available === "true" });
  const stocked = make("span", {}, "In stock only");
  let { currency } = asked;
  const chosen = () => ({
    sort: order.value === usual ? null : order.value,
    category: category.value || null,
    brand: brand.value || null,
    currency: least.value === "" && most.value === "" ? null : currency,
    "price[gte]": least.value || null,
    "price[lte]": most.value || null,
    available: box.checked ? "true" : null,
  });
  const tell = ({ categories, brands, prices, available, complete }) => {
    // Of a shop too large to be counted whole, no count is told.
    const told = (count) => (complete ? ` (${count})` : "");
    offer(category, { all: "All categories", group: categories, told });
    offer(brand, { all: "All brands", group: brands, told });
    stocked.textContent = `In stock only${told(available)}`;
    const [range] = prices.filter((one) => currency === null || one.currency === currency);
    if (range === undefined) return;
    currency = range.currency;
    least.placeholder = `From ${money(range.min, currency)}`;
    most.placeholder = `To ${money(range.max, currency)}`;
  };
  const label = make("label", { className: "choice" }, box, stocked);
  const pair = make("div", { className: "pair" }, least, most);
  const bar = make("div", { className: "choices" }, order, category, brand, label, pair);
  return { chosen, bar, tell };
}

export { CHOICES, choices };
