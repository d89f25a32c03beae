// Rules: units of line items as requests name them.

import type { Id } from "#kernel/id.ts";
import type { Faults } from "#kernel/refusal.ts";

import { openUnits, type OrderLine } from "./order.ts";

export interface UnitsRequest {
  readonly lineItemId: Id<"lineItem">;
  readonly quantity: number;
}

/** Units of one line of an order. */
export interface LineUnits {
  readonly line: OrderLine;
  readonly quantity: number;
}

/** Which units of a line a request may name. */
export interface UnitsKind {
  readonly of: (line: OrderLine) => number;
  /** The code of the fault for more units than there are. */
  readonly code: "more_than_open" | "more_than_shipped";
  /** Names so many of them in the fault. */
  readonly name: (units: number) => string;
}

/** Units that are neither cancelled nor shipped. */
export const openKind: UnitsKind = {
  of: openUnits,
  code: "more_than_open",
  name: (units) => `${units} open ${unitsWord(units)}`,
};
/** Units that were shipped and have not come back. */
export const shippedKind: UnitsKind = {
  of: (line) => line.fulfilledQuantity - line.returnedQuantity,
  code: "more_than_shipped",
  name: (units) => `${units} shipped ${unitsWord(units)} not returned`,
};

function unitsWord(units: number): string {
  return units === 1 ? "unit" : "units";
}

/**
 * The units that the request names, or all of the kind if it is undefined. Adds a fault for each line of
 * another order, for a line that is named twice and for more units than there are.
 */
export function readUnits(
  lines: readonly OrderLine[],
  requested: readonly UnitsRequest[] | undefined,
  { kind, faults }: { readonly kind: UnitsKind; readonly faults: Faults },
): LineUnits[] {
  if (requested === undefined) {
    return lines
      .map((line) => ({ line, quantity: kind.of(line) }))
      .filter(({ quantity }) => quantity > 0);
  }
  const seen = new Set<OrderLine>();
  return requested.flatMap(({ lineItemId, quantity }, index): LineUnits[] => {
    const line = readLine(lines, lineItemId, { seen, faults, at: `/line_items/${index}` });
    if (line === null) return [];
    const available = kind.of(line);
    if (quantity > available) {
      const detail = `This line item has ${kind.name(available)}.`;
      faults.add(`/line_items/${index}/quantity`, kind.code, detail);
    }
    return [{ line, quantity }];
  });
}

/** The line with this id. Adds a fault, and returns null, for a line of another order and for a second time. */
export function readLine(
  lines: readonly OrderLine[],
  id: Id<"lineItem">,
  {
    seen,
    faults,
    at,
  }: { readonly seen: Set<OrderLine>; readonly faults: Faults; readonly at: string },
): OrderLine | null {
  const line = lines.find((one) => one.id === id);
  if (line === undefined) {
    faults.add(`${at}/line_item_id`, "unknown_line_item", "The order has no such line item.");
    return null;
  }
  if (seen.has(line)) {
    faults.add(`${at}/line_item_id`, "duplicate", "This line item is listed twice.");
    return null;
  }
  seen.add(line);
  return line;
}
