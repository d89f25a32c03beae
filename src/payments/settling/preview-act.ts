// Workflow: what an act on an order would do, of its units and of its money. The story is told, and undone.

import { assume } from "#kernel/assume.ts";
import type { Id } from "#kernel/id.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import type { Payment } from "#payments/rows/payment.ts";
import { paymentRows } from "#payments/rows/queries.ts";
import type { Refund } from "#payments/rows/refund.ts";
import type { Database, Story, Tx } from "#platform/database/database.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import type { WholeOrder } from "#sales/rows/order.ts";

/** Money that would go back, and the payment that it came with. */
export interface PreviewedRefund {
  readonly refund: Refund;
  readonly payment: Payment;
}

export interface ActPreview {
  /** The order as it would be. */
  readonly order: WholeOrder;
  readonly moneyBack: readonly PreviewedRefund[];
}

/** The order and its refunds after the act, which opens the refunds that it answers. Nothing is changed. */
export function previewAct(
  { database }: PaymentsShop,
  id: Id<"order">,
  act: (tx: Tx) => Promise<readonly Refund[]>,
): Promise<ActPreview> {
  return rehearse(database, async (tx) => {
    const moneyBack: PreviewedRefund[] = [];
    for (const refund of await act(tx)) {
      moneyBack.push({ refund, payment: await paymentRows.get(tx, refund.paymentId) });
    }
    return { order: await getOrder(tx, id), moneyBack };
  });
}

/**
 * Returns the answer of the story: by its own rules, of the rows as they are. Afterwards nothing is changed and nothing
 * is in the log. Refuses what the story refuses.
 */
export async function rehearse<T>(database: Database, story: Story<T>): Promise<T> {
  try {
    return await database.write<T>(async (tx) => {
      throw new Rehearsed(await story(tx));
    });
  } catch (error) {
    // The cast holds: only the story above made the answer.
    if (error instanceof Rehearsed) return assume<T>(error.answer);
    throw error;
  }
}

/** Undoes what the story wrote. */
class Rehearsed extends Error {
  readonly answer: unknown;

  constructor(answer: unknown) {
    super("The story was told to see what it would do.");
    this.answer = answer;
  }
}
