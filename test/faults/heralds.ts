// What a receiver was told of orders, whoever of the shop's programs told it: each order under one id,
// however often it was said.

import type { Received } from "../support/receivers.ts";
import type { Ledger } from "./ledger.ts";

export class Heralds {
  /** The ids under which each order was announced. */
  readonly #ids = new Map<string, Set<string>>();
  #messages = 0;
  #waiting: {
    readonly isMeant: (orderId: string) => boolean;
    readonly resolve: () => void;
  } | null = null;

  /** How many messages came, with those that came again. */
  get messages(): number {
    return this.#messages;
  }

  /** What the receiver says to a message about an order. */
  hear({ body, headers }: Received): Response {
    const { data }: { data: { order_id: string } } = JSON.parse(body);
    const ids = this.#ids.get(data.order_id) ?? new Set<string>();
    this.#ids.set(data.order_id, ids.add(headers.get("webhook-id") ?? "without an id"));
    this.#messages += 1;
    if (this.#waiting?.isMeant(data.order_id) === true) this.#waiting.resolve();
    return new Response(null, { status: 204 });
  }

  /** Resolves with the next message about one of the orders that are meant. */
  next(isMeant: (orderId: string) => boolean): Promise<void> {
    return new Promise((resolve) => (this.#waiting = { isMeant, resolve }));
  }

  /** Every order that was acknowledged and not announced, or announced as if it were several. */
  compare(ledger: Ledger): string[] {
    return ordersOf(ledger)
      .map((id) => ({ id, ids: this.#ids.get(id)?.size ?? 0 }))
      .filter(({ ids }) => ids !== 1)
      .map(({ id, ids }) => `the receiver was told of the order ${id} under ${ids} ids`);
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
