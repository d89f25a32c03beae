// The lines of a cart that can still be ordered. Pure.

import type { QuotedLine } from "#pricing/quote/price-cart.ts";

/**
 * Returns the lines that can be ordered now, with as many units as there are; lines that can no longer
 * be sold are left out. Lines of one variant share its stock in their order.
 */
export function orderableLines(lines: readonly QuotedLine[]): QuotedLine[] {
  const left = new Map<string, number>();
  return lines.flatMap((line) => {
    if (line.problem !== null && line.problem !== "insufficient_stock") return [];
    const { variantId, available, unitPriceMinor } = line;
    if (line.problem === null || available === null || unitPriceMinor === null) return [line];
    const units = left.get(variantId) ?? available;
    const quantity = Math.min(line.quantity, Math.max(0, units));
    left.set(variantId, units - quantity);
    return quantity === 0 ? [] : [{ ...line, quantity, totalMinor: unitPriceMinor * quantity }];
  });
}
