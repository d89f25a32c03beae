// Workflow: refunds what was paid beyond what an order owes, after units were cancelled or came back. Safe to repeat.

import type { Id } from "#kernel/id.ts";
import { closeAttempts } from "#payments/attempts/close-attempts.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";

import { refundSurplus } from "./refund-surplus.ts";

/** Afterwards no attempt asks for more than is due, and what was overpaid has refunds. */
export async function refundOverpaid(shop: PaymentsShop, id: Id<"order">): Promise<void> {
  await closeAttempts(shop, id);
  await shop.database.write((tx) => refundSurplus(tx, id));
}
