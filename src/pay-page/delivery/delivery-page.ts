// The parts of the page with which a customer says where the goods go and how. Invariant: they work without script,
// and show no address of the customer.

import type { Localized, LocalizedStore } from "#pay-page/words/localize.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

import type { Words } from "../words/en.ts";
import type { DeliveryChoices, ShownOption } from "./delivery.ts";
import type { Details } from "./details.ts";
import { ADDRESS_LENGTHS, countriesOf, type Country } from "./read-address.ts";

/** Characters of each field of the contact. */
const CONTACT_LENGTHS = { name: 200, email: 254, phone: 40 } as const;

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
form.address .hint { margin: 0; font-size: .875rem; color: var(--faint); }
form.address .pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
form.address .pair > div { min-width: 0; display: flex; flex-direction: column; justify-content: flex-end; }
`;

/** The part of it in the form of the payment: the options, folded away once one is chosen. */
export function renderChosen(delivery: DeliveryChoices, { words }: Localized): Html | null {
  const says = words.delivery;
  if (delivery.options.length < 2) return renderHidden(delivery);
  return html`<details class="choice">
    <summary>${says.change}</summary>
    ${renderOptions(delivery, says)}
    <button name="choose" value="delivery">${says.showTotal}</button>
  </details>`;
}

/** The only option: it is posted as it was shown. */
function renderHidden({ chosen }: DeliveryChoices): Html | null {
  return chosen === null ? null : html`<input type="hidden" name="shipping" value="${chosen}" />`;
}

/** The form of an option that has to be chosen before anything is paid; nothing where none is offered. */
export function renderToChoose(delivery: DeliveryChoices, { words }: Localized): Html | null {
  const says = words.delivery;
  if (delivery.options.length === 0) return null;
  return html`<form method="post">
    ${renderOptions(delivery, says)}
    <button class="pay" name="choose" value="delivery">${says.continue}</button>
  </form>`;
}

function renderOptions(delivery: DeliveryChoices, says: Words["delivery"]): Html {
  const { options, chosen } = delivery;
  const only = options.length === 1 ? options[0]?.id : undefined;
  return html`<fieldset>
    <legend>${legendOf(delivery, says)}</legend>
    ${options.map((option) => renderOption(option, option.id === (chosen ?? only)))}
  </fieldset>`;
}

function legendOf({ to, options }: DeliveryChoices, says: Words["delivery"]): string {
  const isFetched = options.some(({ kind }) => kind === "pickup");
  if (isFetched && options.every(({ kind }) => kind === "pickup")) return says.collect;
  if (to === null) return says.how;
  return isFetched ? says.toOrCollect(to) : says.to(to);
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
export function renderAddressForm(delivery: DeliveryChoices, { words }: Localized): Html {
  const says = words.delivery;
  const { asks, options } = delivery;
  if (asks !== "another") {
    const heading = options.length > 0 ? says.haveIt : says.where;
    return renderAddressFields(delivery, heading, says);
  }
  return html`<details class="another" ${attribute("open", options.length === 0)}>
    <summary>${says.another}</summary>
    ${renderAddressFields(delivery, null, says)}
  </details>`;
}

function renderAddressFields(
  { asks, countries, to }: DeliveryChoices,
  heading: string | null,
  says: Words["delivery"],
): Html {
  return html`<form method="post" class="address">
    ${heading !== null && html`<h2>${heading}</h2>`}
    ${asks !== "country" && renderAddressLines(says)} ${renderCountry(countries, to, says)}
    <button>${says.showOptions}</button>
  </form>`;
}

function renderCountry(
  countries: readonly Country[],
  to: string | null,
  says: Words["delivery"],
): Html {
  return html`<div>
    <label for="country">${says.country}</label>
    <select id="country" name="country" autocomplete="country" required>
      ${countries.length !== 1 && html`<option value="">${says.chooseCountry}</option>`}
      ${countries.map(
        ({ code, name }) =>
          html`<option value="${code}" ${attribute("selected", name === to)}>${name}</option>`,
      )}
    </select>
  </div>`;
}

interface DetailsTerms {
  readonly store: LocalizedStore;
  readonly typed: URLSearchParams | null;
  readonly delivery: DeliveryChoices | null;
}

/** The form of what the shop asks of its customers; it keeps the contact that was typed. */
export function renderDetailsForm(details: Details, terms: DetailsTerms): Html {
  const { details: says, ways } = terms.store.words;
  const { name, email, phone, isEither, address } = details;
  const phoneLabel = terms.store.country === null ? ways.phoneAbroad : ways.phone;
  const contact = (field: Field) => renderField(field, terms.typed?.get(field.name) ?? "");
  return html`<form method="post" class="address">
    <h2>${says.heading}</h2>
    ${name && contact({ name: "name", label: says.name, autocomplete: "name", isRequired: true })}
    ${email && contact({ name: "email", label: says.email, autocomplete: "email", isRequired: !isEither })}
    ${phone && contact({ name: "phone", label: phoneLabel, autocomplete: "tel", isRequired: !isEither })}
    ${isEither && html`<p class="hint">${says.either}</p>`} ${address && renderWhere(terms)}
    <button class="pay" name="say" value="details">${says.continue}</button>
  </form>`;
}

function renderWhere({ store, delivery }: DetailsTerms): Html {
  const says = store.words.delivery;
  const offered = delivery?.countries ?? [];
  const countries = offered.length > 0 ? offered : countriesOf(null, store.language);
  return html`${renderAddressLines(says)} ${renderCountry(countries, delivery?.to ?? null, says)}`;
}

/** The longest text of each field, in characters. */
const LENGTHS = { ...CONTACT_LENGTHS, ...ADDRESS_LENGTHS };

interface Field {
  readonly name: keyof typeof LENGTHS;
  readonly label: string;
  readonly autocomplete: string;
  readonly isRequired: boolean;
}

function renderField({ name, label, autocomplete, isRequired }: Field, value = ""): Html {
  return html`<div>
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      dir="auto"
      autocomplete="${autocomplete}"
      maxlength="${LENGTHS[name]}"
      value="${value}"
      ${attribute("required", isRequired)}
    />
  </div>`;
}

function renderAddressLines(says: Words["delivery"]): Html {
  return html`${renderField({
      name: "line1",
      label: says.street,
      autocomplete: "street-address",
      isRequired: true,
    })}
    <div class="pair">
      ${renderField({ name: "postal_code", label: says.postalCode, autocomplete: "postal-code", isRequired: false })}
      ${renderField({ name: "city", label: says.town, autocomplete: "address-level2", isRequired: true })}
    </div>
    ${renderField({ name: "region", label: says.region, autocomplete: "address-level1", isRequired: false })}`;
}
