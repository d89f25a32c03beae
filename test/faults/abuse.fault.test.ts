// The short form of the abuse: the bounds hold, and nothing that was acknowledged is lost. Times are not judged here.

import { expect, test } from "bun:test";

import { abuse, abuseShop } from "./abuse.ts";
import { briefly } from "./fault.ts";

test("strangers hold no more, guess no code and refuse no visitor", async () => {
  const { figures, broken } = await abuseShop(briefly(abuse, { rounds: 400 }));

  expect(broken).toEqual([]);
  // A stranger who is always refused would test nothing.
  expect(Number(figures["units that the stranger holds"])).toBeGreaterThan(0);
}, 120_000);
