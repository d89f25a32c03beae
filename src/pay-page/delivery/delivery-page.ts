// The parts of the page with which a customer says where the goods go and how. Invariant: they work without script,
// escape every text that a merchant supplied, and show no address of the customer.

import type { Delivery, ShownOption } from "./delivery.ts";
import { ADDRESS_LENGTHS } from "./read-address.ts";

export const DELIVERY_STYLE = `
.way .price { font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; }
.way.option { grid-template-columns: auto 1fr auto; }
.way.option .hint { grid-column: 2 / -1; }
.way.option label { overflow-wrap: anywhere; }
.choice { margin-bottom: 1rem; }
.choice fieldset { margin-bottom: .75rem; }
.choice summary, .another summary { padding: .6rem 0; }
form.address { display: grid; gap: .75rem; }
form.address h2 { margin: 0; font-size: 1rem; font-weight: 650; }
form.address label { display: block; margin-bottom: .25rem; font-size: .875rem; color: var(--faint); }
form.address .pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
form.address .pair > div { min-width: 0; display: flex; flex-direction: column; justify-content: flex-end; }
`;

/** What the form of the payment contains of it: the options, folded away once one is chosen. */
export function renderChosen(delivery: Delivery): string {
  if (delivery.options.length < 2) return renderHidden(delivery);
  return `<details class="choice">
<summary>Change the delivery</summary>
${renderOptions(delivery)}
<button name="choose" value="delivery">Show the new total</button>
</details>`;
}

/** The only option: it is posted as it was shown. */
function renderHidden({ chosen }: Delivery): string {
  return chosen === null ? "" : `<input type="hidden" name="shipping" value="${chosen}">`;
}

/** The form of an option that has to be chosen before anything is paid; nothing where none is offered. */
export function renderToChoose(delivery: Delivery): string {
  if (delivery.options.length === 0) return "";
  return `<form method="post">
${renderOptions(delivery)}
<button class="pay" name="choose" value="delivery">Continue</button>
</form>`;
}

function renderOptions(delivery: Delivery): string {
  const { options, chosen } = delivery;
  const only = options.length === 1 ? options[0]?.id : undefined;
  return `<fieldset>
<legend>${Bun.escapeHTML(legendOf(delivery))}</legend>
${options.map((option) => renderOption(option, option.id === (chosen ?? only))).join("\n")}
</fieldset>`;
}

function legendOf({ to, options }: Delivery): string {
  const isFetched = options.some(({ kind }) => kind === "pickup");
  if (isFetched && options.every(({ kind }) => kind === "pickup")) return "Collect your order";
  if (to === null) return "How do you want to get your order?";
  return isFetched ? `Delivery to ${to}, or collect it` : `Delivery to ${to}`;
}

function renderOption({ id, label, price, remarks }: ShownOption, isChosen: boolean): string {
  return `<div class="way option">
<input type="radio" name="shipping" value="${id}" id="${id}" required${isChosen ? " checked" : ""}>
<label for="${id}">${Bun.escapeHTML(label)}</label>
<span class="price">${Bun.escapeHTML(price)}</span>
${remarks.map((remark) => `<p class="hint">${Bun.escapeHTML(remark)}</p>`).join("\n")}
</div>`;
}

/** The form of the address; folded away where one is known that may be replaced. */
export function renderAddressForm({ asks, countries, options, to }: Delivery): string {
  const heading = options.length > 0 ? "Have it delivered" : "Where is it delivered to?";
  const form = (title: string) => `<form method="post" class="address">
${title === "" ? "" : `<h2>${title}</h2>`}
${asks === "country" ? "" : ADDRESS_FIELDS}
<div>
<label for="country">Country</label>
<select id="country" name="country" autocomplete="country" required>
${countries.length === 1 ? "" : '<option value="">Choose the country</option>'}
${countries.map(({ code, name }) => `<option value="${code}"${name === to ? " selected" : ""}>${Bun.escapeHTML(name)}</option>`).join("\n")}
</select>
</div>
<button>Show the delivery options</button>
</form>`;
  if (asks !== "another") return form(heading);
  return `<details class="another"${options.length === 0 ? " open" : ""}>
<summary>Deliver to another address</summary>
${form("")}
</details>`;
}

interface Field {
  readonly name: keyof typeof ADDRESS_LENGTHS;
  readonly label: string;
  readonly autocomplete: string;
  readonly isRequired: boolean;
}

function renderField({ name, label, autocomplete, isRequired }: Field): string {
  return `<div>
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" autocomplete="${autocomplete}" maxlength="${ADDRESS_LENGTHS[name]}"${isRequired ? " required" : ""}>
</div>`;
}

const ADDRESS_FIELDS = `${renderField({
  name: "line1",
  label: "Street and number, or how to find it",
  autocomplete: "street-address",
  isRequired: true,
})}
<div class="pair">
${renderField({ name: "postal_code", label: "Postal code, if any", autocomplete: "postal-code", isRequired: false })}
${renderField({ name: "city", label: "Town", autocomplete: "address-level2", isRequired: true })}
</div>
${renderField({ name: "region", label: "Region or state, if any", autocomplete: "address-level1", isRequired: false })}`;
