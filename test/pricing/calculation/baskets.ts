// Sales to price: a plain one to add to, and any at all for properties. Small amounts and round ones are frequent,
// because that is where halves and ties are.

import fc from "fast-check";

import { MILLION } from "#kernel/money.ts";
import type {
  Candidate,
  RatesByClass,
  SaleLine,
  SaleRate,
  ShippingChoice,
  Taxes,
  UnpricedSale,
} from "#pricing/calculation/sale.ts";

export function line(unitMinor: number, quantity = 1, given: Partial<SaleLine> = {}): SaleLine {
  const plain = { taxClass: "standard", weightGrams: null, requiresShipping: true };
  return { unitMinor, quantity, ...plain, ...given };
}

export function rate(name: string, percent: number): SaleRate {
  return { name, country: "GH", region: null, millionths: Math.round(percent * 10_000) };
}

export const noTaxes: Taxes = {
  isIncluded: false,
  isExempt: false,
  ratesByClass: new Map(),
  homeRatesByClass: new Map(),
  shippingTax: "standard",
};

/** Standard rates in percent, on top or included. */
export function taxes(kind: "on_top" | "included", ...percents: number[]): Taxes {
  const rates: RatesByClass = new Map([
    ["standard", percents.map((percent, index) => rate(`tax ${index}`, percent))],
  ]);
  const isIncluded = kind === "included";
  return { ...noTaxes, isIncluded, ratesByClass: rates, homeRatesByClass: rates };
}

export function sale(lines: readonly SaleLine[], given: Partial<UnpricedSale> = {}): UnpricedSale {
  const plain = { candidates: [], manual: null, shipping: null, taxes: noTaxes };
  return { lines, ...plain, defaultWeightGrams: 500, ...given };
}

export function discount(
  id: string,
  lines: readonly number[],
  given: Pick<Candidate, "target" | "terms"> & Partial<Candidate>,
): Candidate {
  const plain = { isStackable: false, minimumSubtotalMinor: null, minimumQuantity: null };
  return { id, lines, ...plain, ...given };
}

export function percentOff(percent: number): { kind: "percent"; millionths: number } {
  return { kind: "percent", millionths: Math.round(percent * 10_000) };
}

export function amountOff(
  amountMinor: number,
  per: "unit" | "basket" = "basket",
): { kind: "amount"; amountMinor: number; per: "unit" | "basket" } {
  return { kind: "amount", amountMinor, per };
}

export function flat(amountMinor: number, freeOverMinor: number | null = null): ShippingChoice {
  return { kind: "flat", tiers: [{ from: 0, amountMinor }], freeOverMinor };
}

const anyMinor = fc.oneof(
  fc.nat(4),
  fc.nat(300),
  fc.constantFrom(43, 100, 484, 999, 1000, 3333, 10_000, 12_499),
  fc.nat(2_000_000),
);

const anyMillionths = fc.oneof(
  fc.constantFrom(0, 50_000, 100_000, 150_000, 333_333, 400_000, 500_000, 700_000, MILLION),
  fc.nat(MILLION),
);

const anyClass = fc.constantFrom("standard", "standard", "reduced", "zero", "exempt", "unknown");

export const anyLine: fc.Arbitrary<SaleLine> = fc.record({
  unitMinor: anyMinor,
  quantity: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 30 })),
  taxClass: anyClass,
  weightGrams: fc.option(fc.nat(3000)),
  requiresShipping: fc.boolean(),
});

const someTerms = fc.oneof(
  fc.record({ kind: fc.constant("percent" as const), millionths: anyMillionths }),
  fc.record({
    kind: fc.constant("amount" as const),
    amountMinor: anyMinor,
    per: fc.constantFrom("unit" as const, "basket" as const),
  }),
);

function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

/** Some of the lines, rarely none. */
function someLines(count: number): fc.Arbitrary<number[]> {
  const all = Array.from({ length: count }, (_, index) => index);
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(all) },
    { weight: 4, arbitrary: fc.shuffledSubarray(all, { minLength: 1 }) },
    { weight: 1, arbitrary: fc.constant<number[]>([]) },
  );
}

export function anyBuyGet(count: number) {
  const quantity = fc.integer({ min: 1, max: 4 });
  return fc.record({
    kind: fc.constant("buy_get" as const),
    buy: fc.record({ quantity, lines: someLines(count) }),
    get: fc.record({ quantity, lines: someLines(count), millionths: anyMillionths }),
    times: fc.option(fc.integer({ min: 1, max: 4 })),
  });
}

