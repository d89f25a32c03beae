// Lookup: compare each payout with its lines, and its lines with the payments that say they are in it.

import type { Difference } from "#kernel/difference.ts";
import { nextTurn } from "#kernel/time.ts";
import { findPayoutLinesOf, listPayoutRows } from "#payments/rows/payout-queries.ts";
import type { Payout, PayoutLine } from "#payments/rows/payout.ts";
import { paymentRows } from "#payments/rows/queries.ts";
import type { Reader } from "#platform/database/database.ts";

const PAGE_SIZE = 100;

/** Every payout that differs from its lines, and every payment that is not in the payout that has its charge. */
export async function* auditPayouts(db: Reader): AsyncGenerator<Difference> {
  for (let after: string | null = null, isLast = false; !isLast;) {
    await nextTurn();
    const page: Payout[] = (await listPayoutRows(db, {}, { after, limit: PAGE_SIZE })).slice(
      0,
      PAGE_SIZE,
    );
    for (const payout of page) yield* auditPayout(db, payout);
    isLast = page.length < PAGE_SIZE;
    after = page.at(-1)?.id ?? null;
  }
}

async function* auditPayout(db: Reader, payout: Payout): AsyncGenerator<Difference> {
  const lines = await findPayoutLinesOf(db, payout.id);
  const sums = [
    ["gross_minor", "grossMinor"],
    ["fee_minor", "feeMinor"],
  ] as const;
  for (const [what, name] of sums) {
    const expected = lines.reduce((sum, line) => sum + line[name], 0);
    if (payout[name] !== expected) {
      yield { subject: payout.id, what, expected, found: payout[name] };
    }
  }
  const taken = lines.filter(isTaken);
  const payments = await paymentRows.findAll(
    db,
    taken.flatMap(({ paymentId }) => paymentId ?? []),
  );
  const has = payout.status !== "failed";
  for (const { id, payoutId } of payments) {
    if ((payoutId === payout.id) === has) continue;
    const expected = has ? payout.id : "none";
    yield { subject: id, what: "payout", expected, found: payoutId ?? "none" };
  }
}

/** Returns true for a charge that is in no other payout. */
function isTaken({ kind, verdict }: PayoutLine): boolean {
  return kind === "charge" && verdict !== "paid_before";
}
