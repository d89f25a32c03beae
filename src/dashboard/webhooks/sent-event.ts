// The message of a delivery: the event, read from the log, or the test message, which is in no log.

import { PING, pingWire } from "#messaging/webhooks/deliveries/schema.ts";
import { type Html, html } from "#platform/html/html.ts";

import { objectOf } from "../asker.ts";
import { linesOfText } from "../events/json-text.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import { type Delivery, type Subject, subjectOf } from "./delivery-words.ts";

const { webhooks } = en;
/** Characters of a message that are shown: an order of many items has more. */
const SHOWN_MAX = 16_000;

export interface SentEvent {
  /** A test message is no event of the log; an event that is no longer kept is gone. */
  readonly kind: "logged" | "ping" | "gone";
  /** The bytes that are signed; empty if they are gone. */
  readonly text: string;
  /** What it is about; null where no page shows that. */
  readonly subject: Subject | null;
}

/** The event of the delivery, as it is sent now. */
export async function eventOf(visit: Visit, delivery: Delivery): Promise<SentEvent> {
  if (delivery.event === PING)
    return { kind: "ping", text: pingText(visit, delivery), subject: null };
  const params = { id: delivery.event_id };
  const { status, text } = await visit.send("GET /v2/events/{id}", { params });
  if (status !== 200) return { kind: "gone", text: "", subject: null };
  return { kind: "logged", text, subject: subjectOf(objectOf(text)["data"]) };
}

function pingText({ store, mode }: Visit, delivery: Delivery): string {
  return pingWire.write({
    id: delivery.event_id,
    event: PING,
    createdAt: Date.parse(delivery.created_at),
    storeId: store.id,
    mode,
    sequence: null,
    data: { webhookId: delivery.webhook_id },
  });
}

/** What was sent, in lines. */
export function sentPart({ kind, text }: SentEvent): Html {
  const lines = linesOfText(text);
  return html`<section>
    <h2>${webhooks.body}</h2>
    ${
      kind === "gone"
        ? html`<p class="soft">${webhooks.bodyGone}</p>`
        : html`<p class="small soft">${webhooks.bodyWhat}</p>
            <pre class="wire" tabindex="0">${lines.slice(0, SHOWN_MAX)}</pre>
            ${lines.length > SHOWN_MAX && html`<p class="small soft">${webhooks.cut}</p>`}`
    }
  </section>`;
}
