// Events of before they told all that is booked of them: the rest follows from the events of the order before, and from
// the payment.

import { getPayment } from "#payments/rows/lookups.ts";
import type { Reader } from "#platform/database/database.ts";
import { eventsAfter, type LoggedEvent } from "#platform/event-log/event-log.ts";
import {
  isPayload,
  partOf,
  type Payload,
  payloadOf,
  textOf,
  wholeOf,
} from "#platform/event-log/payload.ts";

type At = Pick<LoggedEvent, "name" | "subject" | "sequence">;

interface Lack {
  /** The member that events of today have. */
  readonly member: string;
  readonly tell: (db: Reader, event: At, data: Payload) => Promise<Payload>;
}

const lacks: Readonly<Record<string, Lack>> = {
  "order.paid": {
    member: "written_off_total_minor",
    tell: async (db, event) => ({ written_off_total_minor: await writtenOffBefore(db, event) }),
  },
  "order.updated": {
    member: "written_off_of_sale",
    tell: async (db, event, data) => ({
      written_off_of_sale:
        wholeOf(data, "written_off_minor") !== 0 && (await wasPaidBefore(db, event)),
    }),
  },
  "order.refunded": { member: "counted", tell: returnOf },
  "refund.failed": { member: "counted", tell: returnOf },
  "refund.needs_attention": { member: "counted", tell: (db, _, data) => wayOf(db, data) },
};

/** The payload with what it lacks; one that lacks nothing as it is. */
export async function completed(db: Reader, event: At, data: Payload): Promise<Payload> {
  const lack = lacks[event.name];
  if (lack === undefined || lack.member in data) return data;
  return { ...data, ...(await lack.tell(db, event, data)) };
}

/** Sums up how much of an order was written off until it was sold. */
async function writtenOffBefore(db: Reader, event: At): Promise<number> {
  const former = await formerOf(db, event);
  return former.reduce((sum, { data }) => sum + wholeOf(data, "written_off_minor"), 0);
}

async function wasPaidBefore(db: Reader, event: At): Promise<boolean> {
  return (await formerOf(db, event)).some(({ name }) => name === "order.paid");
}

/** A refund is of the sale as far as it changed how much of that is refunded. */
async function returnOf(db: Reader, event: At, data: Payload): Promise<Payload> {
  const isFailed = event.name === "refund.failed";
  const undone = data["undone"];
  if (isFailed && !isPayload(undone)) return { had_succeeded: false };
  const totals = (await formerOf(db, event)).map(refundedAfter).filter((total) => total !== null);
  const addedMinor = (refundedAfter({ name: event.name, data }) ?? 0) - (totals.at(-1) ?? 0);
  return {
    ...(await wayOf(db, data)),
    had_succeeded: isFailed,
    sale_refunded_minor: isFailed ? -addedMinor : addedMinor,
  };
}

/** How much of the sale was refunded after an event; null if it is of no refund that succeeded. */
function refundedAfter({ name, data }: Former): number | null {
  if (name === "order.refunded") return wholeOf(data, "sale_refunded_total_minor");
  const { undone } = data;
  return isPayload(undone) ? wholeOf(undone, "sale_refunded_total_minor") : null;
}

/** The way on which the money of a refund went: what a person gave back in place of a gateway is a transfer. */
async function wayOf(db: Reader, data: Payload): Promise<Payload> {
  const refund = partOf(data, "refund");
  const id = textOf(refund, "payment_id") ?? "";
  const { method, gateway, capturedMinor } = (await getPayment(db, id)).payment;
  const isClosed = textOf(refund, "status") === "closed" && data["reason"] !== "paid_twice";
  const isByHand = isClosed && gateway !== null;
  return {
    method: isByHand ? "bank_transfer" : method,
    gateway: isByHand ? null : gateway,
    counted: capturedMinor > 0,
  };
}

interface Former {
  readonly name: string;
  readonly data: Payload;
}

/** Lists the events of the same subject before this one; each is chosen by its name afterwards, as they are few. */
async function formerOf(db: Reader, { subject, sequence }: At): Promise<Former[]> {
  const events = await eventsAfter(db, {
    after: 0,
    until: sequence - 1,
    subject,
    limit: sequence,
  });
  return events.flatMap((event) => {
    const data = payloadOf(event);
    return data === null ? [] : [{ name: event.name, data }];
  });
}
