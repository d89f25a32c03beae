// The current amounts of a cart in whole minor units. A line is its price times its quantity and the total is
// the sum of the priced lines, so nothing is divided or rounded.

import { addSaleFault, saleProblems, unitPriceOf } from "#catalog/products/sale.ts";
import type { Price } from "#catalog/rows/column-types.ts";
import type { ShownVariant } from "#catalog/rows/variant.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import { MAX_AMOUNT_MINOR } from "#kernel/money.ts";
import type { Faults } from "#kernel/refusal.ts";

import { addLineTooLarge, type LineRequest } from "./price-order.ts";

/** Why a line cannot be ordered. */
export const lineProblems = [...saleProblems, "insufficient_stock", "amount_too_large"] as const;
export type LineProblem = (typeof lineProblems)[number];

/** A line of a cart. */
export interface CartLine extends LineRequest {
  readonly id: Id<"cartLine">;
  readonly metadata: Metadata;
}

/** A line with the current price in minor units; fields are null if the variant does not exist, but a name that it had. */
export interface QuotedLine extends CartLine {
  readonly productId: Id<"product"> | null;
  readonly sku: string | null;
  readonly name: string | null;
  readonly unitPriceMinor: number | null;
  readonly totalMinor: number | null;
  /** Units of the variant that can be ordered; null means no limit. */
  readonly available: number | null;
  readonly problem: LineProblem | null;
  /** Null where it was not looked up, and if the variant does not exist. */
  readonly shown: ShownVariant | null;
}

/** The fields of a variant that a cart line shows. */
export interface CatalogEntry {
  readonly productId: Id<"product">;
  readonly sku: string | null;
  readonly name: string;
  readonly isForSale: boolean;
  readonly prices: readonly Price[];
  readonly shown: ShownVariant;
}

/** Current catalog entries and stock. */
export interface CatalogNow {
  readonly entries: ReadonlyMap<Id<"variant">, CatalogEntry>;
  /** Units that can be ordered; null means no limit. */
  readonly sellable: ReadonlyMap<string, number | null>;
}

/**
 * Prices the lines and sets the `problem` of those that cannot be ordered. Lines of one variant are summed before
 * they are compared with its stock.
 */
export function quoteLines(
  lines: readonly CartLine[],
  currency: CurrencyCode,
  catalog: CatalogNow,
): QuotedLine[] {
  const demand = new Map<string, number>();
  for (const { variantId, quantity } of lines) {
    demand.set(variantId, (demand.get(variantId) ?? 0) + quantity);
  }
  return lines.map(({ id, variantId, quantity, metadata }) => {
    const entry = catalog.entries.get(variantId);
    const available = catalog.sellable.get(variantId) ?? null;
    const isShort = available !== null && available < (demand.get(variantId) ?? 0);
    const price = priceOf(unitPriceOf(entry, currency), quantity);
    return {
      id,
      variantId,
      quantity,
      metadata,
      ...nameOf(entry),
      ...price,
      available,
      problem: price.problem ?? (isShort ? "insufficient_stock" : null),
      shown: entry?.shown ?? null,
    };
  });
}

function nameOf(entry: CatalogEntry | undefined): Pick<QuotedLine, "productId" | "sku" | "name"> {
  if (entry === undefined) return { productId: null, sku: null, name: null };
  return { productId: entry.productId, sku: entry.sku, name: entry.name };
}

function priceOf(
  unit: ReturnType<typeof unitPriceOf>,
  quantity: number,
): Pick<QuotedLine, "unitPriceMinor" | "totalMinor" | "problem"> {
  if ("problem" in unit) return { unitPriceMinor: null, totalMinor: null, problem: unit.problem };
  const { unitPriceMinor } = unit;
  const totalMinor = unitPriceMinor * quantity;
  if (totalMinor <= MAX_AMOUNT_MINOR) return { unitPriceMinor, totalMinor, problem: null };
  return { unitPriceMinor, totalMinor: null, problem: "amount_too_large" };
}

/** Returns the sum of the priced lines. */
export function cartTotal(lines: readonly Pick<QuotedLine, "totalMinor">[]): number {
  return lines.reduce((total, line) => total + (line.totalMinor ?? 0), 0);
}

/** Adds a fault for each line with a pointer that could not be ordered even with enough stock. Carts may lack stock. */
export function validateLines(
  lines: readonly QuotedLine[],
  { currency, pointers, faults }: LinesToValidate,
): void {
  lines.forEach(({ problem }, position) => {
    const line = pointers.get(position);
    if (line === undefined || problem === null || problem === "insufficient_stock") return;
    if (problem === "amount_too_large") addLineTooLarge(line, faults);
    else addSaleFault(faults, { problem, line, currency });
  });
}

interface LinesToValidate {
  readonly currency: CurrencyCode;
  /** The places in the request of the lines that it names, by their positions. */
  readonly pointers: ReadonlyMap<number, string>;
  readonly faults: Faults;
}

/** A change of a line since the customer saw it. */
export type CartDifference =
  | {
      readonly variantId: Id<"variant">;
      readonly field: "unit_price";
      readonly before: number | null;
      readonly after: number | null;
    }
  | {
      readonly variantId: Id<"variant">;
      readonly field: "problem";
      readonly before: LineProblem | null;
      readonly after: LineProblem | null;
    };

/** Returns the changes of price and problem between two quotes, once per variant. */
export function differencesOf(
  before: readonly QuotedLine[],
  after: readonly QuotedLine[],
): CartDifference[] {
  const seen = new Map(before.map((line) => [line.variantId, line]));
  const now = new Map(after.map((line) => [line.variantId, line]));
  return [...now].flatMap(([variantId, line]): CartDifference[] => {
    const old = seen.get(variantId);
    if (old === undefined) return [];
    const differences: CartDifference[] = [];
    if (old.unitPriceMinor !== line.unitPriceMinor) {
      const [was, is] = [old.unitPriceMinor, line.unitPriceMinor];
      differences.push({ variantId, field: "unit_price", before: was, after: is });
    }
    if (old.problem !== line.problem) {
      differences.push({ variantId, field: "problem", before: old.problem, after: line.problem });
    }
    return differences;
  });
}
