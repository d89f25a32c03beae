// Name, place and times of the shop.

import type { Page } from "#dashboard/kit/page.ts";
import { amountInput, checkbox, input, select, versionField } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";
import { addressRules, contactRules } from "#shop/store/checkout.ts";

import { withoutPayments } from "./lists.ts";

const { settings } = en;

/** The zones in which shops are. The runtime does not list UTC; the page of a phone has no room for all others. */
const zones = [
  "UTC",
  ...Intl.supportedValuesOf("timeZone").filter(
    (zone) => !/^(?:Antarctica|Arctic|UTC)\b/.test(zone),
  ),
];

export const shopPage: Page = {
  path: "/settings/shop",
  scopes: ["store:write"],
  show: async (visit) => ({
    title: settings.shop,
    body: html`${heading({ title: settings.shop, back: [visit.href("/settings"), settings.title] })}
      ${doneNote(visit)} ${refusedNote(visit.submitted)}
      <form class="stack form" method="post" action="${visit.href("/settings/shop")}/save">
        ${versionField(visit.submitted, visit.store.version)} ${fieldsOf(visit)}
        <p><button class="go">${en.save}</button></p>
      </form>`,
  }),
  forms: {
    save: { route: "PUT /v2/store", doneMessage: "saved", prepareBody: withCapitals, undo: {} },
  },
};

/** The settings with the codes of currency and country as they are written, also where a phone typed small letters. */
function withCapitals(body: JsonObject): JsonObject {
  const made = withoutPayments(body);
  for (const name of ["currency", "country"]) {
    const typed = made[name];
    if (typeof typed === "string") made[name] = typed.toUpperCase();
  }
  return made;
}

function fieldsOf(visit: Visit) {
  const { submitted, store } = visit;
  const known = zones.includes(store.timezone) ? zones : [store.timezone, ...zones];
  const options = known.map((value) => ({ value, label: value }));
  return html`${input(submitted, { label: settings.name, name: "/name", value: store.name, isRequired: true })}
    <div class="pair">
      ${input(submitted, { label: settings.currency, name: "/currency", value: store.currency, hint: settings.currencyHint, isRequired: true })}
      ${input(submitted, { label: settings.country, name: "/country", value: store.country, hint: settings.countryHint })}
    </div>
    ${select(submitted, { label: settings.timezone, name: "/timezone", value: store.timezone, options })}
    <div class="pair">
      ${input(submitted, { label: settings.lowStock, name: "/low_stock_threshold", value: store.low_stock_threshold, digits: "numeric", hint: settings.lowStockHint, isRequired: true })}
      ${input(submitted, { label: settings.expiry, name: "/order_expiry_minutes", value: store.order_expiry_minutes, digits: "numeric", hint: settings.expiryHint })}
    </div>
    <div class="pair">
      ${input(submitted, { label: settings.deposit, name: "/deposit_percent", value: store.deposit_percent, digits: "numeric", hint: settings.depositHint, isRequired: true })}
      ${input(submitted, { label: settings.review, name: "/review_days", value: store.review_days, digits: "numeric", hint: settings.reviewHint, isRequired: true })}
    </div>
    ${amountInput(submitted, { label: settings.refundLimit, name: "/refund_limit", writing: visit.writing(), minor: store.refund_limit_minor, hint: settings.refundLimitHint })}
    ${input(submitted, { label: settings.strangers, name: "/limits/strangers_percent", value: store.limits.strangers_percent, digits: "numeric", hint: settings.strangersHint })}
    ${input(submitted, { label: settings.emailCodes, name: "/limits/email_codes_per_day", value: store.limits.email_codes_per_day, digits: "numeric", hint: settings.emailCodesHint })}
    ${input(submitted, { label: settings.phoneCodes, name: "/limits/phone_codes_per_day", value: store.limits.phone_codes_per_day, digits: "numeric", hint: settings.phoneCodesHint })}
    ${input(submitted, { label: settings.recovery, name: "/recovery_url_template", type: "url", value: store.recovery_url_template, hint: settings.recoveryHint })}
    ${input(submitted, { label: settings.orderPage, name: "/order_url_template", type: "url", value: store.order_url_template, hint: settings.orderPageHint })}`;
}

// How the shop appears to customers on its pages.

const { branding } = settings;

export const brandingPage: Page = {
  path: "/settings/look",
  scopes: ["store:write"],
  show: async (visit) => ({
    title: branding.title,
    body: html`${heading({ title: branding.title, back: [visit.href("/settings"), settings.title] })}
      ${doneNote(visit)} ${refusedNote(visit.submitted)}
      <p>${branding.what}</p>
      <form class="stack form" method="post" action="${visit.href("/settings/look")}/save">
        ${versionField(visit.submitted, visit.store.version)} ${brandingFields(visit)}
        <p><button class="go">${en.save}</button></p>
      </form>`,
  }),
  forms: { save: { route: "PUT /v2/store", doneMessage: "saved", undo: {} } },
};

function brandingFields({ submitted, store }: Visit) {
  return html`${input(submitted, { label: branding.logo, name: "/logo_url", type: "url", value: store.logo_url, hint: branding.logoHint })}
    <div class="pair">
      ${input(submitted, { label: branding.color, name: "/brand_color", value: store.brand_color, hint: branding.colorHint })}
      ${input(submitted, { label: branding.locale, name: "/locale", value: store.locale, hint: branding.localeHint })}
    </div>
    <div class="pair">
      ${input(submitted, { label: branding.email, name: "/contact_email", type: "email", value: store.contact_email })}
      ${input(submitted, { label: branding.phone, name: "/contact_phone", type: "tel", value: store.contact_phone, hint: branding.phoneHint })}
    </div>
    ${input(submitted, { label: branding.website, name: "/website_url", type: "url", value: store.website_url, hint: branding.websiteHint })}
    ${input(submitted, { label: branding.line, name: "/support_line", value: store.support_line, hint: branding.lineHint })}`;
}

// The checkout: the details that the shop asks of its customers.

const { checkout } = settings;
const CHECKOUT = "/settings/checkout";

const contacts = contactRules.map((value) => ({ value, label: checkout.contacts[value] }));
const addresses = addressRules.map((value) => ({ value, label: checkout.addresses[value] }));

export const checkoutPage: Page = {
  path: CHECKOUT,
  scopes: ["store:write"],
  show: async (visit) => {
    const { submitted, store } = visit;
    const { contact, address, name } = store.checkout;
    return {
      title: checkout.title,
      body: html`${heading({ title: checkout.title, back: [visit.href("/settings"), settings.title] })}
        ${doneNote(visit)} ${refusedNote(submitted)}
        <p class="narrow">${checkout.what}</p>
        <form class="stack form" method="post" action="${visit.href(CHECKOUT)}/save">
          ${versionField(submitted, store.version)}
          ${select(submitted, { label: checkout.contact, name: "/checkout/contact", value: contact, options: contacts, hint: checkout.contactHint })}
          ${select(submitted, { label: checkout.address, name: "/checkout/address", value: address, options: addresses, hint: checkout.addressHint })}
          ${checkbox(submitted, { label: checkout.name, name: "/checkout/name", isChecked: name })}
          <p><button class="go">${en.save}</button></p>
        </form>`,
    };
  },
  forms: { save: { route: "PUT /v2/store", doneMessage: "saved", undo: {} } },
};
