// Requests for discounts and codes on the wire.

import Type, { type Static } from "typebox";

import {
  about,
  amountGiven,
  choice,
  component,
  currency,
  identifying,
  idOf,
  instant,
  line,
  matching,
  metadata,
  nullable,
  object,
  optional,
  whole,
} from "#platform/http/contract/words.ts";

import type { CodesRequest } from "./codes.ts";
import {
  CODE_PATTERN,
  CODE_RANDOM_LENGTH,
  CODE_SENTENCE,
  CODES_AT_ONCE_MAX,
  foldCode,
} from "./discount-code.ts";
import type { BuyGetGiven, ScopeGiven } from "./discount-terms.ts";
import { discountStatuses } from "./discount.ts";
import type { DiscountFilters } from "./queries.ts";
import type { DiscountRequest } from "./read-discount.ts";
import { amountBasis, discountTarget } from "./schema.ts";
import type { DiscountChange, NewDiscount } from "./update-discount.ts";

const TITLE_LENGTH_MAX = 200;
/** Products that a scope can name, and as many variants. */
const SCOPE_LENGTH_MAX = 250;
/** Collections that a scope can name: fewer, because each stands for any number of products. */
const COLLECTIONS_MAX = 50;
const CURRENCIES_MAX = 20;
const TAGS_MAX = 50;
const TAG_LENGTH_MAX = 50;
/** Fits a 32-bit column; no shop has as many orders. */
const COUNT_MAX = 1_000_000_000;
const UNITS_MAX = 10_000;
/** Spaces around a code are dropped; the bound leaves room for some. */
const CODE_LENGTH_MAX = 100;
/** With what is random, a code has at most 40 characters. */
const PREFIX_LENGTH_MAX = 40 - CODE_RANDOM_LENGTH;

const percent = Type.Union([Type.Number(), Type.String({ maxLength: 32 })], {
  description: "Above 0 and up to 100, with at most four decimals.",
});
const money = component(
  "DiscountAmountInput",
  { currency, amount: amountGiven },
  { "x-money": { amount: "currency" } },
);
const tags = Type.Array(line(TAG_LENGTH_MAX), {
  maxItems: TAGS_MAX,
  uniqueItems: true,
});
const scope = component("DiscountScopeInput", {
  product_ids: optional(
    Type.Array(idOf("product"), { maxItems: SCOPE_LENGTH_MAX, uniqueItems: true }),
  ),
  variant_ids: optional(
    Type.Array(idOf("variant"), { maxItems: SCOPE_LENGTH_MAX, uniqueItems: true }),
  ),
  tags: optional(tags),
  collection_ids: optional(
    Type.Array(idOf("collection"), { maxItems: COLLECTIONS_MAX, uniqueItems: true }),
  ),
});
const units = whole(1, UNITS_MAX);
const limit = nullable(whole(1, COUNT_MAX));
const code = Type.String({
  ...identifying,
  ...matching(CODE_PATTERN, CODE_SENTENCE),
  maxLength: CODE_LENGTH_MAX,
  description:
    "2 to 40 letters of any script, digits, hyphens and underscores, with points and blanks between them. Kept in upper case.",
});

const fields = {
  percent: optional(percent),
  amounts: optional(Type.Array(money, { minItems: 1, maxItems: CURRENCIES_MAX })),
  per: optional(about(amountBasis, "Only with `amounts`; `basket` by default.")),
  buy_get: optional(
    component("BuyGetInput", {
      buy: object({ quantity: units, scope: optional(nullable(scope)) }),
      get: object({ quantity: units, scope: optional(nullable(scope)), percent }),
      times: optional(nullable(units)),
    }),
  ),
  scope: optional(nullable(scope)),
  minimum: optional(
    nullable(
      component("DiscountMinimumInput", {
        amounts: optional(Type.Array(money, { maxItems: CURRENCIES_MAX })),
        quantity: optional(nullable(whole(1, COUNT_MAX))),
      }),
    ),
  ),
  automatic: optional(
    Type.Boolean({ description: "By default whether the discount is created without codes." }),
  ),
  stackable: optional(
    Type.Boolean({ description: "By default only a discount of shipping is stackable." }),
  ),
  starts_at: optional(nullable(instant)),
  ends_at: optional(nullable(instant)),
  usage_limit: optional(limit),
  per_customer_limit: optional(limit),
  customer_tags: optional(tags),
  metadata: optional(metadata),
};
const title = line(TITLE_LENGTH_MAX);
const target = discountTarget;

