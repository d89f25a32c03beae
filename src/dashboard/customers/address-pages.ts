// A customer's addresses: each is added and changed on a page of its own. The first one is the default, which a new
// order suggests.

import type { PageContent, RequestForm } from "#dashboard/kit/forms/form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { type Customer, nameOf } from "#dashboard/kit/parts/contacts.ts";
import { input, versionField } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { isObject } from "#kernel/assume.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { JsonObject, JsonValue } from "#platform/http/strict-json.ts";

import { customerOf } from "./customer-page.ts";

type Address = Customer["addresses"][number];

const words = en.customers.address;
/** A form has the fields of one address, wherever that stands in the customer's list. */
const FIELD = "/addresses/0";

export const newAddressPage: Page = {
  path: "/customers/{id}/addresses/new",
  scopes: ["customers:write"],
  show: async (visit) => {
    const customer = await customerOf(visit);
    const blank = { country: visit.store.country };
    const form = addressForm(visit, { customer, address: blank, form: "add", act: words.add });
    return addressContent(visit, customer, { title: words.add, body: form });
  },
  forms: { add: listForm("added", (addresses, { typed }) => [...addresses, typed]) },
};

export const addressPage: Page = {
  path: "/customers/{id}/addresses/{index}",
  scopes: ["customers:write"],
  show: async (visit) => {
    const customer = await customerOf(visit);
    const index = indexOf(visit);
    const address = customer.addresses[index];
    const title = words.title(index + 1);
    if (address === undefined) {
      return addressContent(visit, customer, { title, body: html`<p>${words.gone}</p>` });
    }
    const body = html`${addressForm(visit, { customer, address, form: "save", act: en.save })}
      <form class="acts" method="post" action="${visit.page}/remove">
        ${versionField(visit.submitted, customer.version)}
        ${index > 0 && html`<button formaction="${visit.page}/first">${words.makeDefault}</button>`}
        <button class="danger">${words.remove}</button>
      </form>`;
    return addressContent(visit, customer, { title, body });
  },
  forms: {
    save: listForm("saved", (addresses, { index, typed }) =>
      addresses.map((one, at) => (at === index ? typed : one)),
    ),
    first: listForm("saved", (addresses, { index }) => [
      ...addresses.filter((_, at) => at === index),
      ...addresses.filter((_, at) => at !== index),
    ]),
    remove: listForm("removed", (addresses, { index }) =>
      addresses.filter((_, at) => at !== index),
    ),
  },
};

interface ListChange {
  /** The place of the page's address in the list. */
  readonly index: number;
  readonly typed: JsonObject;
}

/** A form that sends the customer's addresses as they are after it: the interface takes the whole list. */
function listForm(
  doneMessage: RequestForm["doneMessage"],
  change: (addresses: readonly JsonValue[], change: ListChange) => JsonValue[],
): RequestForm {
  return {
    route: "PUT /v2/customers/{id}",
    doneMessage,
    undo: {},
    redirectTo: (_, { params }) => `/customers/${params["id"] ?? ""}`,
    prepareBody: async ({ addresses: typed }, visit) => {
      const { addresses } = await customerOf(visit);
      return { addresses: change(addresses, { index: indexOf(visit), typed: typedIn(typed) }) };
    },
    fieldOf: (pointer) =>
      pointer
        .replace(/^\/addresses(?:\/\d+)?$/, `${FIELD}/line1`)
        .replace(/^\/addresses\/\d+/, FIELD),
  };
}

/**
 * The typed part of the address. Nothing was typed if there is only the country, which the form suggests: it is
 * refused.
 */
function typedIn(addresses: JsonValue | undefined): JsonObject {
  const [given] = Array.isArray(addresses) ? addresses : [];
  const typed = Object.entries(isObject(given) ? given : {}).filter(([, value]) => value !== null);
  return typed.every(([name]) => name === "country") ? {} : Object.fromEntries(typed);
}

/** NaN for an address of the page that names no place. */
function indexOf({ params }: Visit): number {
  return Number(params["index"]);
}

interface FormTerms {
  readonly customer: Customer;
  readonly address: Partial<Address>;
  readonly form: string;
  readonly act: string;
}

function addressForm(visit: Visit, { customer, address, form, act }: FormTerms): Html {
  const { submitted } = visit;
  const field = (name: keyof Address, hint?: string) =>
    input(submitted, {
      label: words[name],
      name: `${FIELD}/${name}`,
      value: address[name] ?? null,
      type: name === "phone" ? "tel" : "text",
      ...(hint === undefined ? {} : { hint }),
    });
  return html`<form class="stack form" method="post" action="${`${visit.page}/${form}`}">
    ${versionField(submitted, customer.version)}
    <div class="pair">${field("name", words.nameHint)} ${field("phone")}</div>
    ${field("line1", words.line1Hint)} ${field("line2")}
    <div class="pair">${field("city")} ${field("region")}</div>
    <div class="pair">${field("postal_code")} ${field("country", en.settings.countryCode)}</div>
    <p><button class="go">${act}</button></p>
  </form>`;
}

function addressContent(
  visit: Visit,
  customer: Customer,
  { title, body }: Pick<PageContent, "title" | "body">,
): PageContent {
  const back = [visit.href(`/customers/${customer.id}`), nameOf(customer)] as const;
  return { title, body: html`${heading({ title, back })} ${refusedNote(visit.submitted)} ${body}` };
}
