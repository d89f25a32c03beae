// Story: takes over what a gateway tells of a payout. A repeat changes nothing.

import type { CurrencyCode } from "#kernel/currency.ts";
import { type Id, newId } from "#kernel/id.ts";
import { arrow } from "#kernel/machine.ts";
import {
  type FoundPayoutLine,
  type ListedPayout,
  payoutActionTo,
  payoutLife,
} from "#payments/rows/payout-life.ts";
import {
  dropPayoutLines,
  findPayoutLinesOf,
  insertPayoutLine,
  lockPayoutNamed,
  payoutRows,
} from "#payments/rows/payout-queries.ts";
import type { Payout, PayoutLine } from "#payments/rows/payout.ts";
import type { Tx } from "#platform/database/database.ts";

import { advancePayout, releaseLines } from "./advance-payout.ts";
import { matchLine } from "./match-line.ts";

/** A payout with what it is made of. */
export interface FoundPayout extends ListedPayout {
  readonly source: string;
  readonly currency: CurrencyCode;
  readonly lines: readonly FoundPayoutLine[];
}

/**
 * Afterwards the payout is what its gateway tells, each line has its verdict, and the payments of its charges are in it;
 * in one that failed are none. Emits `payout.paid` or `payout.failed` when it becomes so. Returns its id.
 */
export async function adoptPayout(tx: Tx, found: FoundPayout): Promise<Id<"payout">> {
  const known = await lockPayoutNamed(tx, found.source, found.name);
  if (known === undefined) return open(tx, found);
  await advance(tx, known, found);
  return known.id;
}

async function open(tx: Tx, found: FoundPayout): Promise<Id<"payout">> {
  const { source, name, currency, netMinor, arrivesOn: arrivedOn } = found;
  const payout: Payout = {
    id: newId("payout", tx.now),
    source,
    name,
    status: "pending",
    currency,
    ...sumsOf(found.lines),
    netMinor,
    into: "bank",
    arrivedOn,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  await payoutRows.insert(tx, payout);
  const lines = await writeLines(tx, payout, found.lines);
  await advancePayout(tx, { payout, lines }, found);
  return payout.id;
}

async function advance(tx: Tx, before: Payout, found: FoundPayout): Promise<void> {
  if (!leadsOn(before, found)) return;
  const former = await findPayoutLinesOf(tx, before.id);
  if (found.status === "failed") return advancePayout(tx, { payout: before, lines: former }, found);
  // A gateway may add to a payout until it is paid.
  await releaseLines(tx, former);
  await dropPayoutLines(tx, before.id);
  const { netMinor, arrivesOn: arrivedOn } = found;
  const change = { ...sumsOf(found.lines), netMinor, arrivedOn };
  const lines = await writeLines(tx, before, found.lines);
  await advancePayout(tx, { payout: before, lines, change }, found);
}

/** Returns true if the gateway tells of a state to which the payout can go. */
export function leadsOn({ status }: Pick<Payout, "status">, told: ListedPayout): boolean {
  const action = payoutActionTo[told.status];
  return action !== null && arrow(payoutLife, status, action) !== null;
}

function sumsOf(lines: readonly FoundPayoutLine[]): Pick<Payout, "grossMinor" | "feeMinor"> {
  return {
    grossMinor: lines.reduce((sum, { grossMinor }) => sum + grossMinor, 0),
    feeMinor: lines.reduce((sum, { feeMinor }) => sum + feeMinor, 0),
  };
}

async function writeLines(
  tx: Tx,
  payout: Payout,
  found: readonly FoundPayoutLine[],
): Promise<PayoutLine[]> {
  const lines: PayoutLine[] = [];
  for (const [position, line] of found.entries()) {
    const { kind, grossMinor, feeMinor } = line;
    const matched = await matchLine(tx, payout, line);
    const reference = line.gatewayReference ?? line.names[0]?.name ?? null;
    const amounts = { grossMinor, feeMinor };
    const row = { payoutId: payout.id, position, kind, reference, ...matched, ...amounts };
    await insertPayoutLine(tx, row);
    lines.push(row);
  }
  return lines;
}
