// The page of one delivery: what was sent, what it is about, and what came back of each attempt.

import type { Static } from "typebox";

import { objectOf } from "#dashboard/kit/asker.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { nonceField } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { momentOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { PING, pingWire, wholeDeliveryWire } from "#messaging/webhooks/deliveries/schema.ts";
import { attribute, type Hole, type Html, html } from "#platform/html/html.ts";

import { webhookOf } from "./endpoint-acts.ts";
import { arrival, pingAct } from "./endpoint-page.ts";
import { linesOfText } from "./events-page.ts";
import {
  answerMark,
  type Delivery,
  deliveryMark,
  deliveryPath,
  hostOf,
  pathOf,
  shortUrl,
  type Subject,
  subjectOf,
  type Webhook,
} from "./webhook-words.ts";

// The message of a delivery: the event, read from the log, or the test message, which is in no log.

const { webhooks } = en;
/** Characters of a message that are shown: an order of many items has more. */
const SHOWN_MAX = 16_000;

interface SentEvent {
  /** A test message is no event of the log; an event that is no longer kept is gone. */
  readonly kind: "logged" | "ping" | "gone";
  /** The bytes that are signed; empty if they are gone. */
  readonly text: string;
  /** The subject of it; null where no page shows that. */
  readonly subject: Subject | null;
}

/** The event of the delivery, as it is sent now. */
async function eventOf(visit: Visit, delivery: Delivery): Promise<SentEvent> {
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

/** The message that was sent, in lines. */
function sentPart({ kind, text }: SentEvent): Html {
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

type WholeDelivery = Static<(typeof wholeDeliveryWire)["schema"]>;
type WholeAttempt = WholeDelivery["attempts"][number];

/** The newest attempts that are shown: one that is sent again by hand has as many as were asked for. */
const ATTEMPTS_MAX = 20;
/** Characters of an answer that are shown: of the newest, and of an older one. */
const ANSWER_MAX = 4_000;
const OLDER_ANSWER_MAX = 400;

export const deliveryPage: Page = {
  path: "/webhooks/{id}/deliveries/{delivery_id}",
  scopes: ["webhooks:read"],
  show: async (visit) => {
    const delivery = await visit.ask(wholeDeliveryWire, "GET /v2/webhook-deliveries/{id}", {
      params: deliveryIdOf(visit),
    });
    if (delivery.webhook_id !== visit.params["id"]) return { redirectTo: deliveryPath(delivery) };
    const webhook = await webhookOf(visit);
    const event = await eventOf(visit, delivery);
    const attempts = delivery.attempts.toReversed().slice(0, ATTEMPTS_MAX);
    return {
      title: delivery.event,
      body: html`${heading({
          title: delivery.event,
          back: [visit.href(pathOf(webhook)), hostOf(webhook)],
          act: visit.may("webhooks:write") && actOf(visit, { webhook, event }),
        })}
        ${doneNote(visit)} ${refusedNote(visit.submitted)}
        <section>
          <p>${deliveryMark(visit, delivery)}</p>
          ${delivery.is_replay && html`<p class="small soft">${webhooks.replayed}</p>`}
        </section>
        <div class="two">
          <section>
            <h2>${webhooks.attempts}</h2>
            ${
              attempts.length === 0
                ? html`<p class="soft">${webhooks.noAttempts}</p>`
                : html`<ol class="rows">
                    ${attempts.map((attempt, index) => attemptRow(visit, attempt, index === 0))}
                  </ol>`
            }
          </section>
          <aside>${factsOf(visit, { delivery, webhook, event })}</aside>
        </div>
        ${sentPart(event)}`,
    };
  },
  forms: {
    resend: {
      route: "POST /v2/webhook-deliveries/{id}/retry",
      doneMessage: arrival,
      findParams: async (visit) => deliveryIdOf(visit),
    },
    ping: pingAct,
  },
};

function deliveryIdOf({ params }: Visit): { readonly id: string } {
  return { id: params["delivery_id"] ?? "" };
}

interface Context {
  readonly webhook: Webhook;
  readonly event: SentEvent;
}

/** The way to send it again. A test message is no event: another one is sent in its place. */
function actOf({ page }: Visit, { webhook, event }: Context): Html | null {
  if (event.kind === "gone") return null;
  if (event.kind === "logged" && webhook.status === "disabled") return null;
  const [form, word] =
    event.kind === "ping" ? ["ping", webhooks.pingAgain] : ["resend", webhooks.resend];
  return html`<form class="bar" method="post" action="${page}/${form}">
    ${nonceField()}<button class="go">${word}</button>
  </form>`;
}

function factsOf(
  visit: Visit,
  { delivery, webhook, event }: Context & { readonly delivery: WholeDelivery },
): Html {
  const { subject } = event;
  const isOff = webhook.status === "disabled" && event.kind === "logged";
  const facts: readonly (readonly [string, Hole])[] = [
    [
      webhooks.about,
      subject !== null && html`<a href="${visit.href(subject.path)}">${subject.word}</a>`,
    ],
    [webhooks.made, momentOf(delivery.created_at, visit.when)],
    [webhooks.sentTo, html`<span class="mono">${shortUrl(webhook)}</span>`],
    [webhooks.eventId, html`<span class="mono">${delivery.event_id}</span>`],
    [webhooks.deliveryId, html`<span class="mono">${delivery.id}</span>`],
  ];
  return html`<section>
    ${isOff && html`<p class="small soft">${webhooks.resendOff}</p>`}
    <dl class="facts">
      ${facts.map(
        ([name, value]) =>
          value !== false &&
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
  </section>`;
}

function attemptRow(visit: Visit, attempt: WholeAttempt, isNewest: boolean): Html {
  const { number, trigger, started_at: at, duration_ms: ms, address } = attempt;
  const facts = [
    momentOf(at, visit.when),
    ms === null ? null : webhooks.took(String(ms)),
    address === null ? null : webhooks.at(address),
  ];
  return html`<li>
    <div class="lined">
      <div>
        <strong>${number} · ${webhooks.triggers[trigger]}</strong>
        <p class="small soft">${facts.filter((fact) => fact !== null).join(" · ")}</p>
      </div>
      ${answerMark(attempt)}
    </div>
    ${whyOf(attempt)} ${answerPart(attempt, isNewest)}
  </li>`;
}

function whyOf({ failure, outcome }: WholeAttempt): Html | null {
  if (outcome === "unknown") return html`<p class="small">${webhooks.unknownWhat}</p>`;
  return failure === null ? null : html`<p class="small">${webhooks.failuresWhat[failure]}</p>`;
}

/** The answer of the receiver; nothing where no answer came. */
function answerPart(attempt: WholeAttempt, isNewest: boolean): Html | null {
  const { response_status: status, response_body: answer } = attempt;
  if (status === null) return null;
  if (answer === "") return html`<p class="small soft">${webhooks.emptyAnswer}</p>`;
  const most = isNewest ? ANSWER_MAX : OLDER_ANSWER_MAX;
  return html`<details class="figures" ${attribute("open", isNewest)}>
    <summary>${webhooks.cameBack}</summary>
    <pre class="wire" tabindex="0">${answer.slice(0, most)}</pre>
    ${answer.length > most && html`<p class="small soft">${webhooks.cut}</p>`}
  </details>`;
}
