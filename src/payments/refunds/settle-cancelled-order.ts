// Workflow: settles the payments of a cancelled order. Closes its attempts and refunds what was paid,
// unless the merchant keeps it. Safe to repeat.

import type { Id } from "#kernel/id.ts";
import { closeAttempts } from "#payments/attempts/close-attempts.ts";
import { refundableMinor } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { findPaymentsOfOrder } from "#payments/payments/queries.ts";
import { getOrder, lockOrder } from "#sales/orders/lookups.ts";

import { openRefund } from "./open-refund.ts";

/** Afterwards no attempt waits for the customer, and all that can be refunded has a refund. */
export async function settleCancelledOrder(
  shop: PaymentsShop,
  id: Id<"order">,
  { refund }: { readonly refund: boolean },
): Promise<void> {
  const { database } = shop;
  const { order } = await getOrder(database.read, id);
  if (order.status !== "cancelled") return;
  await closeAttempts(shop, id);
  if (!refund) return;
  await database.write(async (tx) => {
    await lockOrder(tx, id);
    for (const payment of await findPaymentsOfOrder(tx, id)) {
      const amountMinor = refundableMinor(payment);
      if (amountMinor === 0 || payment.status === "review") continue;
      await openRefund(tx, payment, { amountMinor, reason: "order_cancelled" });
    }
  });
}
