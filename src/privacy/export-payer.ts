// Workflow: everything kept under a person's name, payments included, in one document.

import type { Id } from "#kernel/id.ts";
import type { WholePayment } from "#payments/payments/find-payment.ts";
import { listPayments } from "#payments/payments/list-payments.ts";
import type { Shop } from "#platform/database/store.ts";

import { type ExportedPerson, exportPerson } from "./export-person.ts";

const PAYMENTS_AT_ONCE = 100;

export interface ExportedPayer extends ExportedPerson {
  /** Newest first. */
  readonly payments: readonly WholePayment[];
}

/** The person with every payment. Refuses with `customer_not_found`. */
export async function exportPayer(shop: Shop, id: Id<"customer">): Promise<ExportedPayer> {
  const db = shop.store.read;
  const person = await exportPerson(shop, id);
  const payments: WholePayment[] = [];
  for (let after: string | null = null, hasMore = true; hasMore;) {
    const page = await listPayments(db, { customerId: id }, { limit: PAYMENTS_AT_ONCE, after });
    payments.push(...page.rows);
    after = page.rows.at(-1)?.payment.id ?? null;
    hasMore = page.hasMore;
  }
  return { ...person, payments };
}
