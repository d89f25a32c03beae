// Lookup: the fields of a discount after a request, with every fault of the request.

import { findKnownCollections } from "#catalog/collections/lookups.ts";
import { findKnownProducts, findSellableVariants } from "#catalog/products/lookups.ts";
import { defined, type WholeChange } from "#kernel/change.ts";
import type { Faults } from "#kernel/refusal.ts";
import type { Reader } from "#platform/database/database.ts";

import {
  type DiscountTerms,
  type MinimumGiven,
  readMinimum,
  readScope,
  readTerms,
  type ScopeGiven,
  type TermsGiven,
} from "./discount-terms.ts";
import type { Discount, DiscountFields, PlainFields } from "./discount.ts";

/** A request to create or change a discount. */
export interface DiscountRequest {
  readonly plain: WholeChange<PlainFields>;
  readonly terms: TermsGiven;
  /** Null means every line. */
  readonly scope: ScopeGiven | null | undefined;
  /** Null means none. */
  readonly minimum: MinimumGiven | null | undefined;
}

/** A new discount has at least these. */
export type RequiredFields = Pick<DiscountFields, "title" | "target">;

/**
 * The fields after the request, or null if they have faults, which were noted. `before` is the discount that is
 * changed, or what a new one must have.
 */
export async function readDiscount(
  db: Reader,
  before: Discount | RequiredFields,
  { request, faults }: { readonly request: DiscountRequest; readonly faults: Faults },
): Promise<DiscountFields | null> {
  const { plain, terms: termsGiven, scope, minimum } = request;
  const known = "terms" in before ? before : null;
  const terms = readTerms(termsGiven, known?.terms ?? null, faults);
  const fields = {
    ...plainDiscount,
    isStackable: before.target === "shipping",
    ...known,
    ...before,
    ...defined(plain),
    ...(scope !== undefined && { scope: readScope(scope, { faults, pointer: "/scope" }) }),
    ...(minimum !== undefined && { minimum: readMinimum(minimum, faults) }),
  };
  await validateScopes(db, request, faults);
  validateTogether({ ...fields, terms }, known?.usedCount ?? 0, faults);
  return terms === null ? null : { ...fields, terms };
}

/** The fields of a new discount that the request does not give. */
const plainDiscount: Omit<DiscountFields, keyof RequiredFields | "terms" | "isStackable"> = {
  scope: null,
  minimum: { amounts: [], quantity: null },
  isAutomatic: false,
  usageLimit: null,
  perCustomerLimit: null,
  customerTags: [],
  startsAt: null,
  endsAt: null,
  metadata: {},
};

async function validateScopes(
  db: Reader,
  { scope, terms: { buyGet } }: DiscountRequest,
  faults: Faults,
): Promise<void> {
  await validateScope(db, scope, { faults, pointer: "/scope" });
  await validateScope(db, buyGet?.buy.scope, { faults, pointer: "/buy_get/buy/scope" });
  await validateScope(db, buyGet?.get.scope, { faults, pointer: "/buy_get/get/scope" });
}

/** Only scopes that are given are looked up: a stored one may name a product or a collection that was deleted since. */
async function validateScope(
  db: Reader,
  scope: ScopeGiven | null | undefined,
  { faults, pointer }: { readonly faults: Faults; readonly pointer: string },
): Promise<void> {
  const { productIds = [], variantIds = [], collectionIds = [] } = scope ?? {};
  const products = await findKnownProducts(db, productIds);
  const variants = await findSellableVariants(db, variantIds);
  const collections = await findKnownCollections(db, collectionIds);
  productIds.forEach((id, index) => {
    if (products.has(id)) return;
    faults.add(`${pointer}/product_ids/${index}`, "unknown_product", "There is no such product.");
  });
  variantIds.forEach((id, index) => {
    if (variants.has(id)) return;
    faults.add(`${pointer}/variant_ids/${index}`, "unknown_variant", "There is no such variant.");
  });
  collectionIds.forEach((id, index) => {
    if (collections.has(id)) return;
    const at = `${pointer}/collection_ids/${index}`;
    faults.add(at, "unknown_collection", "There is no such collection.");
  });
}

interface Together extends Pick<
  DiscountFields,
  "target" | "scope" | "usageLimit" | "startsAt" | "endsAt"
> {
  /** Null where the terms have faults of their own. */
  readonly terms: DiscountTerms | null;
}

/** Adds the faults of fields that do not go together. */
function validateTogether(fields: Together, usedCount: number, faults: Faults): void {
  validateTerms(fields, faults);
  const { startsAt, endsAt, usageLimit } = fields;
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt) {
    faults.add("/ends_at", "dates_backwards", "The end must be later than the start.");
  }
  if (usageLimit !== null && usageLimit < usedCount) {
    const detail = "More orders than this have used the discount.";
    faults.add("/usage_limit", "out_of_range", detail);
  }
}

function validateTerms({ target, scope, terms }: Together, faults: Faults): void {
  if (terms?.kind === "buy_get") {
    if (target !== "lines") {
      const detail = "With `buy_get` the target must be `lines`.";
      faults.add("/target", "conflicting_fields", detail);
    }
    if (scope !== null) {
      const detail = "With `buy_get` the scopes are those of `buy` and `get`; send null.";
      faults.add("/scope", "conflicting_fields", detail);
    }
  }
  if (terms?.kind === "amount" && terms.per === "unit" && target !== "lines") {
    const detail = "An amount per unit needs the target `lines`.";
    faults.add("/per", "conflicting_fields", detail);
  }
}
