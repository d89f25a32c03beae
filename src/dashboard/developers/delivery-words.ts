// A delivery in words: how it stands, what came back, and what its event is about.

import type { Static } from "typebox";

import { mark } from "#dashboard/kit/parts/order-words.ts";
import { nearOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { isObject } from "#kernel/assume.ts";
import type { deliveryWire } from "#messaging/webhooks/deliveries/schema.ts";
import { type Html, html } from "#platform/html/html.ts";

import { pathOf } from "./endpoint-words.ts";

export type Delivery = Static<(typeof deliveryWire)["schema"]>;
export type Attempt = Delivery["attempts"][number];

const { webhooks } = en;

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
