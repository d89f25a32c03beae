// What proves a database to be that of a sound shop: the audits of every noun that keeps figures.

import { auditAnalytics } from "#analytics/projection/audit-analytics.ts";
import { auditStock } from "#catalog/inventory/audit-stock.ts";
import type { Difference } from "#kernel/difference.ts";
import { Refusal } from "#kernel/refusal.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";
import type { ShopProof } from "#platform/backup/proof.ts";
import type { Reader } from "#platform/database/database.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";
import { getStore } from "#shop/store/get-store.ts";
import { storeNotFound } from "#shop/store/store.ts";

/** Of every noun that keeps figures. */
const audits: readonly ((db: Reader) => AsyncIterable<Difference>)[] = [
  auditStock,
  auditOrders,
  auditPayments,
  auditAnalytics,
];

/** The proof of a backup. */
export const shopProof: ShopProof = {
  audits,
  async storeIdOf(db) {
    try {
      return (await getStore(db)).id;
    } catch (error) {
      if (error instanceof Refusal && error.definition === storeNotFound) return null;
      throw error;
    }
  },
};

/** A difference as a person reads it. */
export function sentence({ subject, what, expected, found }: Difference): string {
  return `${subject}: ${what} should be ${expected} and is ${found}`;
}
