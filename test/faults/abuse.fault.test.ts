// The short form of the abuse: the bounds hold, and nothing that was acknowledged is lost.

import { expect, test } from "bun:test";

import { abuse } from "./abuse.ts";
import { briefly } from "./fault.ts";

test("a stranger holds no more stock and rings no phone more often than the bounds allow", async () => {
  const { figures, broken } = await abuse.run(briefly(abuse, { rounds: 600, minutes: 0.05 }));

  expect(broken).toEqual([]);
  // A stranger who is always refused would test nothing.
  expect(Number(figures["units that the stranger holds"])).toBeGreaterThan(0);
}, 60_000);
