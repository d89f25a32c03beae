// Workflow: reads the payouts that gateways list. Safe to repeat at any time.

import { isCurrency } from "#kernel/currency.ts";
import { DAY_MS } from "#kernel/time.ts";
import type { FoundPayoutLines, Gateway, ListedPayouts } from "#payments/port/gateway.ts";
import { guardCall, type PaymentsShop } from "#payments/port/payments-shop.ts";
import type { ListedPayout } from "#payments/rows/payout-life.ts";
import { findLastArrival, findPayoutNamed } from "#payments/rows/payout-queries.ts";
import type { Reader } from "#platform/database/database.ts";

import { adoptPayout, leadsOn } from "./adopt-payout.ts";

/** A bank may send a payout back for some days, and a program may have been off, milliseconds. */
const READ_AGAIN_MS = 30 * DAY_MS;

/**
 * Afterwards the shop knows the payouts of these gateways: of the last 30 days, or of all time where it knows none. One
 * that cannot be read whole is left for the next time.
 */
export async function readPayouts(
  shop: PaymentsShop,
  gateways: readonly Gateway[] = shop.gateways,
): Promise<void> {
  for (const gateway of gateways) await readPayoutsOf(shop, gateway);
}

async function readPayoutsOf(shop: PaymentsShop, gateway: Gateway): Promise<void> {
  const { database, closing, callTimes } = shop;
  if (gateway.listPayouts === undefined) return;
  const sinceMs = await findSince(database.read, gateway.id);
  const call = "listPayouts";
  const listed = await guardCall<ListedPayouts>(
    shop,
    { gateway: gateway.id, call },
    {
      run: async () =>
        gateway.listPayouts?.(sinceMs, AbortSignal.timeout(callTimes[call])) ?? unknown,
      broken: unknown,
    },
  );
  if (listed.kind === "unknown") return;
  // The oldest first: what is not reached is later than the last that is known.
  const inOrder = listed.payouts.toSorted((one, other) =>
    one.arrivesOn < other.arrivesOn ? -1 : 1,
  );
  for (const payout of inOrder) {
    if (closing.aborted) return;
    await readPayout(shop, gateway, payout);
  }
}

const unknown = { kind: "unknown" } as const;

async function findSince(db: Reader, source: string): Promise<number> {
  const last = await findLastArrival(db, source);
  return last === null ? 0 : Date.parse(last) - READ_AGAIN_MS;
}

/** One in a currency that the shop does not know is passed over. */
async function readPayout(
  shop: PaymentsShop,
  gateway: Gateway,
  payout: ListedPayout,
): Promise<void> {
  const { currency } = payout;
  const known = await findPayoutNamed(shop.database.read, gateway.id, payout.name);
  if (!isCurrency(currency) || (known !== undefined && !leadsOn(known, payout))) return;
  const isKnownToFail = known !== undefined && payout.status === "failed";
  const found = isKnownToFail
    ? ({ kind: "found", lines: [] } as const)
    : await findLines(shop, gateway, payout);
  if (found.kind !== "found") return;
  const { lines } = found;
  await shop.database.write(
    (tx) => adoptPayout(tx, { ...payout, currency, source: gateway.id, lines }),
    { actor: { type: "gateway", id: gateway.id } },
  );
}

/** Lines that do not add up to the payout are an answer that surprises. */
async function findLines(
  shop: PaymentsShop,
  gateway: Gateway,
  payout: ListedPayout,
): Promise<FoundPayoutLines> {
  const call = "findPayoutLines";
  const signal = AbortSignal.timeout(shop.callTimes[call]);
  return guardCall<FoundPayoutLines>(
    shop,
    { gateway: gateway.id, call },
    {
      run: async () => {
        const found = (await gateway.findPayoutLines?.(payout, signal)) ?? unknown;
        if (found.kind !== "found") return found;
        const sum = found.lines.reduce((net, line) => net + line.grossMinor - line.feeMinor, 0);
        if (sum === payout.netMinor) return found;
        return { ...unknown, trouble: "surprise", pointer: "/net" };
      },
      broken: unknown,
    },
  );
}
