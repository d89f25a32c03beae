// Rules of the lines of a cart: their ids, and what a request makes of them. A change is computed from the lines of the
// locked cart, so additions at the same time all count.

import { type Id, newId } from "#kernel/id.ts";
import { type Metadata, metadataAfter } from "#kernel/metadata.ts";
import { defineRefusal, type Faults } from "#kernel/refusal.ts";
import type { CartLine, QuotedLine } from "#pricing/quote/price-cart.ts";
import { linePointer, type LineRequest } from "#pricing/quote/price-order.ts";

import { type Cart, LINES_MAX, QUANTITY_MAX } from "./cart.ts";
import { matchLines } from "./match-lines.ts";
import type { CartRow } from "./tables.ts";

export const cartLineNotFound = defineRefusal(
  "cart_line_not_found",
  "not_found",
  "The cart has no such line.",
);

/** Digits of a position, which stand last in the id of a line that was stored without one. */
const POSITION_DIGITS = 2;

/**
 * The cart with an id for each line. One that was stored without has the digits of its cart, the last of them replaced by its
 * position: the same at each reading, until a change stores it.
 */
export function withLineIds(cart: CartRow): Cart {
  const digits = cart.id.slice(cart.id.indexOf("_") + 1, -POSITION_DIGITS);
  const named = <Line extends Partial<CartLine>>(line: Line, position: number) => ({
    ...line,
    id: line.id ?? (`cl_${digits}${String(position).padStart(POSITION_DIGITS, "0")}` as const),
    metadata: line.metadata ?? {},
  });
  const remembered = cart.remembered.map((line, at) => ({ ...named(line, at), shown: null }));
  return { ...cart, lines: cart.lines.map(named), remembered };
}

/** The lines as a cart remembers them: what they show is read from the catalog each time. */
export function toRemember(lines: readonly QuotedLine[]): QuotedLine[] {
  return lines.map((line) => ({ ...line, shown: null }));
}

interface LineTerms {
  /** True if the metadata keeps the names that a publishable key cannot send. */
  readonly keepsNames: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly faults: Faults;
}

/** The lines after a change. */
export interface ChangedLines {
  readonly lines: readonly CartLine[];
  /** The places in the request of the lines that it names, by their positions: what it does not name is not judged. */
  readonly pointers: ReadonlyMap<number, string>;
  /** The place of what the total comes from. */
  readonly whole: string;
}

/** Makes the lines of a request from those that a cart has. */
export type LinesChange = (before: readonly CartLine[], terms: LineTerms) => ChangedLines;

/** A line as a request gives it. */
export interface LineGiven extends LineRequest {
  readonly id?: Id<"cartLine"> | undefined;
  readonly metadata?: Metadata | undefined;
}

/** The lines, all of which the request names in its list. */
export function allNamed(lines: readonly CartLine[]): ChangedLines {
  const pointers = new Map(lines.map((_, position) => [position, linePointer(position)]));
  return { lines, pointers, whole: "/line_items" };
}

/** Replaces all lines: those that stay keep their id, and their metadata where none was given. */
export function replaceLines(given: readonly LineGiven[]): LinesChange {
  return (before, terms) => {
    const found = matchLines(given, before, { ...terms, of: "cart" });
    const lines = given.map(({ variantId, quantity, metadata }, position) => {
      const line = found.get(position) ?? { id: newId("cartLine", terms.now), metadata: {} };
      return { id: line.id, variantId, quantity, metadata: after(line, metadata, terms) };
    });
    return allNamed(lines);
  };
}

/** Adds units: to the first line of the variant with equal metadata, else as a new line of this id. */
export function addLine({
  id,
  variantId,
  quantity,
  metadata = {},
}: LineGiven & Pick<CartLine, "id">): LinesChange {
  return (before, { faults }) => {
    const at = before.findIndex(
      (line) => line.variantId === variantId && isEqual(line.metadata, metadata),
    );
    const joined = before[at];
    if (joined !== undefined) {
      const line = { ...joined, quantity: joined.quantity + quantity };
      return changed(before.with(at, line), line, faults);
    }
    if (before.length >= LINES_MAX) {
      faults.add("/variant_id", "too_many", `A cart has at most ${LINES_MAX} lines.`);
      return { lines: before, pointers: new Map(), whole: "" };
    }
    const line = { id, variantId, quantity, metadata };
    return changed([...before, line], line, faults);
  };
}

/** A change of one line. */
export interface LineUpdate {
  readonly quantity?: number | undefined;
  readonly metadata?: Metadata | undefined;
}

/**
 * Changes a line. One whose metadata becomes equal to those of another line of the variant joins it: the older id stays.
 * Refuses with `cart_line_not_found`.
 */
export function updateLine(id: Id<"cartLine">, given: LineUpdate): LinesChange {
  return (before, terms) => {
    const line = lineIn(before, id);
    const quantity = given.quantity ?? line.quantity;
    const next = { ...line, quantity, metadata: after(line, given.metadata, terms) };
    const twin = isEqual(next.metadata, line.metadata)
      ? undefined
      : before.find(
          (one) => one.variantId === line.variantId && isEqual(one.metadata, next.metadata),
        );
    if (twin === undefined) {
      const lines = before.map((one) => (one === line ? next : one));
      // A line that has left the catalog can still be described.
      if (given.quantity !== undefined) return changed(lines, next, terms.faults);
      return { lines, pointers: new Map(), whole: "" };
    }
    const [older, newer] = twin.id < line.id ? [twin, line] : [line, twin];
    const joined = { ...next, id: older.id, quantity: quantity + twin.quantity };
    const lines = before
      .filter((one) => one !== newer)
      .map((one) => (one === older ? joined : one));
    return changed(lines, joined, terms.faults);
  };
}

/** Takes a line away. Refuses with `cart_line_not_found`. */
export function removeLine(id: Id<"cartLine">): LinesChange {
  return (before) => {
    const line = lineIn(before, id);
    return { lines: before.filter((one) => one !== line), pointers: new Map(), whole: "" };
  };
}

function lineIn(lines: readonly CartLine[], id: Id<"cartLine">): CartLine {
  const line = lines.find((one) => one.id === id);
  if (line === undefined) throw cartLineNotFound();
  return line;
}

/** The lines where the body of the request is one of them. */
function changed(lines: readonly CartLine[], line: CartLine, faults: Faults): ChangedLines {
  if (line.quantity > QUANTITY_MAX) {
    faults.add("/quantity", "too_large", `A line has at most ${QUANTITY_MAX} units.`);
  }
  return { lines, pointers: new Map([[lines.indexOf(line), ""]]), whole: "/quantity" };
}

function after(
  { metadata }: Pick<CartLine, "metadata">,
  given: Metadata | undefined,
  { keepsNames }: LineTerms,
): Metadata {
  return metadataAfter(metadata, given, keepsNames);
}

function isEqual(one: Metadata, other: Metadata): boolean {
  return Bun.deepEquals(one, other);
}
