// The ledger of a shop's clients: what they requested, what was acknowledged, and whether the shop agrees.
// Invariant: an acknowledged request whose effect is not there exactly once is reported.

import type { SeenOrder, SeenShop } from "./seen-shop.ts";

export type DeedKind = "order" | "payment" | "shipment" | "adjustment" | "cancellation";

/** Work that a client requests under one idempotency key, however often it retries. */
export interface Deed {
  /** The key, which also identifies the effect wherever the shop shows it. */
  readonly mark: string;
  readonly kind: DeedKind;
  readonly method: "POST" | "PUT";
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The order that it concerns. */
  readonly orderId?: string;
}

/** An acknowledgement, byte for byte. */
export interface Acknowledged {
  readonly deed: Deed;
  readonly status: number;
  readonly text: string;
}

export class Ledger {
  readonly attempted = new Map<string, Deed>();
  readonly acknowledged = new Map<string, Acknowledged>();
  /** Answers that are never allowed. */
  readonly broken: string[] = [];
  /** Requests without an answer. */
  lost = 0;
  /** Retries that found their work done. */
  replayed = 0;
  /** Refusals that were to be retried. */
  refused = 0;

  attempt(deed: Deed): void {
    this.attempted.set(deed.mark, deed);
  }

  acknowledge(yes: Acknowledged): void {
    this.acknowledged.set(yes.deed.mark, yes);
  }

  /**
   * Every promise that the shop, as seen now, has broken. No client may be active; work of the shop itself
   * may be incomplete until it is settled.
   */
  compare(seen: SeenShop, isSettled: boolean): string[] {
    return [
      ...this.#lostOrDoubled(seen),
      ...this.#unknown(seen),
      ...this.#payments(seen, isSettled),
      ...brokenStock(seen),
      ...brokenOrders(seen, isSettled),
      ...seen.faults,
    ];
  }

  #lostOrDoubled(seen: SeenShop): string[] {
    const broken: string[] = [];
    for (const { mark, kind, orderId } of this.attempted.values()) {
      const found =
        kind === "cancellation"
          ? Number(seen.orders.get(orderId ?? "")?.status === "cancelled")
          : (seen.marks[kind].get(mark) ?? 0);
      if (found > 1) broken.push(`the ${kind} ${mark} is there ${found} times`);
      if (found === 0 && this.acknowledged.has(mark)) {
        broken.push(`the ${kind} ${mark} was acknowledged and is not there`);
      }
    }
    return broken;
  }

  /** Acknowledged payments have their money, and no payment is in progress in the end. */
  #payments({ payments, orders }: SeenShop, isSettled: boolean): string[] {
    return [...payments].flatMap(([mark, status]) => {
      const yes = this.acknowledged.get(mark)?.text ?? "";
      const orderId = this.attempted.get(mark)?.orderId ?? "";
      const order = orders.get(orderId);
      const wanted: [isSo: boolean, sentence: string][] = [
        [isIn(status) || !yes.includes('"status":"succeeded"'), "was acknowledged as succeeded"],
        [
          isPaidFor(status, order) || !isSettled,
          `is of an order that is ${order?.wasPaid === true ? "" : "un"}paid`,
        ],
        [isEnded(status) || !isSettled, "had time to end"],
      ];
      return wanted
        .filter(([isSo]) => !isSo)
        .map(([, sentence]) => `the payment ${mark} ${sentence}, and is ${status}`);
    });
  }

  #unknown({ marks }: SeenShop): string[] {
    return Object.entries(marks).flatMap(([kind, found]) =>
      [...found.keys()]
        .filter((mark) => !this.attempted.has(mark))
        .map((mark) => `no client requested the ${kind} ${mark}`),
    );
  }
}

/** Unacknowledged requests: a client that got no answer retried until there was one. */
export function missing({ attempted, acknowledged }: Ledger): string[] {
  return [...attempted.keys()]
    .filter((mark) => !acknowledged.has(mark))
    .map((mark) => `${mark} was never acknowledged`);
}

function isIn(status: string): boolean {
  return /^(succeeded|refunded)$/.test(status);
}

/** Whether the order agrees. Money for a cancelled order was refunded, and paid nothing. */
function isPaidFor(status: string, order: SeenOrder | undefined): boolean {
  const cameLate = status === "refunded" && order?.status === "cancelled" && !order.wasPaid;
  return cameLate || (order?.wasPaid === true) === isIn(status);
}

/** There is no money where the gateway was not called, or the order was cancelled first. */
function isEnded(status: string): boolean {
  return isIn(status) || /^(failed|cancelled|expired)$/.test(status);
}

function brokenStock({ stock, marks, orders }: SeenShop): string[] {
  const open = [...orders.values()].filter(({ status }) => status === "open");
  const reserved = open.reduce((sum, order) => sum + order.units - order.shippedUnits, 0);
  const pairs: [what: string, expected: number, found: number][] = [
    ["on the shelf", stock.soldBefore - marks.shipment.size, stock.soldOnHand],
    ["reserved", reserved, stock.soldReserved],
    ["counted", stock.countedBefore + stock.adjusted, stock.countedOnHand],
  ];
  return pairs
    .filter(([, expected, found]) => expected !== found)
    .map(([what, expected, found]) => `${what} should be ${expected} and is ${found}`);
}

/** An order, and its events. */
function brokenOrders({ orders, announced }: SeenShop, isSettled: boolean): string[] {
  return [...orders.values()].flatMap((order) => {
    const isShipped = order.shippedUnits === order.units;
    const isCancelled = order.status === "cancelled";
    const late = isSettled ? 0 : 1;
    const wanted: [event: string, least: number, most: number][] = [
      ["order.placed", 1, 1],
      ["order.paid", Number(order.wasPaid), Math.max(Number(order.wasPaid), late)],
      ["order.fulfilled", Number(isShipped), Number(isShipped)],
      ["order.cancelled", Number(isCancelled), Number(isCancelled)],
      ["order.refunded", Number(isCancelled && order.wasPaid && isSettled), Number(isCancelled)],
    ];
    return wanted
      .map(([event, ...span]) => ({
        event,
        span,
        found: announced.get(`${event} ${order.id}`) ?? 0,
      }))
      .filter(({ span: [least, most], found }) => found < least || found > most)
      .map(
        ({ event, span, found }) => `${event} of ${order.id}: ${found}, not ${span.join(" to ")}`,
      );
  });
}
