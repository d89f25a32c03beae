// What refusals add to a problem is closed, although nouns define their own members.

import { describe, expect, test } from "bun:test";

import { mediumInUse } from "#catalog/rows/medium.ts";
import { defineMembers, member, problemMembers } from "#kernel/refusal.ts";

describe("a member of a problem", () => {
  test("is defined by the noun whose refusal has it", () => {
    expect(mediumInUse({ members: { product_ids: [] } }).details.members).toEqual({
      product_ids: [],
    });
    expect(problemMembers()["product_ids"]).toEqual(
      member.texts("The products that show the medium, oldest first, at most 100."),
    );
  });

  test("that another noun has is stopped with its name", () => {
    expect(() => defineMembers({ product_ids: member.texts("The products.") })).toThrow(
      "Two members of problems are named product_ids.",
    );
  });

  test("that no noun defined does not compile", () => {
    // @ts-expect-error: no noun has this member.
    mediumInUse({ members: { shelf_ids: [] } });

    expect(problemMembers()["shelf_ids"]).toBeUndefined();
  });

  test("stands at the same place, whichever noun was loaded first", () => {
    const names = Object.keys(problemMembers());

    expect(names).toEqual(names.toSorted());
  });
});