export const newDiscountSchema = object({
  title,
  target,
  ...fields,
  codes: optional(Type.Array(code, { maxItems: CODES_AT_ONCE_MAX })),
});

export const discountChangeSchema = object({
  title: optional(title),
  target: optional(target),
  ...fields,
  archived: optional(Type.Boolean()),
});

export const newCodesSchema = object(
  {
    codes: optional(Type.Array(code, { minItems: 1, maxItems: CODES_AT_ONCE_MAX })),
    count: optional(whole(1, CODES_AT_ONCE_MAX)),
    prefix: optional(
      line(PREFIX_LENGTH_MAX, {
        ...identifying,
        ...matching("^[A-Za-z0-9_-]+$", "Letters A to Z, digits, - and _."),
      }),
    ),
    usage_limit: optional(limit),
  },
  { "x-either": [["codes"], ["count", "prefix?"]] },
);

export const discountQuerySchema = object({
  status: optional(
    Type.Array(choice(discountStatuses), {
      minItems: 1,
      maxItems: discountStatuses.length,
      description: "One or more statuses, comma-separated.",
    }),
  ),
  automatic: optional(Type.Boolean()),
  code: optional(
    line(CODE_LENGTH_MAX, { ...identifying, description: "The discount that has this code." }),
  ),
});

/** Reads a request to change a discount. */
export function readDiscountChange(
  body: Static<typeof discountChangeSchema>,
): Omit<DiscountChange, "expected"> {
  return { request: readRequest(body), archived: body.archived };
}

/** Reads a request to create a discount. */
export function readNewDiscount(body: Static<typeof newDiscountSchema>): NewDiscount {
  const required = { title: body.title, target: body.target };
  return { required, request: readRequest(body), codes: body.codes ?? [] };
}

/** Reads a request for codes. The check of `x-either` comes before. */
export function readNewCodes(body: Static<typeof newCodesSchema>): CodesRequest {
  const { count = 0, prefix = "", usage_limit: usageLimit = null } = body;
  return { codes: body.codes ?? { count, prefix }, usageLimit };
}

/** Reads the filters of a list. */
export function readDiscountFilters(query: Static<typeof discountQuerySchema>): DiscountFilters {
  return {
    statuses: query.status,
    automatic: query.automatic,
    code: query.code === undefined ? undefined : foldCode(query.code),
  };
}

function readRequest(body: Static<typeof discountChangeSchema>): DiscountRequest {
  return {
    plain: {
      title: body.title,
      target: body.target,
      isAutomatic: body.automatic,
      isStackable: body.stackable,
      usageLimit: body.usage_limit,
      perCustomerLimit: body.per_customer_limit,
      customerTags: body.customer_tags,
      startsAt: readInstant(body.starts_at),
      endsAt: readInstant(body.ends_at),
      metadata: body.metadata,
    },
    terms: {
      percent: body.percent,
      amounts: body.amounts,
      per: body.per,
      buyGet: body.buy_get === undefined ? undefined : readBuyGet(body.buy_get),
    },
    scope: body.scope === undefined ? undefined : readScope(body.scope),
    minimum: body.minimum,
  };
}

function readBuyGet({
  buy,
  get,
  times = null,
}: NonNullable<Static<typeof discountChangeSchema>["buy_get"]>): BuyGetGiven {
  return {
    buy: { quantity: buy.quantity, scope: readScope(buy.scope ?? null) },
    get: { quantity: get.quantity, scope: readScope(get.scope ?? null), percent: get.percent },
    times,
  };
}

function readScope(given: Static<typeof scope> | null): ScopeGiven | null {
  if (given === null) return null;
  return {
    productIds: given.product_ids,
    variantIds: given.variant_ids,
    tags: given.tags,
    collectionIds: given.collection_ids,
  };
}

function readInstant(given: string | null | undefined): number | null | undefined {
  return typeof given === "string" ? Date.parse(given) : given;
}
