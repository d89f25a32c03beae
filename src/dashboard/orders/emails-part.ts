// The emails about an order or a cart, on its page: what was sent when, and the way to send it again.

import type { Static } from "typebox";

import type { RequestForm } from "#dashboard/kit/forms/form.ts";
import { nonceField } from "#dashboard/kit/parts/field.ts";
import { mark } from "#dashboard/kit/parts/order-words.ts";
import { momentOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { emailWire } from "#emails/schema.ts";
import { type Html, html } from "#platform/html/html.ts";

// An email in words: how it stands, and why it was not sent.

type Email = Static<(typeof emailWire)["schema"]>;

const looks = { waiting: "wait", sent: "done", failed: "stop", skipped: "off" } as const;

/** How it stands: a mark and a word. */
function emailMark({ status }: Pick<Email, "status">): Html {
  return mark(looks[status], en.emails.states[status]);
}

const reasons: Readonly<Record<string, string>> = en.emails.reasons;

/** The sentence of an error such as `rejected 550 5.1.1`, with the codes of the mail server; null without one. */
export function whyOf(error: string | null): string | null {
  if (error === null) return null;
  const [word = "", ...codes] = error.split(" ");
  const why = reasons[word] ?? word;
  return codes.length === 0 ? why : `${why} (${codes.join(" ")})`;
}

/** More than an order has: one for each thing that happened to it. */
const SHOWN = "20";

/** Sends an email once more, from the page of its order or cart. */
export const resendForm: RequestForm = {
  route: "POST /v2/emails/{id}/resend",
  doneMessage: "mailed",
};

/** The emails about an order, newest first; null without one. */
export async function emailsPart(visit: Visit, orderId: string): Promise<Html | null> {
  const query = { order_id: orderId, limit: SHOWN };
  const { data } = await visit.list(emailWire, "GET /v2/emails", { query });
  if (data.length === 0) return null;
  return html`<section id="emails">
    <h2>${en.emails.title}</h2>
    <ul class="rows">
      ${data.map((email) => html`<li class="lined">${emailOf(visit, email)}</li>`)}
    </ul>
  </section>`;
}

/** The only email about each of the carts. */
export async function emailsOfCarts(
  visit: Visit,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Html>> {
  if (ids.length === 0 || !visit.may("orders:read")) return new Map();
  const query = { cart_id: ids.join(","), limit: String(ids.length) };
  const { data } = await visit.list(emailWire, "GET /v2/emails", { query });
  return new Map(data.map((email) => [email.cart_id ?? "", emailOf(visit, email)]));
}

function emailOf(visit: Visit, email: Email): Html {
  const { id, template, status, attempts, error } = email;
  const at = momentOf(email.sent_at ?? email.created_at, visit.when);
  const why = whyOf(error);
  return html`<span
      >${en.emails.templates[template].name} ${emailMark(email)}<br /><span class="small soft"
        >${at}${why !== null && ` · ${why}`}</span
      ></span
    >
    ${
      (status !== "waiting" || attempts > 0) &&
      visit.may("orders:write") &&
      html`<form method="post" action="${`${visit.page}/resend`}">
        <input type="hidden" name="@id" value="${id}" />${nonceField()}
        <button class="quiet">${en.emails.resend}</button>
      </form>`
    }`;
}
