// A week of a shop in Ghana: whatever is lost on the way, no pesewa is.

import { expect, test } from "bun:test";

import { briefly } from "./fault.ts";
import { ghanaWeek } from "./ghana-week.ts";

test("every pesewa that Paystack took and gave back in a week is a payment's and an order's", async () => {
  const report = await ghanaWeek.run(briefly(ghanaWeek));

  expect(report.broken).toEqual([]);
});
