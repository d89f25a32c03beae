// How a database is proven sound: the audits of every noun that stores figures, and their results in words.

import { auditAnalytics } from "#analytics/summary/audit-analytics.ts";
import { auditBooks } from "#books/audit-books.ts";
import { auditCollections } from "#catalog/collections/audit-collections.ts";
import { auditStock } from "#catalog/inventory/audit-stock.ts";
import { auditOptions } from "#catalog/listing/replace-options.ts";
import { auditPrices } from "#catalog/listing/replace-prices.ts";
import { auditPictures } from "#catalog/media/audit-pictures.ts";
import { auditMedia } from "#catalog/media/sweep-files.ts";
import type { Difference } from "#kernel/difference.ts";
import { Refusal } from "#kernel/refusal.ts";
import { auditPayouts } from "#payments/payouts/audit-payouts.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";
import type { ShopProof } from "#platform/backup/proof.ts";
import type { Reader } from "#platform/database/database.ts";
import { openFolderStore } from "#platform/files/file-store.ts";
import { auditDiscounts } from "#pricing/discount-uses/audit-discounts.ts";
import { auditLineIndex, auditOrders } from "#sales/history/audit-orders.ts";
import { listActiveKeys } from "#shop/keys/lookups.ts";
import { listPeople } from "#shop/people/lookups.ts";
import { getStore } from "#shop/store/lookups.ts";
import { storeNotFound } from "#shop/store/store.ts";

const audits: readonly ((db: Reader) => AsyncIterable<Difference>)[] = [
  auditStock,
  auditPrices,
  auditOptions,
  auditCollections,
  auditPictures,
  auditDiscounts,
  auditOrders,
  auditLineIndex,
  auditPayments,
  auditPayouts,
  auditAnalytics,
  auditBooks,
];

/** The audits that `duka check` and backups run; the id of the store is null in a database without settings. */
export const shopProof: ShopProof = {
  audits,
  auditFiles: (db, folder) => auditMedia(db, openFolderStore(folder)),
  async keysIn(db) {
    const keys = await listActiveKeys(db);
    return keys.map(({ id, name, scopes }) => `${id} "${name}" (${scopes.join(", ")})`);
  },
  async peopleIn(db) {
    return (await listPeople(db)).map(({ id, name, role }) => `${id} "${name}" (${role})`);
  },
  async storeIdOf(db) {
    try {
      return (await getStore(db)).id;
    } catch (error) {
      if (error instanceof Refusal && error.definition === storeNotFound) return null;
      throw error;
    }
  },
};

/** `var_…: on_hand should be 10 and is 11`. */
export function sentence({ subject, what, expected, found }: Difference): string {
  return `${subject}: ${what} should be ${expected} and is ${found}`;
}

/** The last line of a mode: how many figures do not agree. */
export function differenceCount(count: number): string {
  if (count === 0) return "everything agrees";
  return count === 1 ? "1 difference" : `${count} differences`;
}
