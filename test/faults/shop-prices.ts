// The prices of the modelled shop: its tax rates, ways to ship and discounts, and what an order comes to by them. The
// amounts come from the second pricing of the tests, never from the shop's own.

import type { Candidate, RatesByClass, UnpricedSale } from "#pricing/calculation/sale.ts";

import { sumUp } from "../pricing/calculation/fractions.ts";
import { secondOpinion } from "../pricing/calculation/second-opinion.ts";
import { accra, must, usd } from "../sales/pricing/priced-shop.ts";
import type { Goods } from "../support/cast.ts";
import type { TestShop } from "../support/shop.ts";
import { type Deal, DEALS } from "./shop-deals.ts";

const PRICE_MINOR = 1250;

/** How the shop of a life prices; a plain one has no taxes, no discounts and no ways to ship. */
export interface Pricing {
  readonly taxes: "plain" | "on top" | "included";
  readonly shippingTax: "standard" | "as_goods" | "none";
}

/** The tax classes of the two products. */
const CLASSES = ["standard", "food"] as const;

const RATES = [
  { name: "VAT", taxClass: "standard", percent: 15 },
  { name: "Levy", taxClass: "standard", percent: 2.5 },
  { name: "VAT", taxClass: "food", percent: 7.3333 },
] as const;

type Pair = readonly [number, number];

export const options = ["none", "flat", "tiered", "charge"] as const;
export type OptionName = (typeof options)[number];

interface ModelRate {
  readonly id: string;
  readonly rate: (typeof RATES)[number];
  hasEnded: boolean;
}

export interface ModelDiscount {
  readonly id: string;
  readonly deal: Deal;
  isArchived: boolean;
}

/** What the customer asks for. */
export interface Wish {
  readonly units: Pair;
  readonly codes: readonly string[];
  readonly shipping: OptionName;
  readonly email: string | null;
}

/** What an order comes to; amounts in minor units. */
export interface ModelPrice {
  /** By product: the total, with the tax on top. */
  readonly lines: Pair;
  readonly subtotalMinor: number;
  readonly discountMinor: number;
  readonly shippingMinor: number;
  readonly shippingDiscountMinor: number;
  readonly shippingTaxMinor: number;
  readonly taxMinor: number;
  readonly includedTaxMinor: number;
  readonly totalMinor: number;
  /** The discounts that take something off. */
  readonly discounts: readonly ModelDiscount[];
  /** The rates that hold for it, which hold for its changes, too. */
  readonly rates: RatesByClass;
}

/** Which codes give nothing, and why. */
export type Reasons = ReadonlyMap<string, string>;

const harmless = new Set(["no_effect", "not_combinable"]);

/** Whether an order that names the codes is refused. */
export function isRefused(reasons: Reasons, codes: readonly string[]): boolean {
  return codes.some((code) => {
    const reason = reasons.get(code);
    return reason !== undefined && !harmless.has(reason);
  });
}

export class PriceList {
  readonly pricing: Pricing;
  readonly rates: ModelRate[] = [];
  readonly discounts: ModelDiscount[] = [];
  #goods: readonly [Goods, Goods];
  #shipping: Readonly<Record<OptionName, object | null>>;

  private constructor(pricing: Pricing, goods: readonly [Goods, Goods]) {
    this.pricing = pricing;
    this.#goods = goods;
    this.#shipping = { none: null, flat: null, tiered: null, charge: null };
  }

  get isPlain(): boolean {
    return this.pricing.taxes === "plain";
  }

