// One customer: how to reach them, what they ordered, and what the shop knows of them.

import type { Static } from "typebox";

import { customerWire } from "#customers/schema.ts";
import { digitsOf } from "#dashboard/kit/amounts.ts";
import type { Listed } from "#dashboard/kit/asker.ts";
import type { RequestForm } from "#dashboard/kit/forms/form.ts";
import { icon } from "#dashboard/kit/icons.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { type Customer, nameOf, waysToReach } from "#dashboard/kit/parts/contacts.ts";
import { checkbox, entries, input, select, versionField } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { olderLink } from "#dashboard/kit/parts/list.ts";
import { money } from "#dashboard/kit/parts/money.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { orderRow } from "#dashboard/kit/parts/order-words.ts";
import { longDayOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { newOrderFor } from "#dashboard/orders/new-order.ts";
import { addressLines } from "#dashboard/orders/order/aside.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";
import { customerTotalsWire } from "#sales/orders/query-schema.ts";
import { type OrderAnswer, orderWire } from "#sales/orders/schema.ts";
import { EXPORT_CUSTOMERS } from "#shop/people/roles.ts";

type Totals = Static<(typeof customerTotalsWire)["schema"]>;

const words = en.customers;

export const customerPage: Page = {
  path: "/customers/{id}",
  scopes: ["customers:read"],
  show: async (visit) => {
    const customer = await customerOf(visit);
    const title = nameOf(customer);
    const mayWrite = visit.may("customers:write") && customer.erased_at === null;
    return {
      title,
      follows: customer.id,
      body: html`${heading({ title: html`<bdi>${title}</bdi>`, back: [visit.href("/customers"), en.nav.customers], act: newOrderLink(visit, customer) })}
        ${doneNote(visit)} ${refusedNote(visit.submitted)}
        <div class="two">
          <div class="stack">
            ${customer.erased_at !== null && html`<p class="soft">${words.erasedOn(longDayOf(customer.erased_at, visit.when))}</p>`}
            ${waysToReach(visit, customer)} ${await ordersOf(visit, customer)}
            ${mayWrite && detailsForm(visit, customer)}
          </div>
          <div class="stack">
            ${factsOf(visit, customer, mayWrite)} ${addressesOf(visit, customer, mayWrite)}
            ${customer.erased_at === null && visit.may(EXPORT_CUSTOMERS) && personalPart(visit, customer, mayWrite)}
          </div>
        </div>`,
    };
  },
  forms: {
    save: { route: "PUT /v2/customers/{id}", doneMessage: "saved", undo: {} },
    export: {
      scope: EXPORT_CUSTOMERS,
      needsConfirmation: true,
      download: async (visit) => ({
        name: `${visit.params["id"] ?? ""}.json`,
        type: "application/json; charset=utf-8",
        text: JSON.stringify(
          await visit.answerOf("GET /v2/customers/{id}/export", { params: visit.params }),
          null,
          2,
        ),
      }),
    },
  },
};

/** Null where none can be made. */
function newOrderLink(visit: Visit, customer: Customer): Html | null {
  if (!visit.may("orders:write") || customer.erased_at !== null) return null;
  return html`<a class="button" href="${visit.href(newOrderFor(customer))}"
    >${icon("plus")} ${en.orders.newOrder}</a
  >`;
}

/** The customer of the page's address. */
export function customerOf(visit: Visit): Promise<Customer> {
  return visit.ask(customerWire, "GET /v2/customers/{id}", { params: visit.params });
}

async function ordersOf(visit: Visit, { id }: Customer): Promise<Html | null> {
  if (!visit.may("orders:read")) return null;
  const cursor = visit.query("cursor");
  const query = { customer_id: id, limit: "10", ...(cursor === "" ? {} : { cursor }) };
  const listed = await visit.list(orderWire, "GET /v2/orders", { query });
  const params = { id };
  const totals = await visit.ask(customerTotalsWire, "GET /v2/customers/{id}/totals", { params });
  return ordersPart(visit, listed, totals);
}

function ordersPart(visit: Visit, listed: Listed<OrderAnswer>, totals: Totals): Html {
  const rows = listed.data.map((order) => orderRow(visit, order, { isUnderDay: false }));
  return html`<section>
    <h2>${en.nav.orders}</h2>
    ${
      rows.length === 0
        ? html`<p class="soft">${words.orders(0)}</p>`
        : html`${spentOf(visit, totals)}
            <ul class="rows">
              ${rows}
            </ul>`
    }
    ${olderLink(visit, listed)}
  </section>`;
}

/** A line for each currency, the shop's own first. */
function spentOf({ store }: Visit, { currencies }: Totals): Html[] {
  const isOwn = ({ currency }: Totals["currencies"][number]) => currency === store.currency;
  return [...currencies.filter(isOwn), ...currencies.filter((one) => !isOwn(one))].map(
    ({ currency, orders_count: count, spent_minor: spentMinor, refunded_minor: refundedMinor }) =>
      html`<p class="lined">
        <span class="soft"
          >${words.orders(count)}${refundedMinor > 0 && ` · ${words.refunded(digitsOf(refundedMinor, currency))}`}</span
        >
        <strong>${words.spent} ${money(spentMinor, currency)}</strong>
      </p>`,
  );
}

function detailsForm(visit: Visit, customer: Customer): Html {
  const { submitted } = visit;
  const exemptions = Object.entries(words.exemptions).map(([value, label]) => ({ value, label }));
  return html`<form class="stack form" method="post" action="${visit.page}/save">
    <h2>${words.details}</h2>
    ${versionField(submitted, customer.version)}
    ${input(submitted, { label: words.name, name: "/name", value: customer.name })}
    <div class="pair">
      ${input(submitted, { label: words.phone, name: "/phone", type: "tel", value: customer.phone })}
      ${input(submitted, { label: words.email, name: "/email", type: "email", value: customer.email })}
    </div>
    ${entries({ name: "/tags", submitted }, [words.tags, customer.tags], (name, value, index) => input(submitted, { name, value, label: words.tag(index + 1) }))}
    <div class="pair">
      ${input(submitted, { label: words.taxId, name: "/tax_id", value: customer.tax_id })}
      ${select(submitted, { label: words.exemption, name: "/tax_exemption", value: customer.tax_exemption, options: exemptions, hint: words.exemptionHint })}
    </div>
    ${checkbox(submitted, { label: words.consent, name: "/marketing_consent", isChecked: customer.marketing_consent })}
    <p><button class="go">${en.save}</button></p>
  </form>`;
}

/** The known facts of the customer; of one that the visitor may change, what the form does not show. */
function factsOf(visit: Visit, customer: Customer, mayWrite: boolean): Html {
  const { phone, email, tags, tax_id: taxId } = customer;
  const shown = mayWrite
    ? []
    : ([
        [words.phone, phone],
        [words.email, email],
        [words.tags, tags.join(", ")],
        [words.taxId, taxId],
      ] as const);
  const facts = [...shown, [words.since, longDayOf(customer.created_at, visit.when)]] as const;
  return html`<section>
    <dl class="facts">
      ${facts
        .filter(([, fact]) => fact !== null && fact !== "")
        .map(
          ([word, fact]) =>
            html`<dt>${word}</dt>
              <dd dir="auto">${fact}</dd>`,
        )}
    </dl>
    ${customer.unverified && html`<p class="small soft">${words.unverified}${customer.addresses.length > 0 && html` ${words.unverifiedAddresses}`}</p>`}
    <p class="mono small soft">${customer.id}</p>
  </section>`;
}

function addressesOf(visit: Visit, { addresses }: Customer, mayWrite: boolean): Html | null {
  if (addresses.length === 0 && !mayWrite) return null;
  const { address: of } = words;
  return html`<section>
    <h2>${words.addresses}</h2>
    <ul class="rows">
      ${addresses.map(
        (address, index) =>
          html`<li class="lined">
            ${addressLines(address)}
            <span
              >${index === 0 && addresses.length > 1 && html`<span class="small soft">${of.default}</span> `}${mayWrite && html`<a class="tap" href="${visit.page}/addresses/${index}" aria-label="${of.editOf(index + 1)}">${of.edit}</a>`}</span
            >
          </li>`,
      )}
    </ul>
    ${mayWrite && html`<p><a class="button" href="${visit.page}/addresses/new">${of.add}</a></p>`}
  </section>`;
}

function personalPart(visit: Visit, { orders_count: count }: Customer, mayWrite: boolean): Html {
  return html`<section>
    <h2>${words.data}</h2>
    <p class="small soft">${words.exportWhat}</p>
    <form method="post" action="${visit.page}/export" data-file>
      <button>${words.export}</button>
    </form>
    ${mayWrite && html`<p><a class="button danger" href="${visit.page}/${count === 0 ? "delete" : "erase"}">${count === 0 ? words.delete : words.erase}</a></p>`}
  </section>`;
}

// The pages that say what erasing or deleting a customer does, before it is done.

/** Erases a customer with orders: these are kept, without a name. */
export const eraseCustomerPage = forgetPage("erase", {
  title: words.eraseTitle,
  what: words.eraseWhat,
  act: words.eraseGo,
  route: "POST /v2/customers/{id}/erase",
  doneMessage: "erased",
});

/** Deletes a customer without orders, of whom nothing needs to be kept. */
export const deleteCustomerPage = forgetPage("delete", {
  title: words.deleteTitle,
  what: words.deleteWhat,
  act: words.deleteGo,
  route: "DELETE /v2/customers/{id}",
  doneMessage: "removed",
  redirectTo: () => "/customers",
});

interface Forgetting extends Pick<RequestForm, "route" | "doneMessage"> {
  readonly title: (name: string) => string;
  readonly what: string;
  readonly act: string;
  /** By default the customer's page. */
  readonly redirectTo?: () => string;
}

function forgetPage(
  step: string,
  { title, what, act, route, doneMessage, redirectTo }: Forgetting,
): Page {
  return {
    path: `/customers/{id}/${step}`,
    scopes: ["customers:write"],
    show: async (visit) => {
      const customer = await customerOf(visit);
      const name = nameOf(customer);
      const here = visit.href(`/customers/${customer.id}`);
      return {
        title: title(name),
        body: html`${heading({ title: html`<bdi>${title(name)}</bdi>`, back: [here, name] })}
          ${refusedNote(visit.submitted)}
          <p class="narrow">${what}</p>
          <form method="post" action="${visit.page}/sure">
            <input type="hidden" name="version" value="${customer.version}" />
            <p class="acts">
              <button class="danger">${act}</button>
              <a class="button quiet" href="${here}">${words.keep}</a>
            </p>
          </form>`,
      };
    },
    forms: {
      sure: {
        route,
        doneMessage,
        needsConfirmation: true,
        redirectTo: redirectTo ?? ((_, visit) => `/customers/${visit.params["id"] ?? ""}`),
      },
    },
  };
}
