// Whatever goes wrong in a call to a gateway, no customer pays twice and nobody loses money.

import { expect, test } from "bun:test";

import { briefly } from "./fault.ts";
import { gatewayMatrix } from "./gateway-matrix.ts";

test("whichever call to a gateway goes wrong, its books and those of the shop agree in the end", async () => {
  const report = await gatewayMatrix.run(briefly(gatewayMatrix));

  expect(report.broken).toEqual([]);
  expect(report.figures["calls struck"]).toBeGreaterThan(0);
});
