// Workflow: what an act on an order would do, of its units and of its money.

import type { Id } from "#kernel/id.ts";
import type { Payment } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { paymentRows } from "#payments/payments/queries.ts";
import type { Refund } from "#payments/refunds/refund.ts";
import type { Tx } from "#platform/database/database.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import type { WholeOrder } from "#sales/rows/order.ts";

import { rehearse } from "./rehearse.ts";

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
