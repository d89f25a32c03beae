// A payout of a shop whose gateway lists none: the simulated gateway keeps what it takes.

import { adoptPayout } from "#payments/payouts/adopt-payout.ts";
import { getPayment } from "#payments/rows/lookups.ts";

import type { TestShop } from "../support/shop.ts";

/** Afterwards the payment has been paid out, without a fee. Returns the payout's id. */
export async function paidOut(
  { test: { database } }: Pick<TestShop, "test">,
  reference: string,
): Promise<string> {
  const { payment } = await getPayment(database.read, reference);
  const { currency, capturedMinor: netMinor, gatewayReference } = payment;
  const source = payment.gateway ?? "";
  const charge = { kind: "charge", gatewayReference, names: [], feeMinor: 0 } as const;
  const lines = [{ ...charge, grossMinor: netMinor }];
  const name = `po_${payment.id.slice(-8)}`;
  const told = { source, name, currency, netMinor, lines, arrivesOn: "2026-03-03" } as const;
  return database.write((tx) => adoptPayout(tx, { ...told, status: "paid" }));
}
