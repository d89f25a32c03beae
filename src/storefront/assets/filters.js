// What the list of products is ordered and filtered by, and how many products each choice leads to.

import { make, money } from "./parts.js";

/** The parameters of the address, which are those of the list. */
const CHOICES = ["sort", "category", "brand", "currency", "price[gte]", "price[lte]", "available"];

/** Options such as Size that are offered: as many as a list is asked for at once. */
const OPTIONS = 5;
const ofOption = /^option\[(.+)\]$/;

/** What the address asks a list for. */
function askedOf(parameters) {
  const named = ["collection", "q", "exact", ...CHOICES].map((name) => [
    name,
    parameters.get(name),
  ]);
  return Object.fromEntries([...named, ...[...parameters].filter(([name]) => ofOption.test(name))]);
}

/** The same as the query of a list or of its counts. */
function queryOf(asked) {
  const given = Object.entries(asked).filter(([, value]) => value !== null);
  const [options, others] = [true, false].map((isOption) =>
    given.filter(([name]) => ofOption.test(name) === isOption),
  );
  const option = options.map(([name, value]) => [ofOption.exec(name)[1], [value]]);
  return { ...Object.fromEntries(others), option: Object.fromEntries(option) };
}

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

/** A list of values that is hidden until its counts tell more than what is chosen. */
function listOf(label, chosen) {
  const value = chosen ?? "";
  return Object.assign(picked(label, [[value, value]], value), { hidden: value === "" });
}

/** The counts of an option that no product of the list has. */
const NOTHING = { values: [], left_out: 0 };

/** The controls of options, by their names in the address: of those that are asked for, and of what the counts tell. */
function optionChoices(asked) {
  const names = Object.keys(asked).filter((name) => ofOption.test(name));
  const lists = new Map(names.map((name) => [name, listOf(ofOption.exec(name)[1], asked[name])]));
  const tell = (groups, told, end) => {
    const added = groups.map(({ name }) => `option[${name}]`).filter((name) => !lists.has(name));
    for (const name of added.slice(0, OPTIONS - lists.size)) {
      lists.set(name, listOf(ofOption.exec(name)[1]));
      end.before(lists.get(name));
    }
    for (const [name, list] of lists) {
      const group = groups.find((one) => `option[${one.name}]` === name) ?? NOTHING;
      offer(list, { all: `Any ${list.ariaLabel}`, group, told });
    }
  };
  const chosen = () =>
    Object.fromEntries([...lists].map(([name, { value }]) => [name, value || null]));
  return { lists: [...lists.values()], chosen, tell };
}

/** The controls of a list or of a collection, which has an order of its own; what is chosen with them, and what tells the counts in them. */
function choices(asked, collection) {
  const orders = collection === null ? ORDERS : [["", "As arranged"], ...ORDERS];
  const [usual] = orders[0];
  const order = picked("Order", orders, asked.sort);
  const category = listOf("Category", asked.category);
  const brand = listOf("Brand", asked.brand);
  const options = optionChoices(asked);
  const least = typed("Price from", asked["price[gte]"]);
  const most = typed("Price to", asked["price[lte]"]);
  const box = make("input", { type: "checkbox", checked: asked.available === "true" });
  const stocked = make("span", {}, "In stock only");
  let { currency } = asked;
  const chosen = () => ({
    sort: order.value === usual ? null : order.value,
    category: category.value || null,
    brand: brand.value || null,
    ...options.chosen(),
    currency: least.value === "" && most.value === "" ? null : currency,
    "price[gte]": least.value || null,
    "price[lte]": most.value || null,
    available: box.checked ? "true" : null,
  });
  const tell = ({ categories, brands, options: groups, prices, available, complete }) => {
    // Of a shop too large to be counted whole, no count is told.
    const told = (count) => (complete ? ` (${count})` : "");
    offer(category, { all: "All categories", group: categories, told });
    offer(brand, { all: "All brands", group: brands, told });
    options.tell(groups, told, label);
    stocked.textContent = `In stock only${told(available)}`;
    const [range] = prices.filter((one) => currency === null || one.currency === currency);
    if (range === undefined) return;
    currency = range.currency;
    least.placeholder = `From ${money(range.min, currency)}`;
    most.placeholder = `To ${money(range.max, currency)}`;
  };
  const label = make("label", { className: "choice" }, box, stocked);
  const pair = make("div", { className: "pair" }, least, most);
  const lists = [order, category, brand, ...options.lists];
  const bar = make("div", { className: "choices" }, lists, label, pair);
  return { chosen, bar, tell };
}

export { askedOf, choices, queryOf };
