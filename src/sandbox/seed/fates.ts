// The fates of seeded sales: what becomes of an order or a cart, step by step. Each step is a story of
// the shop, so a seeded shop has only states that a shop can reach.

import type { PaymentMethod } from "#kernel/payment-method.ts";

import type { SeedSale } from "./seed-sale.ts";

/** The methods of a sale that are a step of its life. */
export type Step = {
  [K in keyof SeedSale]: SeedSale[K] extends (tx: never) => Promise<void> ? K : never;
}[keyof SeedSale];

/** The steps of a sale that has nothing to pay. */
export const stepsOfFree: ReadonlySet<Step> = new Set(["ship", "shipFirstLine", "cancel"] as const);

export interface Fate {
  readonly method: PaymentMethod;
  /** `online_store` if undefined. */
  readonly channel?: string;
  /** The deposit that was agreed for it; the shop's if undefined. */
  readonly depositPercent?: number;
  /** The steps in order, each so many minutes after the sale began. */
  readonly steps: readonly (readonly [afterMinutes: number, step: Step])[];
}

const DAY = 24 * 60;
/** A mobile payment is approved this many minutes after its start. */
const APPROVED = 0.5;

const phone = { method: "mobile_money" } as const;
const card = { method: "card" } as const;
const half = { depositPercent: 50 } as const;
const cash = { method: "cash_on_delivery" } as const;
const transfer = { method: "bank_transfer" } as const;

const paid = [
  [0, "place"],
  [2, "payByPhone"],
  [2 + APPROVED, "settle"],
] as const;
const completed = [...paid, [DAY, "ship"]] as const;
const checkout = [
  [0, "fillCart"],
  [4, "startCheckout"],
] as const;
const left = [...checkout, [64, "abandon"]] as const;

// prettier-ignore
export const fates = {
  completed: { ...phone, steps: completed },
  by_card:   { ...card, steps: [[0, "place"], [3, "payByCard"], [DAY, "ship"]] },
  social:    { ...phone, channel: "social", steps: completed },
  delivered: { ...cash, steps: [[0, "place"], [DAY, "ship"], [DAY + 300, "collect"]] },
  by_bank:   { ...transfer, steps: [[0, "place"], [10, "announceTransfer"], [DAY, "confirmTransfer"], [DAY + 90, "ship"]] },
  counter:   { ...cash, channel: "pos", steps: [[0, "place"], [1, "collect"], [2, "ship"]] },
  cart:      { ...phone, steps: [...checkout, [6, "completeCart"], [7, "payByPhone"], [7 + APPROVED, "settle"], [DAY, "ship"]] },
  retried:   { ...phone, steps: [[0, "place"], [2, "payWithoutFunds"], [2 + APPROVED, "settle"], [15, "payByPhone"], [15 + APPROVED, "settle"], [DAY, "ship"]] },
  installments: { ...phone, ...half, steps: [[0, "place"], [2, "payDeposit"], [2 + APPROVED, "settle"], [3 * DAY, "payByPhone"], [3 * DAY + APPROVED, "settle"], [4 * DAY, "ship"]] },
  recovered: { ...phone, steps: [[0, "place"], [60, "abandon"], [300, "payByPhone"], [300 + APPROVED, "settle"], [DAY, "ship"]] },
  cart_recovered: { ...phone, steps: [...left, [600, "startCheckout"], [604, "completeCart"], [605, "payByPhone"], [605 + APPROVED, "settle"], [DAY, "ship"]] },

  refunded:        { ...phone, steps: [...completed, [4 * DAY, "refund"]] },
  part_refunded:   { ...phone, steps: [...completed, [3 * DAY, "refundUnit"]] },
  cancelled:       { ...cash, steps: [[0, "place"], [200, "cancel"]] },
  cancelled_paid:  { ...phone, steps: [...paid, [240, "cancel"]] },
  declined:        { ...phone, steps: [[0, "place"], [2, "payWithoutFunds"], [2 + APPROVED, "settle"], [60, "abandon"], [DAY, "expire"]] },
  expired:         { ...phone, steps: [[0, "place"], [60, "abandon"], [DAY, "expire"]] },

  paid:        { ...phone, steps: paid },
  part_shipped: { ...phone, steps: [...paid, [120, "shipFirstLine"]] },
  shipped_unpaid: { ...cash, steps: [[0, "place"], [120, "ship"]] },
  unpaid:      { ...cash, steps: [[0, "place"]] },
  new:         { ...phone, steps: [[0, "place"]] },
  pending:     { ...transfer, steps: [[0, "place"], [10, "announceTransfer"]] },
  part_paid:   { ...phone, ...half, steps: [[0, "place"], [2, "payDeposit"], [2 + APPROVED, "settle"]] },
  in_review:   { ...cash, steps: [[0, "place"], [30, "payTooLittle"], [30 + APPROVED, "settle"]] },

  cart_abandoned: { ...phone, steps: left },
  cart_checkout:  { ...phone, steps: checkout },
  cart_active:    { ...phone, steps: [[0, "fillCart"]] },
} satisfies Readonly<Record<string, Fate>>;

export type FateName = keyof typeof fates;