/** A discount for a sale of so many lines, without an id. */
export function anyTerms(
  count: number,
  targets: readonly Candidate["target"][] = ["lines", "order", "shipping"],
): fc.Arbitrary<Omit<Candidate, "id">> {
  return fc.constantFrom(...targets).chain((target) =>
    fc.record({
      target: fc.constant(target),
      isStackable: fc.boolean(),
      terms: target === "lines" ? fc.oneof(someTerms, anyBuyGet(count)) : someTerms,
      lines: someLines(count),
      minimumSubtotalMinor: rarely(anyMinor),
      minimumQuantity: rarely(fc.integer({ min: 1, max: 20 })),
    }),
  );
}

/** Ids that no order of entry follows. */
function anyCandidates(count: number, targets?: readonly Candidate["target"][]) {
  return fc
    .uniqueArray(fc.constantFrom(..."abcdefgh"), { maxLength: 6 })
    .chain((ids) =>
      fc.tuple(...ids.map((id) => anyTerms(count, targets).map((one) => ({ id, ...one })))),
    );
}

const anyManual = rarely(
  fc.oneof(
    fc.record({ kind: fc.constant("percent" as const), millionths: anyMillionths }),
    fc.record({ kind: fc.constant("amount" as const), amountMinor: anyMinor }),
  ),
);

const tiers = fc.uniqueArray(fc.record({ from: fc.nat(20_000), amountMinor: anyMinor }), {
  minLength: 1,
  maxLength: 4,
  selector: ({ from }) => from,
});

/** Shipping with any threshold. */
const anyShipping: fc.Arbitrary<ShippingChoice> = fc.oneof(
  fc.constant(null),
  fc.record({ amountMinor: anyMinor }),
  fc.tuple(anyMinor, fc.option(anyMinor)).map(([minor, freeOver]) => flat(minor, freeOver)),
  fc.record({
    kind: fc.constantFrom("by_price" as const, "by_weight" as const),
    tiers,
    freeOverMinor: fc.option(anyMinor),
  }),
);

/** Shipping that costs the same whatever the goods cost. */
export const steadyShipping: fc.Arbitrary<ShippingChoice> = fc.oneof(
  fc.constant(null),
  fc.record({ amountMinor: anyMinor }),
  anyMinor.map((minor) => flat(minor)),
  fc.record({
    kind: fc.constant("by_weight" as const),
    tiers: tiers.map((some) => [{ from: 0, amountMinor: 300 }, ...some]),
    freeOverMinor: fc.constant(null),
  }),
);

const anyRates = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        0,
        25_000,
        50_000,
        70_000,
        75_000,
        99_750,
        150_000,
        160_000,
        190_000,
        250_000,
      ),
      fc.nat(333_333),
    ),
    { maxLength: 3 },
  )
  .map((all) =>
    all.map((millionths, index): SaleRate => {
      return { name: `tax ${index}`, country: "GH", region: null, millionths };
    }),
  );

const anyRatesByClass: fc.Arbitrary<RatesByClass> = fc
  .record(
    { standard: anyRates, reduced: anyRates, zero: anyRates, exempt: anyRates },
    { requiredKeys: [] },
  )
  .map((rates) => new Map(Object.entries(rates)));

const anyTaxes: fc.Arbitrary<Taxes> = fc.record({
  isIncluded: fc.boolean(),
  isExempt: fc.oneof(fc.constant(false), fc.constant(false), fc.boolean()),
  ratesByClass: anyRatesByClass,
  homeRatesByClass: anyRatesByClass,
  shippingTax: fc.constantFrom("standard" as const, "as_goods" as const, "none" as const),
});

const someSaleLines = fc.array(anyLine, { minLength: 1, maxLength: 7 });

/** Any sale, with parts of it fixed. */
export function anySale(
  fixed: Partial<{ [K in keyof UnpricedSale]: fc.Arbitrary<UnpricedSale[K]> }> = {},
): fc.Arbitrary<UnpricedSale> {
  return someSaleLines.chain((lines) =>
    fc.record({
      lines: fc.constant(lines),
      candidates: anyCandidates(lines.length),
      manual: anyManual,
      shipping: anyShipping,
      taxes: anyTaxes,
      defaultWeightGrams: fc.nat(1000),
      ...fixed,
    }),
  );
}
