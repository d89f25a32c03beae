// The short form of the fuzz: unexpected requests are answered as documented, and the shop is sound
// afterwards.

import { expect, test } from "bun:test";

import { briefly } from "./fault.ts";
import { fuzz } from "./fuzz.ts";

test("any request to any operation is answered as documented, and breaks nothing", async () => {
  const { figures, broken } = await fuzz.run(briefly(fuzz));

  expect(broken).toEqual([]);
  expect(Number(figures["requests"])).toBeGreaterThanOrEqual(2_000);
  // A fuzz that is always refused would test nothing.
  expect(Number(figures["succeeded"])).toBeGreaterThan(500);
}, 120_000);
