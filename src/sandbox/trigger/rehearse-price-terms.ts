// A part of the rehearsal: the shop gets a tax and a discount, so that its sales show both.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { createDiscount } from "#pricing/discounts/create-discount.ts";
import { findAutomatic } from "#pricing/discounts/lookups.ts";
import { readDiscountChange, readNewDiscount } from "#pricing/discounts/request-schema.ts";
import { updateDiscount } from "#pricing/discounts/update-discount.ts";
import { courierFee } from "#sandbox/seed/seed-prices.ts";
import { updateStore } from "#shop/settings/update-store.ts";
import { getStore } from "#shop/store/lookups.ts";
import { createTaxRate } from "#shop/taxes/create-tax-rate.ts";
import { findRatesHolding } from "#shop/taxes/lookups.ts";

import { rehearseCollection } from "./rehearse-collection.ts";
import { rehearseDiscount } from "./rehearse-discount.ts";

export interface RehearsedTerms {
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
  const place = { country, region: null };
  if ((await findRatesHolding(tx, store, { ...place, atMs: tx.now })).length === 0) {
    await createTaxRate(tx, { ...place, name: "VAT", rate: 18 });
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
