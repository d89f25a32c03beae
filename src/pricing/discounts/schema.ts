// Discounts and their codes on the wire: what is answered. Requests are read in request-schema.ts.

import Type from "typebox";

import { percentOf } from "#kernel/money.ts";
import {
  added,
  at,
  from,
  inBothUnits,
  list,
  orNull,
  shape,
  wire,
} from "#platform/http/contract/wire.ts";
import {
  choice,
  currency,
  idOf,
  metadata,
  namedChoice,
  nullable,
  whole,
} from "#platform/http/contract/words.ts";

import type { DiscountCode } from "./discount-code.ts";
import type {
  AmountBasis,
  DiscountScope,
  DiscountTarget,
  DiscountTerms,
  Minimum,
  MoneyInCurrency,
} from "./discount-terms.ts";
import { type DiscountNow, discountStatuses } from "./discount.ts";

export const discountTarget = namedChoice<DiscountTarget>(
  { name: "DiscountTarget", about: "What the discount is off." },
  {
    lines: "Lines, each on its own.",
    order: "All that it is for, together.",
    shipping: "The delivery.",
  },
);

export const amountBasis = namedChoice<AmountBasis>(
  { name: "AmountBasis", about: "How often an amount is taken off." },
  { unit: "Off each unit.", basket: "Once, off all that it is for together." },
);

type Terms<K extends DiscountTerms["kind"]> = DiscountTerms & { readonly kind: K };

/** The terms if they are of this kind. */
function termsOf<K extends DiscountTerms["kind"]>(
  kind: K,
): (discount: DiscountNow) => Terms<K> | null {
  const isKind = (terms: DiscountTerms): terms is Terms<K> => terms.kind === kind;
  return ({ terms }) => (isKind(terms) ? terms : null);
}

const percentTerms = termsOf("percent");
const amountTerms = termsOf("amount");
const buyGetTerms = termsOf("buy_get");

const percent = Type.Number({ description: "Above 0 and up to 100, with at most four decimals." });

const moneyWire = wire<MoneyInCurrency>()("DiscountAmount", {
  currency,
  ...inBothUnits("amount", ({ amountMinor }: MoneyInCurrency) => amountMinor),
});

const scopeWire = wire<DiscountScope>()("DiscountScope", {
  product_ids: Type.Array(idOf("product")),
  variant_ids: Type.Array(idOf("variant")),
  tags: Type.Array(Type.String(), { description: "Of products." }),
  collection_ids: added(
    from(
      ({ collectionIds = [] }: DiscountScope) => collectionIds,
      Type.Array(idOf("collection"), { description: "Published or not." }),
    ),
  ),
});

const minimumWire = shape<Minimum>()(
  {
    amounts: list(moneyWire),
    quantity: nullable(whole(1)),
  },
  { name: "DiscountMinimum" },
);

type BuyGet = Terms<"buy_get">;

const buyGetWire = shape<BuyGet>()(
  {
    buy: shape<BuyGet["buy"]>()({ quantity: whole(1), scope: orNull(scopeWire) }),
    get: shape<BuyGet["get"]>()({
      quantity: whole(1),
      scope: orNull(scopeWire),
      percent: from(({ millionths }: BuyGet["get"]) => percentOf(millionths), percent),
    }),
    times: nullable(whole(1)),
  },
  { name: "BuyGet" },
);

/** The response of a discount, and the payload of its events. */
export const discountWire = wire<DiscountNow>()("Discount", {
  id: idOf("discount"),
  title: Type.String(),
  status: choice(discountStatuses),
  target: discountTarget,
  percent: from((discount: DiscountNow) => {
    const terms = percentTerms(discount);
    return terms === null ? null : percentOf(terms.millionths);
  }, nullable(percent)),
  amounts: from(
    (discount: DiscountNow) => amountTerms(discount)?.amounts ?? null,
    orNull(list(moneyWire)),
  ),
  per: from((discount: DiscountNow) => amountTerms(discount)?.per ?? null, nullable(amountBasis)),
  buy_get: from(buyGetTerms, orNull(buyGetWire)),
  scope: orNull(scopeWire),
  minimum: minimumWire,
  automatic: from(({ isAutomatic }: DiscountNow) => isAutomatic, Type.Boolean()),
  code: from(
    ({ firstCode }: DiscountNow) => firstCode,
    nullable(Type.String({ description: "The first of its codes in alphabetical order." })),
  ),
  code_count: whole(0),
  stackable: from(({ isStackable }: DiscountNow) => isStackable, Type.Boolean()),
  usage_limit: nullable(whole(1)),
  used_count: from(
    ({ uses }: DiscountNow) => uses,
    whole(0, undefined, { description: "Orders that use it, without those that gave it back." }),
  ),
  per_customer_limit: nullable(whole(1)),
  customer_tags: Type.Array(Type.String()),
  starts_at: orNull(at),
  ends_at: orNull(at),
  archived_at: orNull(at),
  metadata,
  version: whole(1),
  created_at: at,
  updated_at: at,
});

/** The response of a code. */
export const discountCodeWire = wire<DiscountCode>()("DiscountCode", {
  code: Type.String(),
  discount_id: idOf("discount"),
  usage_limit: nullable(whole(1)),
  used_count: from(({ uses }: DiscountCode) => uses, whole(0)),
  created_at: at,
});

/** The response of codes that were added. */
export const addedCodesWire = wire<{ readonly codes: readonly DiscountCode[] }>()(
  "AddedDiscountCodes",
  { codes: list(discountCodeWire) },
);
