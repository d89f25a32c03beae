// The parts of the page with which a customer says where the goods go and how. Invariant: they work without script,
// and show no address of the customer.

import { attribute, type Html, html } from "#platform/html/html.ts";

import type { DeliveryChoices, ShownOption } from "./delivery.ts";
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
export function renderChosen(delivery: DeliveryChoices): Html | null {
  if (delivery.options.length < 2) return renderHidden(delivery);
  return html`<details class="choice">
    <summary>Change the delivery</summary>
    ${renderOptions(delivery)}
    <button name="choose" value="delivery">Show the new total</button>
  </details>`;
}

/** The only option: it is posted as it was shown. */
function renderHidden({ chosen }: DeliveryChoices): Html | null {
  return chosen === null ? null : html`<input type="hidden" name="shipping" value="${chosen}" />`;
}

/** The form of an option that has to be chosen before anything is paid; nothing where none is offered. */
export function renderToChoose(delivery: DeliveryChoices): Html | null {
  if (delivery.options.length === 0) return null;
  return html`<form method="post">
    ${renderOptions(delivery)}
    <button class="pay" name="choose" value="delivery">Continue</button>
  </form>`;
}

function renderOptions(delivery: DeliveryChoices): Html {
  const { options, chosen } = delivery;
  const only = options.length === 1 ? options[0]?.id : undefined;
  return html`<fieldset>
    <legend>${legendOf(delivery)}</legend>
    ${options.map((option) => renderOption(option, option.id === (chosen ?? only)))}
  </fieldset>`;
}

function legendOf({ to, options }: DeliveryChoices): string {
  const isFetched = options.some(({ kind }) => kind === "pickup");
  if (isFetched && options.every(({ kind }) => kind === "pickup")) return "Collect your order";
  if (to === null) return "How do you want to get your order?";
  return isFetched ? `Delivery to ${to}, or collect it` : `Delivery to ${to}`;
}

function renderOption({ id, label, price, remarks }: ShownOption, isChosen: boolean): Html {
  return html`<div class="way option">
    <input
      type="radio"
      name="shipping"
      value="${id}"
      id="${id}"
      required
      ${attribute("checked", isChosen)}
    />
    <label for="${id}">${label}</label>
    <span class="price">${price}</span>
    ${remarks.map((remark) => html`<p class="hint">${remark}</p>`)}
  </div>`;
}

/** The form of the address; folded away where one is known that may be replaced. */
export function renderAddressForm(delivery: DeliveryChoices): Html {
  const { asks, options } = delivery;
  if (asks !== "another") {
    const heading = options.length > 0 ? "Have it delivered" : "Where is it delivered to?";
    return renderAddressFields(delivery, heading);
  }
  return html`<details class="another" ${attribute("open", options.length === 0)}>
    <summary>Deliver to another address</summary>
    ${renderAddressFields(delivery, null)}
  </details>`;
}

function renderAddressFields(
  { asks, countries, to }: DeliveryChoices,
  heading: string | null,
): Html {
  return html`<form method="post" class="address">
    ${heading !== null && html`<h2>${heading}</h2>`} ${asks !== "country" && ADDRESS_FIELDS}
    <div>
      <label for="country">Country</label>
      <select id="country" name="country" autocomplete="country" required>
        ${countries.length !== 1 && html`<option value="">Choose the country</option>`}
        ${countries.map(
          ({ code, name }) =>
            html`<option value="${code}" ${attribute("selected", name === to)}>${name}</option>`,
        )}
      </select>
    </div>
    <button>Show the delivery options</button>
  </form>`;
}

interface Field {
  readonly name: keyof typeof ADDRESS_LENGTHS;
  readonly label: string;
  readonly autocomplete: string;
  readonly isRequired: boolean;
}

function renderField({ name, label, autocomplete, isRequired }: Field): Html {
  return html`<div>
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      dir="auto"
      autocomplete="${autocomplete}"
      maxlength="${ADDRESS_LENGTHS[name]}"
      ${attribute("required", isRequired)}
    />
  </div>`;
}

const ADDRESS_FIELDS = html`${renderField({
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
