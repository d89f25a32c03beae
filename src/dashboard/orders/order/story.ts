// The story of an order: what happened, and by whom.

import type { Static } from "typebox";

import { membersOf } from "#dashboard/kit/forms/submitted-form.ts";
import { textOfMoney } from "#dashboard/kit/parts/money.ts";
import { channelNamed, methodNamed } from "#dashboard/kit/parts/order-words.ts";
import { momentOf } from "#dashboard/kit/parts/times.ts";
import { namesOf } from "#dashboard/kit/parts/who.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { isObject } from "#kernel/assume.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { timelineSchema } from "#sales/orders/query-schema.ts";

type Happened = Static<typeof timelineSchema>["data"][number];

/** The last event first. */
export async function storyOf(visit: Visit, events: readonly Happened[]): Promise<Html> {
  const nameOf = await namesOf(
    visit,
    events.map(({ actor }) => actor),
  );
  const firsts = new Set(
    Map.groupBy(events, parcelOf)
      .values()
      .map(([first]) => first?.id),
  );
  return html`<ol class="story">
    ${events.toReversed().map(
      (event) =>
        html`<li>
          <time datetime="${event.at}">${momentOf(event.at, visit.when)}</time>
          <span
            >${sentenceOf(event, firsts.has(event.id))}
            <span class="soft">${byWhom(event.actor, nameOf(event.actor))}</span></span
          >
        </li>`,
    )}
  </ol>`;
}

/** The parcel that an event tells of; the event itself where it tells of none. */
function parcelOf({ id, data }: Happened): unknown {
  const fulfillment = isObject(data) ? data["fulfillment"] : null;
  return isObject(fulfillment) ? fulfillment["id"] : id;
}

const gateways: Readonly<Record<string, string>> = en.oneOrder.gateways;

function byWhom({ type, id }: Happened["actor"], name: string | null): string | null {
  const { by, byKey, byCommand, byGateway } = en.oneOrder;
  if (type === "operator") return byCommand;
  if (type === "gateway" && id !== null) return byGateway(gateways[id] ?? id);
  if (name === null) return null;
  if (type === "person") return by(name);
  return type === "api_key" ? byKey(name) : null;
}

type Data = Readonly<Record<string, unknown>>;

const sentences: Readonly<Record<string, (data: Data, isFirst: boolean) => string>> = {
  "order.placed": (data) => en.oneOrder.events.placed(channelNamed(textIn(data["channel"]))),
  "cart.abandoned": () => en.oneOrder.events.leftUnpaid,
  "payment.initialized": (data) => en.oneOrder.events.paying(amountOf(data), methodIn(data)),
  "payment.succeeded": (data) => en.oneOrder.events.received(capturedIn(data), methodIn(data)),
  "payment.failed": (data) => en.oneOrder.events.failed(amountOf(data)),
  "payment.review": (data) => en.oneOrder.events.review(amountOf(data)),
  "payment.corrected": (data) => en.oneOrder.events.corrected(capturedIn(data)),
  "payment.disputed": (data) => en.oneOrder.events.disputed(amountOf(membersOf(data["dispute"]))),
  "payment.dispute_closed": closedIn,
  "order.paid": () => en.oneOrder.events.paid,
  "order.updated": changeIn,
  "order.fulfilled": () => en.oneOrder.events.sent,
  "order.returned": () => en.oneOrder.events.returned,
  "order.refunded": (data) => en.oneOrder.events.refunded(refundedIn(data)),
  "refund.failed": () => en.oneOrder.events.refundFailed,
  "refund.cancelled": () => en.oneOrder.events.refundCancelled,
  "refund.needs_attention": () => en.oneOrder.events.refundWaits,
  "refund.excess_returned": (data) => en.oneOrder.events.excessReturned(amountOf(data)),
  "refund.approval_asked": (data) => en.oneOrder.events.refundAsked(amountOf(data)),
  "refund.approved": (data) => en.oneOrder.events.refundApproved(amountOf(data)),
  "refund.declined": (data) => en.oneOrder.events.refundDeclined(amountOf(data)),
  "order.cancelled": () => en.oneOrder.events.cancelled,
};

function sentenceOf({ type, data }: Happened, isFirst: boolean): string {
  return sentences[type]?.(isObject(data) ? data : {}, isFirst) ?? type;
}

/** The change that the merchant made. A parcel that was told before is only followed otherwise. */
function changeIn(data: Data, isFirst: boolean): string {
  const { itemsCancelled, reduced, writtenOff, fields, updated } = en.oneOrder.events;
  const { fulfillment, cancelled_line_items: lines, written_off_minor: minor, changed } = data;
  if (isObject(fulfillment)) return changeOfParcel(fulfillment, isFirst);
  if (Array.isArray(lines) && lines.length > 0) return itemsCancelled;
  const { sale_reduction: reduction } = data;
  if (isObject(reduction)) return reduced(amountOf({ ...data, ...reduction }));
  if (typeof minor === "number" && minor > 0)
    return writtenOff(textOfMoney(minor, textIn(data["currency"])));
  const known = Object.entries(fields).find(
    ([field]) => Array.isArray(changed) && changed.includes(field),
  );
  return known?.[1] ?? updated;
}

function changeOfParcel({ cancelled_at: cancelledAt = null }: Data, isFirst: boolean): string {
  const { part, tracked, unsent } = en.oneOrder.events;
  if (cancelledAt !== null) return unsent;
  return isFirst ? part : tracked;
}

/** The money that really came, which by hand may be another amount than was asked for. */
function capturedIn(data: Data): string {
  return amountOf({ ...data, amount_minor: data["captured_total_minor"] });
}

/** How the dispute within the event ended. */
function closedIn(data: Data): string {
  const { disputeClosed } = en.oneOrder.events;
  const dispute = membersOf(data["dispute"]);
  const ended = Object.entries(disputeClosed).find(([status]) => status === dispute["status"]);
  return (ended?.[1] ?? disputeClosed.closed)(amountOf(dispute));
}

/** The refund within the event; older events have its amount themselves. */
function refundedIn(data: Readonly<Record<string, unknown>>): string {
  const { refund } = data;
  return amountOf(typeof refund === "object" && refund !== null ? { ...data, ...refund } : data);
}

function amountOf({ amount_minor: minor, currency }: Readonly<Record<string, unknown>>): string {
  return typeof minor === "number" ? textOfMoney(minor, textIn(currency)) : "";
}

function methodIn(data: Readonly<Record<string, unknown>>): string {
  return methodNamed(textIn(data["method"]));
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}
