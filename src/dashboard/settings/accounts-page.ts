// The accounts to which customers send money: a list on the page of the ways to pay, and a page each. The password is
// asked first: who changes an account has the money of the shop sent elsewhere.

import type { Static } from "typebox";

import type { Page } from "#dashboard/kit/page.ts";
import {
  checkbox,
  input,
  nonceField,
  select,
  textarea,
  versionField,
} from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList } from "#dashboard/kit/parts/list.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { mark } from "#dashboard/kit/parts/order-words.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";
import { receivingAccounts } from "#shop/settings/receiving-account-schema.ts";
import { receivingMethods } from "#shop/store/payment-methods.ts";

import { removalPage } from "./lists.ts";

type Account = Static<typeof receivingAccounts.wire.schema>;

const { settings } = en;
const words = settings.accounts;
const PAYMENTS = "/settings/payments";
const ACCOUNTS = `${PAYMENTS}/accounts`;
/** All currencies are typed into the field of the first. */
const CURRENCIES = "/currencies/0";

const methodOptions = receivingMethods.map((value) => ({ value, label: words.methods[value] }));

/** The accounts in the order of customers, for the page of the ways to pay. */
export async function accountsPart(visit: Visit): Promise<Html> {
  const { data } = await visit.list(receivingAccounts.wire, "GET /v2/receiving-accounts");
  const accounts = data.toSorted(
    (one, other) => one.position - other.position || (one.id < other.id ? -1 : 1),
  );
  const newAccount = visit.href(`${ACCOUNTS}/new`);
  return html`<section>
    <h2>${words.title}</h2>
    ${
      accounts.length === 0
        ? emptyList(words.none, words.what)
        : html`<ul class="rows">
            ${accounts.map((account) => html`<li>${rowOf(visit, account)}</li>`)}
          </ul>`
    }
    ${visit.may("store:write") && html`<p><a class="button" href="${newAccount}">${words.add}</a></p>`}
  </section>`;
}

function rowOf(visit: Visit, { id, method, label, instructions, currencies, active }: Account) {
  const takes = [words.methods[method], ...currencies].join(" · ");
  const row = html`<span class="name" dir="auto">${label}</span
    ><span class="what" dir="auto">${instructions}</span
    ><span class="sum small">${active ? takes : mark("off", settings.off)}</span>`;
  return visit.may("store:write")
    ? html`<a class="row" href="${visit.href(`${ACCOUNTS}/${id}`)}">${row}</a>`
    : html`<div class="row">${row}</div>`;
}

export const newAccountPage: Page = {
  path: `${ACCOUNTS}/new`,
  scopes: ["store:write"],
  confirmsFirst: true,
  show: async (visit) => ({
    title: words.add,
    body: html`${heading({ title: words.add, back: [visit.href(PAYMENTS), settings.payments] })}
      ${refusedNote(visit.submitted)}
      <form class="stack form" method="post" action="${visit.href(`${ACCOUNTS}/new`)}/make">
        ${nonceField()}
        ${select(visit.submitted, { label: words.method, name: "/method", value: "mobile_money", options: methodOptions, hint: words.methodHint })}
        ${fieldsOf(visit, null)}
        <p><button class="go">${words.add}</button></p>
      </form>`,
  }),
  forms: {
    make: {
      route: "POST /v2/receiving-accounts",
      doneMessage: "added",
      needsConfirmation: true,
      prepareBody: withCurrencies,
      fieldOf: fieldOfCurrencies,
      redirectTo: () => PAYMENTS,
    },
  },
};

export const accountPage: Page = {
  path: `${ACCOUNTS}/{id}`,
  scopes: ["store:write"],
  confirmsFirst: true,
  show: async (visit) => {
    const account = await accountOf(visit);
    const here = visit.href(`${ACCOUNTS}/${account.id}`);
    return {
      title: account.label,
      body: html`${heading({ title: account.label, back: [visit.href(PAYMENTS), settings.payments] })}
        ${doneNote(visit)} ${refusedNote(visit.submitted)}
        <p class="soft">${words.methods[account.method]}</p>
        <form class="stack form" method="post" action="${here}/save">
          ${versionField(visit.submitted, account.version)} ${fieldsOf(visit, account)}
          ${checkbox(visit.submitted, { label: words.told, name: "/active", isChecked: account.active })}
          <p><button class="go">${en.save}</button></p>
        </form>
        <p><a class="button danger" href="${here}/remove">${settings.remove}</a></p>`,
    };
  },
  forms: {
    save: {
      route: "PUT /v2/receiving-accounts/{id}",
      doneMessage: "saved",
      needsConfirmation: true,
      prepareBody: withCurrencies,
      fieldOf: fieldOfCurrencies,
      undo: {},
    },
  },
};

export const removeAccountPage = removalPage({
  path: ACCOUNTS,
  route: "DELETE /v2/receiving-accounts/{id}",
  scope: "store:write",
  list: PAYMENTS,
  nameOf: async (visit) => (await accountOf(visit)).label,
});

function accountOf(visit: Visit): Promise<Account> {
  const { params } = visit;
  return visit.ask(receivingAccounts.wire, "GET /v2/receiving-accounts/{id}", { params });
}

function fieldsOf({ submitted }: Visit, account: Account | null): Html {
  const currencies = account?.currencies.join(" ") ?? "";
  return html`${input(submitted, { label: words.label, name: "/label", value: account?.label ?? null, hint: words.labelHint, isRequired: true })}
    ${textarea(submitted, { label: words.instructions, name: "/instructions", value: account?.instructions ?? null, hint: words.instructionsHint, isRequired: true })}
    <div class="pair">
      ${input(submitted, { label: words.currencies, name: CURRENCIES, value: currencies, hint: words.currenciesHint })}
      ${input(submitted, { label: words.position, name: "/position", value: account?.position ?? 0, digits: "numeric", hint: words.positionHint })}
    </div>`;
}

/** A member for each currency that was typed; none for an empty field. */
function withCurrencies(body: JsonObject): JsonObject {
  const [typed = ""] = Array.isArray(body["currencies"]) ? body["currencies"] : [];
  const codes = typeof typed === "string" ? typed.toUpperCase().split(/[\s,;]+/) : [];
  return { ...body, currencies: codes.filter((code) => code !== "") };
}

function fieldOfCurrencies(pointer: string): string {
  return pointer.startsWith("/currencies") ? CURRENCIES : pointer;
}
