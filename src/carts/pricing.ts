// What a cart comes to today. Whole minor units, nothing divided, nothing rounded: a line is its
// price times its quantity, and the total is the sum of the lines that have a price.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { MAX_AMOUNT_MINOR } from "#kernel/money.ts";
import type { Judgement } from "#products/judgement.ts";
import { saleOf } from "#products/sale.ts";
import type { Price } from "#products/variant.ts";

import type { CartLine, LineProblem, PricedLine } from "./cart.ts";

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
export function priceLines(
  lines: readonly CartLine[],
  currency: CurrencyCode,
  today: Today,
): PricedLine[] {
  const wanted = new Map<string, number>();
  for (const { variantId, quantity } of lines) {
    wanted.set(variantId, (wanted.get(variantId) ?? 0) + quantity);
  }
  return lines.map(({ variantId, quantity }) => {
    const entry = today.entries.get(variantId);
    const sale = saleOf(entry, currency);
    const unitPriceMinor = "problem" in sale ? null : sale.unitPriceMinor;
    const totalMinor = lineTotal(unitPriceMinor, quantity);
    const available = today.sellable.get(variantId) ?? null;
    return {
      variantId,
      quantity,
      productId: entry?.productId ?? null,
      sku: entry?.sku ?? null,
      name: entry?.name ?? null,
      unitPriceMinor,
      totalMinor,
      available,
      problem:
        "problem" in sale
          ? sale.problem
          : remainingProblem({
              isTooMuch: totalMinor === null,
              isShort: available !== null && available < (wanted.get(variantId) ?? 0),
            }),
    };
  });
}

function lineTotal(unitPriceMinor: number | null, quantity: number): number | null {
  if (unitPriceMinor === null) return null;
  const totalMinor = unitPriceMinor * quantity;
  return totalMinor > MAX_AMOUNT_MINOR ? null : totalMinor;
}

function remainingProblem(line: {
  readonly isTooMuch: boolean;
  readonly isShort: boolean;
}): LineProblem | null {
  if (line.isTooMuch) return "amount_too_large";
  return line.isShort ? "insufficient_stock" : null;
}

/** The sum of the lines that have a price. */
export function cartTotal(lines: readonly Pick<PricedLine, "totalMinor">[]): number {
  return lines.reduce((total, line) => total + (line.totalMinor ?? 0), 0);
}

/** Notes every line that could not be ordered whatever the stock: it is refused where it is given. */
export function judgeLines(
  lines: readonly PricedLine[],
  currency: CurrencyCode,
  judgement: Judgement,
): void {
  lines.forEach(({ problem }, position) => {
    if (problem === null || problem === "insufficient_stock") return;
    if (problem !== "amount_too_large") {
      judgement.unsellable(problem, position, currency);
      return;
    }
    const detail = "The line comes to more than one amount can be.";
    judgement.invalid(`/line_items/${position}/quantity`, problem, detail);
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
  before: readonly PricedLine[],
  after: readonly PricedLine[],
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
