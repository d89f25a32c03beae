// Webhooks in words. An endpoint: what it is called, how it stands, what it is told. A delivery: how it stands, what
// came back, and what its event is about.

import type { Static } from "typebox";

import { mark } from "#dashboard/kit/parts/order-words.ts";
import { inSentence, momentOf, nearOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { isObject } from "#kernel/assume.ts";
import type { deliveryWire } from "#messaging/webhooks/deliveries/schema.ts";
import type { webhookWire } from "#messaging/webhooks/endpoints/schema.ts";
import { everything } from "#messaging/webhooks/endpoints/webhook.ts";
import { type Html, html } from "#platform/html/html.ts";

export type Webhook = Static<(typeof webhookWire)["schema"]>;

const { webhooks } = en;

/** The host of its address. */
export function hostOf({ url }: Pick<Webhook, "url">): string {
  return URL.parse(url)?.host ?? url;
}

/** Its address, in which https goes without saying. */
export function shortUrl({ url }: Pick<Webhook, "url">): string {
  return url.replace(/^https:\/\//, "");
}

/** The path of its page. */
export function pathOf({ id }: { readonly id: string }): string {
  return `/webhooks/${id}`;
}

/** Returns true if it should receive events and does not, as what waits for the merchant counts it. */
export function isFailing({ status, disabled_reason: reason, failing_since }: Webhook): boolean {
  return status === "disabled" ? reason !== "manual" : failing_since !== null;
}

/** How it stands: a mark and a word. */
export function standingOf({ when }: Visit, webhook: Webhook): Html {
  const { status, failing_since: since, last_success_at: last } = webhook;
  const { state } = webhooks;
  if (status === "disabled") return mark(isFailing(webhook) ? "stop" : "off", state.off);
  if (since !== null) return mark("stop", state.failing(inSentence(momentOf(since, when))));
  return last === null ? mark("", state.unused) : mark("done", state.healthy);
}

/** The events that it is told: `All events`, or their names. */
export function eventsOf({ events }: Pick<Webhook, "events">): string {
  return events.map((name) => (everything.includes(name) ? webhooks.all : name)).join(", ");
}

export type Delivery = Static<(typeof deliveryWire)["schema"]>;
type Attempt = Delivery["attempts"][number];

const looks = {
  pending: "",
  sending: "wait",
  succeeded: "done",
  exhausted: "stop",
  cancelled: "off",
} as const;

/** How it stands: a mark and a word. */
export function deliveryMark({ when }: Visit, delivery: Delivery): Html {
  const { status, next_attempt_at: next, attempts } = delivery;
  if (status === "pending" && next !== null && attempts.length > 0) {
    return mark("wait", webhooks.nextTry(nearOf(next, when)));
  }
  return mark(looks[status], webhooks.standing[status]);
}

/** The status that came back, or why none did. */
export function answerMark({ outcome, response_status: status, failure }: Attempt): Html {
  const why = failure === null || failure === "status" ? null : webhooks.failures[failure];
  const word = why ?? (status === null ? webhooks.unknownOutcome : String(status));
  return html`<span class="code ${outcome === "succeeded" ? "" : "bad"}">${word}</span>`;
}

/** The path of its page. */
export function deliveryPath({ id, webhook_id: webhookId }: Pick<Delivery, "id" | "webhook_id">) {
  return `${pathOf({ id: webhookId })}/deliveries/${id}`;
}

export interface Subject {
  readonly path: string;
  readonly word: string;
}

/** The pages of what events are about, by the beginning of its id. */
const subjects: Readonly<Record<string, (id: string) => Subject>> = {
  ord: (id) => ({ path: `/orders/${id}`, word: webhooks.aboutLinks.order }),
  cus: (id) => ({ path: `/customers/${id}`, word: webhooks.aboutLinks.customer }),
  prod: (id) => ({ path: `/products/${id}`, word: webhooks.aboutLinks.product }),
  var: (id) => ({ path: `/stock/${id}`, word: webhooks.aboutLinks.stock }),
  key: (id) => ({ path: `/keys/${id}`, word: webhooks.aboutLinks.key }),
  whk: (id) => ({ path: pathOf({ id }), word: webhooks.aboutLinks.webhook }),
};

/** The page of what the event is about; null where there is none. What has an order is about the order. */
export function subjectOf(data: unknown): Subject | null {
  if (!isObject(data)) return null;
  const ids = [data["order_id"], data["id"], data["webhook_id"]];
  const id = ids.find((one) => typeof one === "string" && one !== "");
  if (typeof id !== "string") return null;
  return subjects[id.slice(0, id.indexOf("_"))]?.(id) ?? null;
}
