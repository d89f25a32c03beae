// Workflow: sends a refund again after it failed.

import type { Id } from "#kernel/id.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";

import type { Refund } from "./refund.ts";
import { reopenRefund } from "./reopen-refund.ts";
import { sendRefund } from "./send-refund.ts";

/** Afterwards the refund was sent to its gateway as a new try. Refuses as reopening it does. */
export async function retryRefund(shop: PaymentsShop, id: Id<"refund">): Promise<Refund> {
  await shop.database.write((tx) => reopenRefund(tx, id));
  return sendRefund(shop, id);
}
