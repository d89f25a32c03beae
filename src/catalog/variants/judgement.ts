// What is wrong with something that is asked to be sold. Everything is noted before anything is
// refused, so that a caller learns all of it in one answer, under the code of the gravest fault.

import type { CurrencyCode } from "#kernel/currency.ts";
import { Faults, type RefusalDefinition, validationFailed } from "#kernel/refusal.ts";

import { priceMissing, type SaleProblem, variantNotForSale } from "./sale.ts";

/** The gravest first. */
const gravity: readonly RefusalDefinition[] = [validationFailed, variantNotForSale, priceMissing];

const refusalOf: Readonly<Record<SaleProblem, RefusalDefinition>> = {
  unknown_variant: validationFailed,
  variant_not_for_sale: variantNotForSale,
  price_missing: priceMissing,
};

/** The faults of one request to sell something. */
export class Judgement {
  readonly #faults = new Faults();
  #gravest = gravity.length;

  /** Notes that the request is not as it must be. */
  invalid(pointer: string, code: string, detail: string): void {
    this.#note(validationFailed, { pointer, code, detail });
  }

  /** Notes a line that cannot be sold, by its place among the lines. */
  unsellable(problem: SaleProblem, position: number, currency: CurrencyCode): void {
    const pointer = `/line_items/${position}/variant_id`;
    this.#note(refusalOf[problem], { pointer, code: problem, detail: sentence(problem, currency) });
  }

  /** Refuses with everything that was noted. */
  refuseIfAny(): void {
    const gravest = gravity[this.#gravest];
    if (gravest !== undefined) throw gravest({ faults: this.#faults.list });
  }

  #note(
    definition: RefusalDefinition,
    { pointer, code, detail }: { pointer: string; code: string; detail: string },
  ): void {
    this.#faults.add(pointer, code, detail);
    this.#gravest = Math.min(this.#gravest, gravity.indexOf(definition));
  }
}

function sentence(problem: SaleProblem, currency: CurrencyCode): string {
  if (problem === "unknown_variant") return "There is no such variant.";
  if (problem === "variant_not_for_sale") return "The variant is not for sale.";
  return `The variant has no price in ${currency}.`;
}
