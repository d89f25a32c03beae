// Tax rates: types, rules and refusals. A rate holds from its start up to, but without, its end; of what it
// charges only the end can change. Invariant: rates of one place, class and name never hold at the same time.

import { defineFaults, type Meanings } from "#kernel/fault.ts";
import { MILLION } from "#kernel/money.ts";
import { defineRefusal, Faults } from "#kernel/refusal.ts";

import type { TaxRateRow } from "./tables.ts";

export type TaxRate = TaxRateRow;

/** The class of a product that names none, and of classes that have no rates at a place. */
export const STANDARD_CLASS = "standard";
/** Products of this class are never taxed, so no rate has it. */
export const EXEMPT_CLASS = "exempt";
/** Zero-rated: taxed at 0 %, which a return reports. */
const ZERO_CLASS = "zero";

/** Classes that a product may have before any rate has them. */
export const commonClasses: readonly string[] = [STANDARD_CLASS, EXEMPT_CLASS, ZERO_CLASS];

/** Epoch milliseconds; `validUntil` is exclusive, and null without an end. */
export type Validity = Pick<TaxRate, "validFrom" | "validUntil">;

/** Returns true if a rate holds at an instant. */
export function holdsAt({ validFrom, validUntil }: Validity, atMs: number): boolean {
  return validFrom <= atMs && (validUntil === null || validUntil > atMs);
}

/** The columns that the rates of one sale have in common. */
type Group = Pick<TaxRate, "country" | "regionKey" | "taxClass">;

/** The columns that two rates have in common if they may not hold at the same time. */
type Place = Group & Pick<TaxRate, "name">;

/** Returns true if there is an instant at which both hold. A rate that ends at its start holds at none. */
function overlaps(one: Validity, other: Validity): boolean {
  const start = Math.max(one.validFrom, other.validFrom);
  const end = Math.min(one.validUntil ?? Infinity, other.validUntil ?? Infinity);
  return start < end;
}

/** The rates among these that hold while the given one does, at the same place with the same class and name. */
export function rivalsOf(given: Place & Validity, among: readonly TaxRate[]): TaxRate[] {
  return besideOf(given, among).filter(({ name }) => name === given.name);
}

/** The rates that a sale may have together with the given one. */
function besideOf(given: Group & Validity, among: readonly TaxRate[]): TaxRate[] {
  return among.filter(
    (one) =>
      one.country === given.country &&
      one.regionKey === given.regionKey &&
      one.taxClass === given.taxClass &&
      overlaps(one, given),
  );
}

/**
 * Refuses with a fault at the pointer if the rate and those beside it come to more than 100 % at any instant. An order
 * then has at most as much tax as goods and shipping, so that its total stays a safe integer.
 */
export function refuseExcess(given: TaxRate, among: readonly TaxRate[], pointer: string): void {
  const beside = besideOf(given, among);
  // A sum rises only where a rate begins.
  const isAbove = [given, ...beside].some(({ validFrom }) => {
    const instant = { validFrom, validUntil: validFrom + 1 };
    if (!overlaps(given, instant)) return false;
    const together = beside.filter((one) => overlaps(one, instant));
    return together.reduce((sum, one) => sum + one.millionths, given.millionths) > MILLION;
  });
  if (!isAbove) return;
  const faults = new Faults();
  const detail = "The rates of a place and class come to at most 100 % at any time.";
  faults.add(pointer, "out_of_range", detail);
  faults.refuseIfAny();
}

export const taxRateNotFound = defineRefusal(
  "tax_rate_not_found",
  "not_found",
  "There is no such tax rate.",
);
export const taxRateOverlaps = defineRefusal("tax_rate_overlaps", "conflict", {
  title: "Another tax rate with this place, class and name is valid at the same time.",
  cause:
    "An order would be charged the same tax twice: the rate in `existing_id` has the same country, region or postal prefix, class and name, and both would be valid at one time.",
  remedy: "Let the existing rate end when the other one begins, or use another name.",
  example: { members: { existing_id: "txr_01jd2k8m3n4p5q6r7s8t9v0w1x" } },
});

/** Refuses with `tax_rate_overlaps` if there is a rival. */
export function refuseRivals([rival]: readonly TaxRate[]): void {
  if (rival !== undefined) throw taxRateOverlaps({ members: { existing_id: rival.id } });
}

const taxFaults = defineFaults({
  unknown_tax_class: "No tax rate has this class.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof taxFaults> {}
}
