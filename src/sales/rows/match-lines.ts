// Rule: which lines of a cart or an order stay where a list replaces them.

import { defineFaults, type Meanings } from "#kernel/fault.ts";
import type { Id } from "#kernel/id.ts";
import { type Metadata, metadataAfter } from "#kernel/metadata.ts";
import type { Faults } from "#kernel/refusal.ts";
import { linePointer, type LineRequest, type OwnLineRequest } from "#pricing/quote/price-order.ts";

const lineFaults = defineFaults({
  unknown_line: "There is no such line of this variant.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof lineFaults> {}
}

interface Goods {
  /** Null for something of the merchant's own, which is known by its name. */
  readonly variantId: Id<"variant"> | null;
  readonly name?: string | undefined;
}

/** A line as a list names it. */
interface NamedLine extends Goods {
  readonly id?: string | undefined;
  readonly metadata?: Metadata | undefined;
}

/** A line as a request of an order names it; an id is that of a line which it has. */
export type OrderLineRequest = (LineRequest | OwnLineRequest) & {
  readonly id?: Id<"lineItem"> | undefined;
};

interface KnownLine extends Goods {
  readonly id: string;
  readonly metadata: Metadata;
}

interface Matching {
  readonly of: "cart" | "order";
  /** True if the metadata keeps the names that a publishable key cannot send. */
  readonly keepsNames: boolean;
  readonly faults: Faults;
}

/**
 * The lines that stay, by their place in the list. Each is the one of the given id; else the first that is left of its variant
 * with equal metadata; else, if none was given, the first that is left of its variant. What has no place is new. Adds a fault
 * for an id that no line of the variant has, and for one that is given twice.
 */
export function matchLines<Line extends KnownLine>(
  given: readonly NamedLine[],
  before: readonly Line[],
  { of, keepsNames, faults }: Matching,
): ReadonlyMap<number, Line> {
  const free = new Set(before);
  const found = new Map<number, Line>();
  const claim = (position: number, line: Line | undefined) => {
    if (line === undefined) return;
    free.delete(line);
    found.set(position, line);
  };
  given.forEach(({ id, variantId }, position) => {
    if (id === undefined) return;
    const pointer = `${linePointer(position)}/id`;
    const line = before.find((one) => one.id === id && one.variantId === variantId);
    if (line === undefined) {
      faults.add(pointer, "unknown_line", `The ${of} has no such line of this variant.`);
    } else if (!free.has(line)) {
      faults.add(pointer, "duplicate", "Another line has this id.");
    }
    claim(position, line);
  });
  const claimRest = (matches: (one: NamedLine, line: Line) => boolean) => {
    given.forEach((one, position) => {
      if (one.id !== undefined || found.has(position)) return;
      claim(
        position,
        [...free].find((line) => isSameItem(one, line) && matches(one, line)),
      );
    });
  };
  // Lines of equal metadata first: a line without any, which stands before, must not take them.
  claimRest(({ metadata = {} }, line) =>
    Bun.deepEquals(metadataAfter(line.metadata, metadata, keepsNames), line.metadata),
  );
  claimRest(({ metadata }) => metadata === undefined);
  return found;
}

/** Returns true if the line sells what the other does: a variant, or what the merchant called the same. */
export function isSameItem(one: Goods, other: Goods): boolean {
  return one.variantId === other.variantId && (one.variantId !== null || one.name === other.name);
}
