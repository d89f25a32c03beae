// Workflow: reads the gateways' own lists of what went back, for what no notice reported. Safe to repeat at any time.

import { DAY_MS } from "#kernel/time.ts";
import type { Gateway, ListedReturns } from "#payments/gateways/port.ts";
import { findPaymentAt } from "#payments/notices/accept-notice.ts";
import type { Payment } from "#payments/payments/payment.ts";
import { guardCall, type PaymentsShop } from "#payments/payments/payments-shop.ts";
import type { Tx } from "#platform/database/database.ts";

interface ListTerms {
  readonly call: "listDisputes" | "listRefunds";
  /** Epoch milliseconds of the real clock. */
  readonly nowMs: number;
  /** How far back the lists are read, milliseconds. */
  readonly listedMs: number;
  /** Since when the program may have been off; null if it was not. */
  readonly offSinceMs: number | null;
  /** Plans a poll of the payment unless the shop knows what the gateway lists under the name. */
  readonly plan: (tx: Tx, payment: Payment, name: string) => Promise<void>;
}

/**
 * Reads the lists; entries of others at the same account are passed over. Returns whether each list was read, from some
 * time on.
 */
export async function readLists(shop: PaymentsShop, terms: ListTerms): Promise<boolean> {
  let areRead = true;
  for (const gateway of shop.gateways) {
    if (gateway[terms.call] === undefined) continue;
    areRead = (await readSome(shop, gateway, terms)) && areRead;
  }
  return areRead;
}

/** A list that is too long to be read is read from a later time on. */
async function readSome(shop: PaymentsShop, gateway: Gateway, terms: ListTerms): Promise<boolean> {
  for (const sinceMs of sincesOf(terms)) {
    if (await readList(shop, gateway, { ...terms, sinceMs })) return true;
  }
  return false;
}

/** The earliest first. Lists are read hourly: a day is enough where more is too long. */
function sincesOf({ nowMs, listedMs, offSinceMs }: ListTerms): number[] {
  const sinceMs = nowMs - listedMs;
  const isLonger = offSinceMs !== null && offSinceMs < sinceMs;
  return [...(isLonger ? [offSinceMs] : []), sinceMs, nowMs - DAY_MS];
}

async function readList(
  shop: PaymentsShop,
  gateway: Gateway,
  { call, sinceMs, plan }: Pick<ListTerms, "call" | "plan"> & { readonly sinceMs: number },
): Promise<boolean> {
  const signal = AbortSignal.timeout(shop.callTimes[call]);
  const listed = await guardCall<ListedReturns>(
    shop,
    { gateway: gateway.id, call },
    {
      run: async () => gateway[call]?.(sinceMs, signal) ?? { kind: "unknown" },
      broken: { kind: "unknown" },
    },
  );
  if (listed.kind === "unknown") return false;
  if (listed.returns.length === 0) return true;
  await shop.database.write(async (tx) => {
    for (const one of listed.returns) {
      const payment = await findPaymentAt(tx, gateway.id, one);
      if (payment !== undefined) await plan(tx, payment, one.name);
    }
  });
  return true;
}
