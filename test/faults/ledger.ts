// The books that somebody outside keeps of a shop: what was asked of it, what it said yes to, and
// whether what it shows now agrees. Invariant: a yes that is not there exactly once is told.

import type { SeenOrder, SeenShop } from "./seen-shop.ts";

export type DeedKind = "order" | "payment" | "shipment" | "adjustment" | "cancellation";

/** Something that a client wants done, under one idempotency key however often it has to ask. */
export interface Deed {
  /** Its key, and what it is recognized by wherever the shop shows it. */
  readonly mark: string;
  readonly kind: DeedKind;
  readonly method: "POST" | "PUT";
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The order it is done to. */
  readonly orderId?: string;
}

/** A yes, word for word. */
export interface Acknowledged {
  readonly deed: Deed;
  readonly status: number;
  readonly text: string;
}

export class Ledger {
  readonly attempted = new Map<string, Deed>();
  readonly acknowledged = new Map<string, Acknowledged>();
  /** Answers that nobody should have been given. */
  readonly broken: string[] = [];
  /** Requests whose answer never came. */
  lost = 0;
  /** Requests that were asked again, and whose work turned out to be done. */
  replayed = 0;
  /** Requests that were refused and may be asked again. */
  refused = 0;

  attempt(deed: Deed): void {
    this.attempted.set(deed.mark, deed);
  }

  acknowledge(yes: Acknowledged): void {
    this.acknowledged.set(yes.deed.mark, yes);
  }

  /**
   * Every promise that the shop, as it is seen now, has broken. No client may be at work in it; what
   * the shop itself still has on its way may be half seen until it is settled.
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

  /** Money that was said to be there is there, and in the end no payment is on its way. */
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
        .map((mark) => `nobody asked for the ${kind} ${mark}`),
    );
  }
}

/** What was never acknowledged: whoever was promised nothing asked until there was a promise. */
export function missing({ attempted, acknowledged }: Ledger): string[] {
  return [...attempted.keys()]
    .filter((mark) => !acknowledged.has(mark))
    .map((mark) => `${mark} was never acknowledged`);
}

function isIn(status: string): boolean {
  return /^(succeeded|refunded)$/.test(status);
}

/** Whether the order agrees. Money that came when it was cancelled already went back, and paid nothing. */
function isPaidFor(status: string, order: SeenOrder | undefined): boolean {
  const cameLate = status === "refunded" && order?.status === "cancelled" && !order.wasPaid;
  return cameLate || (order?.wasPaid === true) === isIn(status);
}

/** Where the gateway never heard of it, or the order was cancelled first, there is no money. */
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

/** An order, and what was announced of it. */
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
