// A gateway that is down for an hour costs an hour, and nothing else.

import { expect, test } from "bun:test";

import { briefly } from "./fault.ts";
import { gatewayDown } from "./gateway-down.ts";

test("payments at a gateway that was down for an hour are settled soon after, and orders end in time meanwhile", async () => {
  const report = await gatewayDown.run(briefly(gatewayDown));

  expect(report.broken).toEqual([]);
});
