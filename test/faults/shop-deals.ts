// The discounts of the modelled shop.

import type { Candidate } from "#pricing/calculation/sale.ts";

import { usd } from "../sales/pricing/priced-shop.ts";
import type { Goods } from "../support/cast.ts";

/** What the merchant offers, as the shop is asked for it and as the second pricing takes it. */
export interface Deal {
  /** Null for an automatic one. */
  readonly code: string | null;
  readonly limit: number | null;
  readonly isOncePerCustomer: boolean;
  readonly body: (goods: readonly [Goods, Goods]) => object;
  readonly terms: Pick<Candidate, "target" | "isStackable" | "minimumQuantity"> & {
    readonly minimumSubtotalMinor: number | null;
    /** Positions are those of the two products. */
    readonly terms: Candidate["terms"];
    readonly on: readonly number[];
  };
}

const usual = { isStackable: true, minimumQuantity: null, minimumSubtotalMinor: null, on: [0, 1] };

export const DEALS: readonly Deal[] = [
  {
    code: "TENTH",
    limit: 2,
    isOncePerCustomer: false,
    body: () => ({ target: "order", percent: 10, stackable: false, usage_limit: 2 }),
    terms: {
      ...usual,
      isStackable: false,
      target: "order",
      terms: { kind: "percent", millionths: 100_000 },
    },
  },
  {
    code: null,
    limit: 4,
    isOncePerCustomer: false,
    body: ([first]) => ({
      target: "lines",
      amounts: usd("0.33"),
      per: "unit",
      scope: { product_ids: [first.productId] },
      minimum: { quantity: 2 },
      stackable: true,
      usage_limit: 4,
    }),
    terms: {
      ...usual,
      target: "lines",
      terms: { kind: "amount", amountMinor: 33, per: "unit" },
      minimumQuantity: 2,
      on: [0],
    },
  },
  {
    code: "SHIPHALF",
    limit: null,
    isOncePerCustomer: false,
    body: () => ({
      target: "shipping",
      percent: 50,
      stackable: true,
      minimum: { amounts: usd(30) },
    }),
    terms: {
      ...usual,
      target: "shipping",
      terms: { kind: "percent", millionths: 500_000 },
      minimumSubtotalMinor: 3000,
    },
  },
  {
    code: "ONCE",
    limit: null,
    isOncePerCustomer: true,
    body: () => ({
      target: "order",
      amounts: usd("7.01"),
      stackable: true,
      per_customer_limit: 1,
      minimum: { amounts: usd(20) },
    }),
    terms: {
      ...usual,
      target: "order",
      terms: { kind: "amount", amountMinor: 701, per: "basket" },
      minimumSubtotalMinor: 2000,
    },
  },
  {
    code: "THIRD",
    limit: 3,
    isOncePerCustomer: false,
    body: ([first, second]) => ({
      target: "lines",
      buy_get: {
        buy: { quantity: 2, scope: { variant_ids: [first.variantId] } },
        get: { quantity: 1, scope: { product_ids: [second.productId] }, percent: 100 },
      },
      stackable: false,
      usage_limit: 3,
    }),
    terms: {
      ...usual,
      isStackable: false,
      target: "lines",
      terms: {
        kind: "buy_get",
        buy: { quantity: 2, lines: [0] },
        get: { quantity: 1, lines: [1], millionths: 1_000_000 },
        times: null,
      },
    },
  },
  {
    code: "GIFT",
    limit: 2,
    isOncePerCustomer: false,
    body: () => ({ target: "order", percent: 100, stackable: true, usage_limit: 2 }),
    terms: {
      ...usual,
      target: "order",
      terms: { kind: "percent", millionths: 1_000_000 },
    },
  },
];

/** The codes of the shop, and one that it does not know. */
export const CODES = [...DEALS.flatMap(({ code }) => code ?? []), "NOTHING"];
