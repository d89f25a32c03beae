// The list of customers, newest first.

import { customerWire } from "#customers/schema.ts";
import { type Html, html } from "#platform/html/html.ts";

import { exportButton, exportCustomers } from "../exports/export-forms.ts";
import { importLink } from "../imports/import-page.ts";
import type { Page } from "../page.ts";
import { goLink, heading } from "../parts/heading.ts";
import { emptyList, olderLink } from "../parts/list.ts";
import { doneNote } from "../parts/note.ts";
import { searchBox } from "../parts/search-box.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import { customerRow } from "./customer-words.ts";

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
          ${listed.data.length > 0 && exportButton(visit, en.exports.customers, importLink(visit, "customers"))}
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
