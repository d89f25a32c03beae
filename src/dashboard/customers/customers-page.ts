// The list of customers, newest first.

import { customerWire } from "#customers/schema.ts";
import { exportButton, exportCustomers } from "#dashboard/files/export-orders-page.ts";
import { importLink } from "#dashboard/files/import-page.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { customerRow } from "#dashboard/kit/parts/contacts.ts";
import { checkbox, input, nonceField } from "#dashboard/kit/parts/field.ts";
import { goLink, heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, olderLink, searchBox } from "#dashboard/kit/parts/list.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";
import { EXPORT_CUSTOMERS } from "#shop/people/roles.ts";

const words = en.customers;

export const customersPage: Page = {
  path: "/customers",
  scopes: ["customers:read"],
  show: async (visit) => {
    const [q, cursor] = [visit.query("q").trim(), visit.query("cursor")];
    const query = {
      limit: "20",
      ...(q === "" ? {} : { q }),
      ...(cursor === "" ? {} : { cursor }),
    };
    const listed = await visit.list(customerWire, "GET /v2/customers", { query });
    const add = visit.may("customers:write") && goLink(visit.href("/customers/new"), words.add);
    return {
      title: en.nav.customers,
      follows: "customer",
      body: html`${heading({ title: en.nav.customers, act: add })} ${doneNote(visit)}
        <div class="tools">${searchBox(visit, { placeholder: words.search })}</div>
        <div class="list">
          ${
            listed.data.length === 0
              ? nothing(visit, q)
              : html`<ol class="rows customers">
                  ${listed.data.map((customer) => customerRow(visit, customer))}
                </ol>`
          }
          ${olderLink(visit, listed)}
          ${listed.data.length > 0 && visit.may(EXPORT_CUSTOMERS) && exportButton(visit, en.exports.customers, importLink(visit, "customers"))}
        </div>`,
    };
  },
  forms: { export: exportCustomers },
};

function nothing(visit: Visit, q: string): Html {
  return q === ""
    ? emptyList(words.empty, words.emptyWhat, importLink(visit, "customers"))
    : emptyList(words.notFound, words.notFoundWhat(q));
}

// A customer whom the merchant adds by hand.

export const newCustomerPage: Page = {
  path: "/customers/new",
  scopes: ["customers:write"],
  show: async (visit) => {
    const { submitted } = visit;
    return {
      title: words.add,
      body: html`${heading({ title: words.add, back: [visit.href("/customers"), en.nav.customers] })}
        ${refusedNote(submitted)}
        <form class="stack form" method="post" action="${visit.page}/make">
          ${nonceField()}
          ${input(submitted, { label: words.name, name: "/name", isFirst: submitted === null })}
          <div class="pair">
            ${input(submitted, { label: words.phone, name: "/phone", type: "tel", hint: words.contactHint })}
            ${input(submitted, { label: words.email, name: "/email", type: "email" })}
          </div>
          ${checkbox(submitted, { label: words.consent, name: "/marketing_consent", isChecked: false })}
          <p><button class="go">${words.add}</button></p>
        </form>`,
    };
  },
  forms: {
    make: {
      route: "POST /v2/customers",
      doneMessage: "added",
      redirectTo: ({ id }) => (typeof id === "string" ? `/customers/${id}` : "/customers"),
    },
  },
};