  /** Makes the shop price so. */
  static async open(shop: TestShop, goods: readonly [Goods, Goods], pricing: Pricing) {
    const list = new PriceList(pricing, goods);
    if (list.isPlain) return list;
    const store = {
      country: "GH",
      prices_include_tax: pricing.taxes === "included",
      shipping_tax: pricing.shippingTax,
    };
    must(await shop.put("/v2/store", store), 200);
    for (const rate of RATES) {
      const { name, taxClass: tax_class, percent } = rate;
      const body = { country: "GH", name, tax_class, rate: percent };
      const { id } = must(await shop.post("/v2/tax-rates", body), 201);
      list.rates.push({ id, rate, hasEnded: false });
    }
    must(await shop.put(`/v2/products/${goods[1].productId}`, { tax_class: CLASSES[1] }), 200);
    for (const deal of DEALS) {
      const codes = deal.code === null ? {} : { codes: [deal.code] };
      const body = { title: deal.code ?? "Sale", ...codes, ...deal.body(goods) };
      const { id } = must(await shop.post("/v2/discounts", body), 201);
      list.discounts.push({ id, deal, isArchived: false });
    }
    const places = [{ country: "GH" }];
    const zone = must(await shop.post("/v2/shipping-zones", { name: "Ghana", places }), 201);
    const option = async (body: object) => {
      const rate = { zone_id: zone.id, ...body };
      return { rate_id: must(await shop.post("/v2/shipping-rates", rate), 201).id };
    };
    const fixed = [{ from: 0, amounts: usd(5) }];
    const tiers = [
      { from: 0, amounts: usd("6.05") },
      { from: 2000, amounts: usd("3.10") },
    ];
    list.#shipping = {
      none: null,
      flat: await option({ name: "Rider", kind: "flat", tiers: fixed, free_over: usd(30) }),
      tiered: await option({ name: "Van", kind: "by_price", tiers }),
      charge: { label: "Taxi", amount: "4.99" },
    };
    return list;
  }

  /** The lines of a request for the units. */
  linesFor(units: Pair): object[] {
    return this.#goods
      .map(({ variantId }, at) => ({ variant_id: variantId, quantity: units[at] ?? 0 }))
      .filter(({ quantity }) => quantity > 0);
  }

  /** The request of an order or a cart, without a payment method. */
  requestFor({ units, codes, shipping }: Omit<Wish, "email">): Record<string, unknown> {
    const line_items = this.linesFor(units);
    if (this.isPlain) return { line_items };
    return {
      line_items,
      discount_codes: codes,
      shipping: this.#shipping[shipping],
      shipping_address: accra,
    };
  }

  /** Prices a wish, with the discounts whose limits are not reached, and says which codes give nothing. */
  quote(wish: Wish, reasonAgainst: (one: ModelDiscount) => string | null) {
    const reasons = new Map<string, string>();
    const codes = this.isPlain ? [] : wish.codes;
    const found = this.discounts.filter((one) => {
      const { code } = one.deal;
      if (code !== null && !codes.includes(code)) return false;
      const reason = one.isArchived ? "ended" : reasonAgainst(one);
      if (reason !== null && code !== null) reasons.set(code, reason);
      return reason === null;
    });
    for (const code of codes) {
      if (!DEALS.some((deal) => deal.code === code)) reasons.set(code, "unknown");
    }
    const shipping = this.isPlain ? null : this.#choice(wish.shipping);
    const { price, unused } = this.#price(wish.units, { found, shipping, rates: this.#ratesNow() });
    for (const { deal, id } of found) {
      const reason = unused.get(id);
      if (deal.code !== null && reason !== undefined) reasons.set(deal.code, reason);
    }
    return { price, reasons };
  }

  /** Prices other units of an order by what was agreed; its shipping stays as it was charged. */
  requote(agreed: ModelPrice, units: Pair): ModelPrice {
    const found = agreed.discounts.filter(({ deal }) => deal.terms.target !== "shipping");
    const { shippingMinor: amountMinor, shippingDiscountMinor, rates } = agreed;
    const { price } = this.#price(units, { found, shipping: { amountMinor }, rates });
    // A discount that takes nothing off now stays agreed.
    return { ...price, shippingDiscountMinor, discounts: agreed.discounts };
  }

  #ratesNow(): RatesByClass {
    const held = this.rates.filter(({ hasEnded }) => !hasEnded);
    return new Map(
      CLASSES.map((taxClass) => {
        const own = held.filter(({ rate }) => rate.taxClass === taxClass);
        return [
          taxClass,
          own.map(({ rate: { name, percent } }) => ({
            name,
            country: "GH",
            region: null,
            millionths: Math.round(percent * 10_000),
          })),
        ] as const;
      }),
    );
  }

  #choice(name: OptionName): UnpricedSale["shipping"] {
    const tiers = [
      { from: 0, amountMinor: 605 },
      { from: 2000, amountMinor: 310 },
    ];
    switch (name) {
      case "none":
        return null;
      case "flat":
        return { kind: "flat", tiers: [{ from: 0, amountMinor: 500 }], freeOverMinor: 3000 };
      case "tiered":
        return { kind: "by_price", tiers, freeOverMinor: null };
      case "charge":
        return { amountMinor: 499 };
    }
  }

  #price(
    units: Pair,
    { found, shipping, rates }: { found: readonly ModelDiscount[] } & PriceTerms,
  ): { readonly price: ModelPrice; readonly unused: Reasons } {
    const here = [0, 1].filter((which) => (units[which] ?? 0) > 0);
    const place = (on: readonly number[]) =>
      on.map((which) => here.indexOf(which)).filter((position) => position !== -1);
    const isIncluded = this.pricing.taxes === "included";
    const opinion = secondOpinion({
      lines: here.map((which) => ({
        unitMinor: PRICE_MINOR,
        quantity: units[which] ?? 0,
        taxClass: CLASSES[which] ?? "standard",
        weightGrams: null,
        requiresShipping: true,
      })),
      candidates: found.map(({ id, deal: { terms } }) => ({
        ...terms,
        id,
        terms: placed(terms.terms, place),
        lines: place(terms.on),
      })),
      manual: null,
      shipping,
      taxes: {
        isIncluded,
        isExempt: false,
        ratesByClass: rates,
        homeRatesByClass: new Map(),
        shippingTax: this.pricing.shippingTax,
      },
      defaultWeightGrams: null,
    });
    const taxAt = (position: number) =>
      Number(sumUp(opinion.taxes.map(({ shares }) => shares.at(position) ?? 0n)));
    const onTop = (position: number) => (isIncluded ? 0 : taxAt(position));
    const left = here.map((_, position) => Number(opinion.left[position]));
    const ofLine = (which: number) => {
      const position = here.indexOf(which);
      return position === -1 ? 0 : (left[position] ?? 0) + onTop(position);
    };
    const lines = [ofLine(0), ofLine(1)] as const;
    const subtotalMinor = (units[0] + units[1]) * PRICE_MINOR;
    const goodsMinor = left.reduce((sum, one) => sum + one, 0);
    const taxMinor = here.map((_, position) => taxAt(position)).reduce((a, b) => a + b, taxAt(-1));
    const shippingMinor = Number(opinion.charged);
    const shippingTaxMinor = onTop(-1);
    const price: ModelPrice = {
      lines,
      subtotalMinor,
      discountMinor: subtotalMinor - goodsMinor,
      shippingMinor,
      shippingDiscountMinor: Number(opinion.offShipping?.amount ?? 0n),
      shippingTaxMinor,
      taxMinor: isIncluded ? 0 : taxMinor,
      includedTaxMinor: isIncluded ? taxMinor : 0,
      totalMinor: lines[0] + lines[1] + shippingMinor + shippingTaxMinor,
      discounts: found.filter(({ id }) => opinion.off.has(id) || opinion.offShipping?.id === id),
      rates,
    };
    return { price, unused: opinion.reasons };
  }
}

interface PriceTerms {
  readonly shipping: UnpricedSale["shipping"];
  readonly rates: RatesByClass;
}

/** The terms with positions in the sale. */
function placed(
  terms: Candidate["terms"],
  place: (on: readonly number[]) => number[],
): Candidate["terms"] {
  if (terms.kind !== "buy_get") return terms;
  const { buy, get } = terms;
  return {
    ...terms,
    buy: { ...buy, lines: place(buy.lines) },
    get: { ...get, lines: place(get.lines) },
  };
}
