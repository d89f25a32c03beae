// Lookup: what waits for the merchant, a count of each kind. Each noun says what waits of its own; a count stops
// at a limit, so that the cost is bounded however much waits.

import { findLowStock } from "#catalog/inventory/lookups.ts";
import { findSellableVariants } from "#catalog/products/lookups.ts";
import { countWithheldCodes } from "#customers/sessions/lookups.ts";
import { countFailedEmails } from "#emails/failed-emails.ts";
import type { Counted } from "#kernel/page.ts";
import { countFailingWebhooks } from "#messaging/webhooks/endpoints/lookups.ts";
import {
  countLateTransfers,
  countOpenDisputes,
  countPaymentsInReview,
  countRefundsToApprove,
  countRefundsToSeeTo,
  type OpenDisputes,
} from "#payments/rows/lookups.ts";
import type { Reader } from "#platform/database/database.ts";
import { countLeftCarts, type LeftCarts } from "#sales/carts/lookups.ts";
import { countShortOrders, countToPack, type ToPack } from "#sales/history/list-orders.ts";
import { findRefused, type Refused } from "#shop/marks/lookups.ts";
import { getStore } from "#shop/store/lookups.ts";

/** More than a person does in one go; beyond it the exact number says nothing. */
export const COUNT_MAX = 100;
/** As many names as fit on one line. */
export const NAMES_MAX = 3;

export interface LowStock extends Counted {
  /** The first of them as they are sold; null for a caller who may not read products. */
  readonly names: readonly string[] | null;
}

/** A part is null for a caller who may not read it. */
export interface Waiting {
  readonly toPack: ToPack;
  readonly shortOrders: Counted;
  readonly paymentsInReview: Counted | null;
  readonly lateTransfers: Counted | null;
  readonly refundsAttention: Counted | null;
  readonly refundsApproval: Counted | null;
  readonly openDisputes: OpenDisputes | null;
  readonly lowStock: LowStock | null;
  readonly leftCarts: LeftCarts | null;
  readonly failedEmails: Counted;
  readonly failingWebhooks: Counted | null;
  readonly withheldCodes: Counted;
  /** Refusals of limits, by network. */
  readonly abuse: readonly Refused[] | null;
}

/** Returns what waits, each part with up to 100 counted, for a caller with these scopes who may read orders. */
export async function readWaiting(
  db: Reader,
  { scopes, now }: { readonly scopes: ReadonlySet<string>; readonly now: number },
): Promise<Waiting> {
  const seesPayments = scopes.has("payments:read");
  return {
    toPack: await countToPack(db, COUNT_MAX),
    shortOrders: await countShortOrders(db, COUNT_MAX),
    paymentsInReview: seesPayments ? await countPaymentsInReview(db, COUNT_MAX) : null,
    lateTransfers: seesPayments ? await countLateTransfers(db, { limit: COUNT_MAX, now }) : null,
    refundsAttention: seesPayments ? await countRefundsToSeeTo(db, COUNT_MAX) : null,
    refundsApproval: seesPayments ? await countRefundsToApprove(db, COUNT_MAX) : null,
    openDisputes: seesPayments ? await countOpenDisputes(db, COUNT_MAX) : null,
    lowStock: scopes.has("inventory:read")
      ? await readLowStock(db, { seesNames: scopes.has("products:read") })
      : null,
    leftCarts: scopes.has("carts:read") ? await leftCartsOf(db) : null,
    failedEmails: await countFailedEmails(db, { limit: COUNT_MAX, now }),
    failingWebhooks: scopes.has("webhooks:read") ? await countFailingWebhooks(db, COUNT_MAX) : null,
    withheldCodes: await countWithheldCodes(db, { limit: COUNT_MAX, now }),
    abuse: scopes.has("audit:read") ? await findRefused(db, now) : null,
  };
}

async function readLowStock(
  db: Reader,
  { seesNames }: { readonly seesNames: boolean },
): Promise<LowStock> {
  const { variantIds, ...counted } = await findLowStock(db, COUNT_MAX);
  if (!seesNames) return { ...counted, names: null };
  const first = variantIds.slice(0, NAMES_MAX);
  const variants = await findSellableVariants(db, first);
  return { ...counted, names: first.flatMap((id) => variants.get(id)?.name ?? []) };
}

async function leftCartsOf(db: Reader): Promise<LeftCarts> {
  const { currency } = await getStore(db);
  return countLeftCarts(db, { limit: COUNT_MAX, currency });
}
