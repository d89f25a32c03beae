// The customer's addresses: what is typed of one, the list under their account, and the choice at a checkout. The first
// one is the default.

import { button, duka, field, form, link, make, show } from "./parts.js";

/** The value of the choice to type an address. */
const TYPED = "typed";

function countryName(code) {
  return new Intl.DisplayNames(document.body.dataset.locale, { type: "region" }).of(code);
}

/** The address as a text: the place, and above it who receives it there. */
function addressText({ name, line1, line2, city, region, postal_code, country, phone }) {
  const town = [postal_code, city].filter(Boolean).join(" ");
  const where = [line1, line2, town, region, country && countryName(country), phone];
  const place = make("bdi", { className: "faint" }, where.filter(Boolean).join(", "));
  if (name === null) return make("span", {}, place);
  return make("span", {}, make("bdi", {}, name), make("br"), place);
}

const maybe = { required: false };

/** What is typed of a place. */
function placeFields({ line1, line2, city, region, postal_code: code, country }) {
  return [
    field("Street", { name: "line1", autocomplete: "address-line1", value: line1 ?? "" }),
    field("Flat, floor or building", {
      ...maybe,
      name: "line2",
      autocomplete: "address-line2",
      value: line2 ?? "",
    }),
    field("City", { name: "city", autocomplete: "address-level2", value: city ?? "" }),
    make(
      "div",
      { className: "together" },
      field("Region", {
        ...maybe,
        name: "region",
        autocomplete: "address-level1",
        value: region ?? "",
      }),
      field("Postal code", {
        ...maybe,
        name: "postal_code",
        autocomplete: "postal-code",
        value: code ?? "",
      }),
    ),
    field("Country, two letters", {
      name: "country",
      autocomplete: "country",
      pattern: "[A-Za-z]{2}",
      value: country ?? "",
    }),
  ];
}

function orNull(typed) {
  return typed === "" ? null : typed;
}

/** The place that was typed. */
function placeIn({ line1, line2, city, region, postal_code, country }) {
  return {
    line1,
    line2: orNull(line2),
    city,
    region: orNull(region),
    postal_code: orNull(postal_code),
    country: country.toUpperCase(),
  };
}

function placeChoice(value, checked, label) {
  const input = make("input", { type: "radio", name: "to", value, checked });
  return make("label", { className: "choice" }, input, label);
}

/** Where an order goes: to one of the customer's addresses, or to one that is typed. A guest, who is null, types it. */
function addressChoice(me, place) {
  const saved = me?.addresses ?? [];
  const chosen = saved.findIndex((one) => isSame(one, place));
  const save = make("input", { type: "checkbox", name: "save" });
  const typed = make(
    "fieldset",
    { ariaLabel: "Address" },
    placeFields(chosen < 0 ? place : { country: place.country }),
    me && make("label", { className: "choice" }, save, "Save this address"),
  );
  if (saved.length === 0) return typed;
  const asksForPlace = (isTyped) => Object.assign(typed, { hidden: !isTyped, disabled: !isTyped });
  asksForPlace(chosen < 0);
  const all = make(
    "fieldset",
    {},
    make("legend", {}, "Deliver to"),
    saved.map((one, index) => placeChoice(index, index === chosen, addressText(one))),
    placeChoice(TYPED, chosen < 0, "Another address"),
  );
  all.addEventListener("change", ({ target }) => asksForPlace(target.value === TYPED));
  return [all, typed];
}

/** The address that `addressChoice` asked for. */
function chosenAddress(me, { to = TYPED, name, ...typed }) {
  return to === TYPED ? { name, ...placeIn(typed) } : me.addresses[to];
}

function isSame(one, other) {
  return Object.keys(one).every((part) => one[part] === (other[part] ?? null));
}

/** Adds the address to those of the customer, as these are now. */
async function saveAddress(address) {
  const { addresses, version } = await duka.me.retrieve();
  if (addresses.some((one) => isSame(one, address))) return;
  try {
    await duka.me.update({ addresses: [...addresses, address] }, { ifMatch: version });
  } catch (error) {
    throw new Error("The address was not saved. You can go on with your order.", { cause: error });
  }
}

/** The addresses of the account, with what can be done with each. `again` shows the account as it is then. */
function savedAddresses(me, again) {
  const { addresses } = me;
  const change = (changed) => changeAddresses(me, changed, again);
  const without = (address) => addresses.filter((one) => one !== address);
  const row = (address, index) => {
    const put = (changed) => change(addresses.map((one) => (one === address ? changed : one)));
    const act = (label, work) => {
      const made = link(label, work);
      made.ariaLabel = `${label}: ${address.line1 ?? address.city ?? index + 1}`;
      return made;
    };
    const acts = make(
      "span",
      { className: "together" },
      act("Edit", () => showAddress({ title: "Edit address", address, put }, () => again(me))),
      index > 0 && act("Make default", () => change([address, ...without(address)])),
      act("Remove", () => change(without(address))),
    );
    const state = index === 0 && addresses.length > 1 ? "Default" : "";
    return make("li", {}, addressText(address), make("span", { className: "state" }, state), acts);
  };
  const blank = { name: me.name, country: addresses[0]?.country ?? null };
  const put = (typed) => change([...addresses, typed]);
  const add = () => showAddress({ title: "Add address", address: blank, put }, () => again(me));
  const list = make("ul", { className: "lines addresses" }, addresses.map(row));
  const none = make("p", { className: "faint" }, "You have saved no address yet.");
  return [addresses.length === 0 ? none : list, button("Add address", add)];
}

/** Replaces the customer's addresses. Those that another page changed are shown as they are now. */
async function changeAddresses({ version }, addresses, again) {
  try {
    await again(await duka.me.update({ addresses }, { ifMatch: version }));
  } catch (error) {
    if (error.code !== "stale_version") throw error;
    await again(await duka.me.retrieve());
    throw new Error("Your account was changed elsewhere. This is what it is now.", {
      cause: error,
    });
  }
}

/** Asks for an address, which `put` saves. */
function showAddress({ title, address, put }, back) {
  const { name = null, phone = null } = address;
  const ask = form(
    { submit: "Save" },
    ({ name: to, phone: number, ...typed }) =>
      put({ name: to, phone: orNull(number), ...placeIn(typed) }),
    field("Name", { name: "name", autocomplete: "name", value: name ?? "" }),
    ...placeFields(address),
    field("Phone", { ...maybe, name: "phone", type: "tel", value: phone ?? "" }),
  );
  show(make("h1", {}, title), ask, link("Back to your account", back));
}

export { addressChoice, chosenAddress, saveAddress, savedAddresses };
