// The ways to pay: which are offered, who takes the money, and what customers read of them.

import { checklistWire } from "#checks/schema.ts";
import type { Edit } from "#dashboard/kit/forms/form.ts";
import { membersOf } from "#dashboard/kit/forms/submitted-form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { checkbox, input, select, textarea, versionField } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { mark, offeredMethods, unpaidPagesNote } from "#dashboard/kit/parts/order-words.ts";
import { refusedPage } from "#dashboard/kit/refused-page.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { isGatewayMethod, type PaymentMethod, paymentMethods } from "#kernel/payment-method.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

import { accountsPart } from "./accounts-page.ts";
import { GATEWAYS } from "./gateways-page.ts";

const { settings } = en;
const takers = [
  { value: "gateway", label: settings.byGateway },
  { value: "hand", label: settings.byHand },
];

const providerHint = html`${settings.byHint} <a href="/guides/paystack">Paystack</a>,
  <a href="/guides/stripe">Stripe</a>`;

export const paymentsPage: Page = {
  path: "/settings/payments",
  scopes: ["store:read"],
  show: async (visit) => {
    const markOf = await marksOf(visit);
    return {
      title: settings.payments,
      body: html`${heading({ title: settings.payments, back: [visit.href("/settings"), settings.title] })}
        ${doneNote(visit)} ${await unpaidPagesNote(visit)}
        <ul class="rows">
          ${paymentMethods.map((method) => html`<li>${rowOf(visit, method, markOf(method))}</li>`)}
        </ul>
        <p><a class="button" href="${visit.href(GATEWAYS)}">${settings.gateways.title}</a></p>
        ${await accountsPart(visit)}`,
    };
  },
};

const marks = {
  offered: mark("done", settings.on),
  off: mark("off", settings.off),
  no_gateway: mark("wait", settings.noProvider),
  nowhere_to_pay: mark("wait", settings.nowhereToPay),
  not_online: mark("done", settings.onNotWeb),
} as const;

/** Returns the mark of each method; for who may not read the checklist, what the methods themselves tell. */
async function marksOf(visit: Visit): Promise<(method: PaymentMethod) => Html> {
  if (visit.may("store:write")) {
    const query = { area: "shop" };
    const { ways } = await visit.ask(checklistWire, "GET /v2/checklist", { query });
    const byMethod = new Map(ways.map(({ method, why }) => [method, marks[why ?? "offered"]]));
    return (method) => byMethod.get(method) ?? marks.off;
  }
  const taken = visit.may("payments:read") ? await offeredMethods(visit) : null;
  return (method) => {
    const { enabled, storefront } = visit.store.payment_methods[method];
    if (!enabled) return marks.off;
    const isTaken = taken?.some((one) => one.method === method) ?? true;
    if (!isTaken) return marks.no_gateway;
    return storefront ? marks.offered : marks.not_online;
  };
}

function rowOf(visit: Visit, method: PaymentMethod, look: Html): Html {
  const { by, label, instructions } = visit.store.payment_methods[method];
  const row = html`<span class="name">${label}</span
    ><span class="what"
      >${by === "hand" ? settings.byHand : settings.byGateway}${instructions !== null && ` · ${instructions}`}</span
    ><span class="sum small">${look}</span>`;
  return visit.may("store:write")
    ? html`<a class="row" href="${visit.href(`/settings/payments/${method}`)}">${row}</a>`
    : html`<div class="row">${row}</div>`;
}

export const paymentPage: Page = {
  path: "/settings/payments/{method}",
  scopes: ["store:write"],
  confirmsFirst: true,
  show: async (visit) => {
    const method = paymentMethods.find((one) => one === visit.params["method"]);
    if (method === undefined) return refusedPage(visit, { status: 404, problem: {} });
    const { label } = visit.store.payment_methods[method];
    const back = visit.href("/settings/payments");
    return {
      title: label,
      body: html`${heading({ title: label, back: [back, settings.payments] })}
        ${refusedNote(visit.submitted)}
        <form class="stack form" method="post" action="${back}/${method}/save">
          ${versionField(visit.submitted, visit.store.version)} ${fieldsOf(visit, method)}
          <p><button class="go">${en.save}</button></p>
        </form>`,
    };
  },
  forms: {
    save: {
      route: "PUT /v2/store",
      doneMessage: "saved",
      needsConfirmation: true,
      prepareBody: withoutOwnDefault,
      redirectTo: () => "/settings/payments",
      undo: { undoBody: fieldsBefore },
    },
  },
};

/** A tick that was left as it was shown is not the merchant's word: the shop decides on further by what it knows then. */
function withoutOwnDefault(body: JsonObject, { store }: Visit): JsonObject {
  const given = membersOf(body["payment_methods"]);
  const method = paymentMethods.find((one) => one in given);
  if (method === undefined) return body;
  const { storefront, ...fields } = membersOf(given[method]);
  const isChanged = storefront !== store.payment_methods[method].storefront;
  const change = isChanged && storefront !== undefined ? { ...fields, storefront } : fields;
  return { ...body, payment_methods: { [method]: change } };
}

/** The given fields of the changed method that differ: what is not given keeps its value. */
function fieldsBefore({ before, after, body }: Edit): JsonObject | null {
  const [method = ""] = Object.keys(membersOf(body["payment_methods"]));
  const given = membersOf(membersOf(body["payment_methods"])[method]);
  const of = (shown: JsonObject) => membersOf(membersOf(shown["payment_methods"])[method]);
  const now = of(after);
  const changed = Object.entries(of(before)).filter(
    ([name, value]) => name in given && value !== now[name],
  );
  if (changed.length === 0) return null;
  return { payment_methods: { [method]: Object.fromEntries(changed) } };
}

function fieldsOf({ submitted, store }: Visit, method: PaymentMethod): Html {
  const { enabled, by, label, instructions, expires_minutes, storefront } =
    store.payment_methods[method];
  const at = (field: string) => `/payment_methods/${method}/${field}`;
  return html`${checkbox(submitted, { label: settings.enabled, name: at("enabled"), isChecked: enabled })}
  ${checkbox(submitted, { label: settings.storefront, name: at("storefront"), isChecked: storefront })}
  ${isGatewayMethod(method) && select(submitted, { label: settings.by, name: at("by"), value: by, options: takers, hint: providerHint })}
  ${input(submitted, { label: settings.label, name: at("label"), value: label })}
  ${textarea(submitted, { label: settings.instructions, name: at("instructions"), value: instructions, hint: settings.instructionsHint })}
  ${input(submitted, { label: settings.expires, name: at("expires_minutes"), value: expires_minutes, digits: "numeric", hint: settings.expiryHint })}`;
}
