// Workflow: reads the gateways' own lists of what went back, for what no notice told. Safe to repeat at any time.

import { CALL_MS } from "#payments/gateways/call-times.ts";
import type { Gateway, ListedReturns } from "#payments/gateways/port.ts";
import { findPaymentAt } from "#payments/payments/lookups.ts";
import type { Payment } from "#payments/payments/payment.ts";
import { callGateway, type PaymentsShop } from "#payments/payments/payments-shop.ts";
import type { Tx } from "#platform/database/database.ts";

interface ListTerms {
  readonly call: "listDisputes" | "listRefunds";
  /** Epoch milliseconds of the real clock. */
  readonly sinceMs: number;
  /** Plans a poll of the payment unless the shop knows what the gateway lists under the name. */
  readonly plan: (tx: Tx, payment: Payment, name: string) => Promise<void>;
}

/** What belongs to payments of others at the same account is passed over, and a list that cannot be read. */
export async function readLists(shop: PaymentsShop, terms: ListTerms): Promise<void> {
  for (const gateway of shop.gateways) {
    if (gateway[terms.call] !== undefined) await readList(shop, gateway, terms);
  }
}

async function readList(
  shop: PaymentsShop,
  gateway: Gateway,
  { call, sinceMs, plan }: ListTerms,
): Promise<void> {
  const signal = AbortSignal.timeout(CALL_MS[call]);
  const listed = await callGateway<ListedReturns>(
    shop,
    { gateway: gateway.id, call },
    {
      ask: async () => gateway[call]?.(sinceMs, signal) ?? { kind: "unknown" },
      broken: { kind: "unknown" },
    },
  );
  if (listed.kind === "unknown" || listed.returns.length === 0) return;
  await shop.database.write(async (tx) => {
    for (const one of listed.returns) {
      const payment = await findPaymentAt(tx, gateway.id, one);
      if (payment !== undefined) await plan(tx, payment, one.name);
    }
  });
}
