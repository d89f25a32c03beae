// A part of the rehearsal: the shop gets a tax and a discount, so that its sales show both.

import { readCollectionChange, readNewCollection } from "#catalog/collections/schema.ts";
import {
  createCollection,
  deleteCollection,
  updateCollection,
} from "#catalog/collections/update-collection.ts";
import { type Id, newId } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { claimDiscounts } from "#pricing/discount-uses/claim-discounts.ts";
import { findAutomatic } from "#pricing/discounts/lookups.ts";
import { readDiscountChange, readNewDiscount } from "#pricing/discounts/request-schema.ts";
import { createDiscount, updateDiscount } from "#pricing/discounts/update-discount.ts";
import { courierFee } from "#sandbox/seed/seed-prices.ts";
import { updateStore } from "#shop/settings/update-store.ts";
import { getStore } from "#shop/store/lookups.ts";
import { findRatesHolding } from "#shop/taxes/lookups.ts";
import { createTaxRate } from "#shop/taxes/tax-rates.ts";

interface RehearsedTerms {
  /** Makes the code one that no shop has. */
  readonly mark: string;
  readonly customerId: Id<"customer">;
  /** The country to which the sales are shipped; it keeps the rates that it has. */
  readonly country: string;
}

/** The terms that a sale asks for, so that it shows a discount and a charge. */
export interface PricedByTerms {
  readonly discount_codes: string[];
  readonly shipping: { readonly label: string; readonly amount: string };
}

/** Afterwards sales to the country are taxed. Returns what a sale asks for that shows a discount and a charge. */
export async function rehearsePriceTerms(
  tx: Tx,
  { mark, customerId, country }: RehearsedTerms,
): Promise<PricedByTerms> {
  await archiveAutomatic(tx);
  await rehearseCollection(tx);
  await rehearseDiscount(tx, { mark, customerId });
  const store = await getStore(tx);
  if (store.country === null) await updateStore(tx, { country }, null);
  const place = { country, region: null, postalCode: null, atMs: tx.now };
  if ((await findRatesHolding(tx, store, place)).length === 0) {
    await createTaxRate(tx, { country, name: "VAT", rate: 18 });
  }
  const code = `SAVE-${mark}`;
  const asked = { title: "Ten percent off", percent: 10, codes: [code] };
  await createDiscount(tx, readNewDiscount({ ...asked, target: "order" }));
  return { discount_codes: [code], shipping: courierFee(store.currency) };
}

/** A discount of everything would leave nothing to pay. */
async function archiveAutomatic(tx: Tx): Promise<void> {
  for (const { id } of await findAutomatic(tx, await getStore(tx), tx.now)) {
    await updateDiscount(tx, id, { ...readDiscountChange({ archived: true }), expected: null });
  }
}

// A part of the rehearsal: a collection is made, changed and deleted.

/** Afterwards its events are announced, and it is gone. */
async function rehearseCollection(tx: Tx): Promise<void> {
  const rule = { tags: ["coffee"] };
  const { id } = await createCollection(tx, readNewCollection({ title: "Coffee", rule }));
  const change = readCollectionChange({ description: "From the slopes of Mount Elgon." });
  await updateCollection(tx, id, { change, expected: null });
  await deleteCollection(tx, id, null);
}

// A part of the rehearsal: a discount is made, changed, used up and archived.

/** The last use is taken by an order that is not there: only the discount looks at it. */
async function rehearseDiscount(
  tx: Tx,
  { mark, customerId }: { readonly mark: string; readonly customerId: Id<"customer"> },
): Promise<void> {
  const code = `WELCOME-${mark}`;
  const asked = { title: "Welcome", percent: 10, codes: [code], usage_limit: 1 };
  const made = readNewDiscount({ ...asked, target: "order" });
  const { id } = await createDiscount(tx, made);
  const change = (body: Parameters<typeof readDiscountChange>[0]) =>
    updateDiscount(tx, id, { ...readDiscountChange(body), expected: null });
  await change({ percent: 15 });
  const orderId = newId("order", tx.now);
  await claimDiscounts(tx, { orderId, customerId, uses: [{ discountId: id, code }] });
  await change({ archived: true });
}
