// The codes of faults are closed, although nouns define their own: one that no noun has does not compile.

import { describe, expect, test } from "bun:test";

import { priceMissing } from "#catalog/products/sale.ts";
import { defineFaults, type FaultCode, requestFaults } from "#kernel/fault.ts";
import { validationFailed } from "#kernel/refusal.ts";

describe("a fault", () => {
  test("of a noun is among those of a body once the noun is loaded", () => {
    expect(priceMissing.explanation?.faults?.price_missing).toBe(
      "The variant has no price in this currency.",
    );
    expect(validationFailed.explanation?.faults?.price_missing).toBe(
      "The variant has no price in this currency.",
    );
  });

  test("of a code that another noun has is stopped with both meanings", () => {
    expect(() => defineFaults({ price_missing: "It has no price." })).toThrow(
      'Two faults are price_missing: "The variant has no price in this currency." and "It has no price."',
    );
  });

  test("of a code of the kernel is stopped, wherever that code is used", () => {
    expect(() => defineFaults({ required: "It is missing." })).toThrow("Two faults are required");
    expect(() => defineFaults({ json_empty: "It is empty." })).toThrow("Two faults are json_empty");
  });

  test("of a code that no noun defined does not compile", () => {
    // @ts-expect-error: no noun has this code.
    const code: FaultCode = "too_heavy";

    expect(requestFaults()[code]).toBeUndefined();
  });
});
