// What a receiver learned of orders from all programs of a shop: each order is announced under one id,
// however often the message is repeated.

import type { Received } from "../support/receivers.ts";
import type { Ledger } from "./ledger.ts";

export class Heralds {
  /** The event ids that announced each order. */
  readonly #ids = new Map<string, Set<string>>();
  #messages = 0;
  #waiting: {
    readonly isMeant: (orderId: string) => boolean;
    readonly resolve: () => void;
  } | null = null;

  /** The number of messages, including repetitions. */
  get messages(): number {
    return this.#messages;
  }

  /** The receiver's answer to a message about an order. */
  hear({ body, headers }: Received): Response {
    const { data }: { data: { order_id: string } } = JSON.parse(body);
    const ids = this.#ids.get(data.order_id) ?? new Set<string>();
    this.#ids.set(data.order_id, ids.add(headers.get("webhook-id") ?? "without an id"));
    this.#messages += 1;
    if (this.#waiting?.isMeant(data.order_id) === true) this.#waiting.resolve();
    return new Response(null, { status: 204 });
  }

  /** Resolves with the next message about one of these orders. */
  next(isMeant: (orderId: string) => boolean): Promise<void> {
    return new Promise((resolve) => (this.#waiting = { isMeant, resolve }));
  }

  /** Every acknowledged order that was not announced, or was announced under several ids. */
  compare(ledger: Ledger): string[] {
    return ordersOf(ledger)
      .map((id) => ({ id, ids: this.#ids.get(id)?.size ?? 0 }))
      .filter(({ ids }) => ids !== 1)
      .map(({ id, ids }) => `the receiver got the order ${id} under ${ids} ids`);
  }
}

/** The ids of the orders that were acknowledged. */
export function ordersOf({ acknowledged }: Ledger): string[] {
  return [...acknowledged.values()]
    .filter(({ deed }) => deed.kind === "order")
    .map(({ text }) => {
      const order: { id: string } = JSON.parse(text);
      return order.id;
    });
}
