// What is wrong with an order that is asked for. Everything is noted before anything is refused, so
// that a caller learns all of it in one answer, under the code of the gravest fault.

import { Faults, type RefusalDefinition, validationFailed } from "#kernel/refusal.ts";

import { priceMissing, variantNotForSale } from "./order.ts";

/** The gravest first. */
const gravity: readonly RefusalDefinition[] = [validationFailed, variantNotForSale, priceMissing];

/** The faults of one request for an order. */
export class Judgement {
  readonly #faults = new Faults();
  #gravest = gravity.length;

  /** Notes that the request is not as it must be. */
  invalid(pointer: string, code: string, detail: string): void {
    this.#note(validationFailed, { pointer, code, detail });
  }

  /** Notes a line that cannot be sold: `variant_not_for_sale` or `price_missing`. */
  unsellable(definition: RefusalDefinition, position: number, detail: string): void {
    const pointer = `/line_items/${position}/variant_id`;
    this.#note(definition, { pointer, code: definition.code, detail });
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
