// What a cart comes to today. Whole minor units, nothing divided, nothing rounded: a line is its
// price times its quantity, and the total is the sum of the lines that have a price.

import { addSaleFault, saleOf, saleProblems } from "#catalog/variants/sale.ts";
import type { Price } from "#catalog/variants/variant.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { MAX_AMOUNT_MINOR } from "#kernel/money.ts";
import type { Faults } from "#kernel/refusal.ts";

import type { LineRequest } from "./price-order.ts";

/** Why a line cannot be ordered as it stands. */
export const lineProblems = [...saleProblems, "insufficient_stock", "amount_too_large"] as const;
export type LineProblem = (typeof lineProblems)[number];

/** A line with today's price; what the catalogue does not say is null. Amounts are minor units. */
export interface QuotedLine extends LineRequest {
  readonly productId: Id<"product"> | null;
  readonly sku: string | null;
  readonly name: string | null;
  readonly unitPriceMinor: number | null;
  readonly totalMinor: number | null;
  /** Units of the variant that can be sold; null where there is no limit. */
  readonly available: number | null;
  readonly problem: LineProblem | null;
}

/** What a line needs to know of its variant. */
export interface CatalogueEntry {
  readonly productId: Id<"product">;
  readonly sku: string | null;
  readonly name: string;
  readonly isForSale: boolean;
  readonly prices: readonly Price[];
}

/** The catalogue and the shelf as they are now. */
export interface Today {
  readonly entries: ReadonlyMap<Id<"variant">, CatalogueEntry>;
  /** Units that can be sold; null where there is no limit. */
  readonly sellable: ReadonlyMap<string, number | null>;
}

/** Prices the lines. One that cannot be ordered says why; units of one variant are summed first. */
export function quoteLines(
  lines: readonly LineRequest[],
  currency: CurrencyCode,
  today: Today,
): QuotedLine[] {
  const wanted = new Map<string, number>();
  for (const { variantId, quantity } of lines) {
    wanted.set(variantId, (wanted.get(variantId) ?? 0) + quantity);
  }
  return lines.map(({ variantId, quantity }) => {
    const entry = today.entries.get(variantId);
    const available = today.sellable.get(variantId) ?? null;
    const isShort = available !== null && available < (wanted.get(variantId) ?? 0);
    const price = priceOf(saleOf(entry, currency), quantity);
    return {
      variantId,
      quantity,
      ...nameOf(entry),
      ...price,
      available,
      problem: price.problem ?? (isShort ? "insufficient_stock" : null),
    };
  });
}

/** What the catalogue calls it; nothing for a variant that is gone. */
function nameOf(entry: CatalogueEntry | undefined): Pick<QuotedLine, "productId" | "sku" | "name"> {
  if (entry === undefined) return { productId: null, sku: null, name: null };
  return { productId: entry.productId, sku: entry.sku, name: entry.name };
}

function priceOf(
  sale: ReturnType<typeof saleOf>,
  quantity: number,
): Pick<QuotedLine, "unitPriceMinor" | "totalMinor" | "problem"> {
  if ("problem" in sale) return { unitPriceMinor: null, totalMinor: null, problem: sale.problem };
  const { unitPriceMinor } = sale;
  const totalMinor = unitPriceMinor * quantity;
  if (totalMinor <= MAX_AMOUNT_MINOR) return { unitPriceMinor, totalMinor, problem: null };
  return { unitPriceMinor, totalMinor: null, problem: "amount_too_large" };
}

/** The sum of the lines that have a price. */
export function cartTotal(lines: readonly Pick<QuotedLine, "totalMinor">[]): number {
  return lines.reduce((total, line) => total + (line.totalMinor ?? 0), 0);
}

/** Notes every line that could not be ordered whatever the stock: it is refused where it is given. */
export function validateLines(
  lines: readonly QuotedLine[],
  currency: CurrencyCode,
  faults: Faults,
): void {
  lines.forEach(({ problem }, position) => {
    if (problem === null || problem === "insufficient_stock") return;
    if (problem !== "amount_too_large") {
      addSaleFault(faults, { problem, position, currency });
      return;
    }
    const detail = "The line comes to more than one amount can be.";
    faults.add(`/line_items/${position}/quantity`, problem, detail);
  });
}

/** One thing that is not as the customer saw it. */
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

/** What differs between the lines as they were seen and as they are, each variant told once. */
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
