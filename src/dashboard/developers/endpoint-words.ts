// An endpoint in words: what it is called, how it stands, and what it is told.

import type { Static } from "typebox";

import { mark } from "#dashboard/kit/parts/order-words.ts";
import { inSentence, momentOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import type { webhookWire } from "#messaging/webhooks/endpoints/schema.ts";
import { everything } from "#messaging/webhooks/endpoints/webhook.ts";
import type { Html } from "#platform/html/html.ts";

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
