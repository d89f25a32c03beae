// The rules of an order's amounts. Everything is whole minor units; the totals of an order are the
// sums of its lines, and nothing is rounded because nothing is divided.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { MAX_AMOUNT_MINOR } from "#kernel/money.ts";
import { Faults, type Refusal, type RefusalDefinition, validationFailed } from "#kernel/refusal.ts";
import type { Price } from "#products/variant.ts";

import { type Order, type OrderLine, priceMissing, variantNotForSale } from "./order.ts";

/** A line as it was asked for. */
export interface LineRequest {
  readonly variantId: Id<"variant">;
  readonly quantity: number;
}

/** What a line needs to know of its variant. */
export interface VariantOnOffer {
  readonly variantId: Id<"variant">;
  readonly productId: Id<"product">;
  readonly sku: string | null;
  readonly name: string;
  readonly isForSale: boolean;
  readonly prices: readonly Price[];
}

/** A line with its amounts, before it belongs to an order. */
export type PricedLine = Omit<OrderLine, "orderId" | "id">;

export type Totals = Pick<
  Order,
  "subtotalMinor" | "discountMinor" | "shippingMinor" | "taxMinor" | "totalMinor"
>;

/**
 * Prices every line. Refuses with all faults at once, under the code of the gravest:
 * `validation_failed` (unknown variant, amount too large), `variant_not_for_sale`, `price_missing`.
 */
export function priceLines(
  requests: readonly LineRequest[],
  offers: ReadonlyMap<Id<"variant">, VariantOnOffer>,
  currency: CurrencyCode,
): PricedLine[] {
  const judgement = new Judgement();
  const lines = requests.map((request, position): PricedLine | null => {
    const offer = offers.get(request.variantId);
    if (offer === undefined) return judgement.unknown(position);
    if (!offer.isForSale) return judgement.notForSale(position);
    const price = offer.prices.find((one) => one.currency === currency);
    if (price === undefined) return judgement.withoutPrice(position, currency);
    const subtotalMinor = price.amountMinor * request.quantity;
    if (subtotalMinor > MAX_AMOUNT_MINOR) return judgement.tooLarge(position);
    return {
      position,
      variantId: offer.variantId,
      productId: offer.productId,
      sku: offer.sku,
      name: offer.name,
      quantity: request.quantity,
      fulfilledQuantity: 0,
      unitPriceMinor: price.amountMinor,
      subtotalMinor,
      discountMinor: 0,
      taxMinor: 0,
      totalMinor: subtotalMinor,
    };
  });
  judgement.refuseIfAny();
  return lines.filter((line) => line !== null);
}

/** The totals of an order with these lines. */
export function totalsOf(
  lines: readonly Pick<OrderLine, "subtotalMinor" | "discountMinor" | "taxMinor">[],
  shippingMinor: number,
): Totals {
  const subtotalMinor = sumOf(lines, (line) => line.subtotalMinor);
  const discountMinor = sumOf(lines, (line) => line.discountMinor);
  const taxMinor = sumOf(lines, (line) => line.taxMinor);
  const totalMinor = subtotalMinor - discountMinor + shippingMinor + taxMinor;
  return { subtotalMinor, discountMinor, shippingMinor, taxMinor, totalMinor };
}

function sumOf<T>(rows: readonly T[], amountOf: (row: T) => number): number {
  return rows.reduce((total, row) => total + amountOf(row), 0);
}

/** Collects what is wrong with lines and refuses under the code of the gravest fault. */
class Judgement {
  readonly #faults = new Faults();
  #gravest: RefusalDefinition | null = null;

  unknown(position: number): null {
    return this.#note(position, validationFailed, "variant_id", [
      "unknown_variant",
      "There is no such variant.",
    ]);
  }

  tooLarge(position: number): null {
    return this.#note(position, validationFailed, "quantity", [
      "amount_too_large",
      "The line comes to more than one amount can be.",
    ]);
  }

  notForSale(position: number): null {
    return this.#note(position, variantNotForSale, "variant_id", [
      "variant_not_for_sale",
      "The variant is not for sale.",
    ]);
  }

  withoutPrice(position: number, currency: CurrencyCode): null {
    return this.#note(position, priceMissing, "variant_id", [
      "price_missing",
      `The variant has no price in ${currency}.`,
    ]);
  }

  refuseIfAny(): void {
    const refusal = this.#refusal();
    if (refusal !== null) throw refusal;
  }

  #refusal(): Refusal | null {
    return this.#gravest?.({ faults: this.#faults.list }) ?? null;
  }

  #note(
    position: number,
    definition: RefusalDefinition,
    field: "variant_id" | "quantity",
    [code, detail]: readonly [string, string],
  ): null {
    this.#faults.add(`/line_items/${position}/${field}`, code, detail);
    const order = [validationFailed, variantNotForSale, priceMissing];
    const known = this.#gravest === null ? order.length : order.indexOf(this.#gravest);
    if (order.indexOf(definition) < known) this.#gravest = definition;
    return null;
  }
}
